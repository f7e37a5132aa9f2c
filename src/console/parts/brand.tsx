/** The name and mark of the product. */
import { Group, Text } from '@mantine/core';

export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/icon.svg" width={28} height={28} alt="" />
      <Text fw={700} size="lg" lh={1}>
        Loadout
      </Text>
    </Group>
  );
}
