/** Says which option allows what was refused as an address of this machine. */
import { Code, Text } from '@mantine/core';

/** Of the server's words for a target that it sends nothing to. */
const isRefusal =
  /to which nothing is sent|which is (?:a loopback|a link-local|the unspecified|a reserved|a metadata)/;

export function LocalHint({ words }: { readonly words: string }) {
  if (!isRefusal.test(words)) return null;
  return (
    <Text size="sm" mt={4} c="var(--mantine-color-text)">
      To reach this machine and its link, start the server with{' '}
      <Code>loadout serve --webhooks-to-local</Code>. Private networks are allowed as they are.
    </Text>
  );
}
