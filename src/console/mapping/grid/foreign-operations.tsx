/** Operations that a grid has no cell for, by what they belong to: they stay, and are edited as source. */
import { List, Stack, Text } from '@mantine/core';
import type { PlacedOperation } from '../../../content/derive/mutation-column.js';
import type { GridArm } from './grid-model.js';
import { describePlace } from './grid-words.js';

export interface ForeignOperationsProps {
  readonly arms: readonly GridArm[];
  readonly chosen: number;
}

export function ForeignOperations({ arms, chosen }: ForeignOperationsProps) {
  const found = arms.flatMap(({ name, columns }) =>
    (columns[chosen]?.foreign ?? []).map((placed) => `${name} ${describe(placed)}`),
  );
  if (found.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        Only in Source
      </Text>
      <List size="sm" spacing={2}>
        {found.map((words) => (
          <List.Item key={words}>{words}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

function describe({ operation: { op, path, from }, index }: PlacedOperation): string {
  const place = describePlace(path);
  const number = `(operation ${index + 1})`;
  switch (op) {
    case 'move':
    case 'copy':
      return `${op === 'move' ? 'moves' : 'copies'} ${describePlace(from ?? [])} to ${place} ${number}`;
    case 'test':
      return `applies only if ${place} has a certain value ${number}`;
    case 'add':
      return `inserts an element at ${place} ${number}`;
    case 'remove':
      return `removes the element ${place} ${number}`;
    case 'replace':
      return `replaces ${place} ${number}`;
  }
}
