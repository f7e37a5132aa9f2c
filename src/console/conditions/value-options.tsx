/** Frequent values of an attribute in requests, as completions of an operand. */
import { Group, Text } from '@mantine/core';
import type { Attribute } from '../../contract/operations/attributes.js';

/** A value that requests carry, and how frequent it is. */
export type FrequentValue = Attribute['values'][number];

/** Values of one type, as they are typed. */
export function optionsOf(
  values: readonly FrequentValue[],
  type: 'string' | 'number',
): readonly string[] {
  return values.flatMap(({ value }) => (typeof value === type ? [String(value)] : []));
}

/** The value beside its share of the requests with the attribute. */
export function renderValue(values: readonly FrequentValue[]) {
  const shares = new Map(values.map(({ value, share }) => [String(value), share]));
  return ({ option }: { readonly option: { readonly value: string } }) => (
    <Group gap="sm" wrap="nowrap" justify="space-between" flex={1}>
      <span>{option.value}</span>
      <Text span size="xs" c="dimmed">
        {formatShare(shares.get(option.value))}
      </Text>
    </Group>
  );
}

function formatShare(share: number | undefined): string {
  if (share === undefined) return '';
  const percent = Math.round(share * 100);
  return percent === 0 ? 'under 1 % of requests' : `${percent} % of requests`;
}
