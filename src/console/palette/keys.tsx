/** The keys of a shortcut. */
import { Group, Kbd } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { keyNames } from './key-names.js';

/** @param props.keys in the notation of `useHotkeys` */
export function Keys({ keys }: { readonly keys: string }) {
  const os = useOs();
  return (
    <Group gap={4} wrap="nowrap" component="span">
      {keyNames(keys, os === 'macos' || os === 'ios').map((name) => (
        <Kbd key={name} size="xs">
          {name}
        </Kbd>
      ))}
    </Group>
  );
}
