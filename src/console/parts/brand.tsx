/** The name and mark of the product. */
import { Group, Text } from '@mantine/core';

export interface BrandProps {
  /** On small screens the mark stands alone. */
  readonly isShort?: boolean;
}

export function Brand({ isShort = false }: BrandProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/icon.svg" width={28} height={28} alt="" />
      <Text fw={600} size="lg" lh={1} {...(isShort && { visibleFrom: 'sm' })}>
        Loadout
      </Text>
    </Group>
  );
}
