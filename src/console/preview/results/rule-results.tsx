/** Why each rule did or did not apply to a user, in order. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RuleResult } from '../../../contract/schemas/rule-result.js';
import { IconCheck, IconClock, IconMinus, IconX } from '../../icons/icons.js';
import styles from './rule-results.module.css';

const outcomes: Readonly<
  Record<RuleResult['outcome'], { readonly label: string; readonly icon: ReactNode }>
> = {
  applied: { label: 'applied', icon: <IconCheck size={12} aria-hidden /> },
  condition_failed: { label: 'condition false', icon: <IconX size={12} aria-hidden /> },
  group_not_in_test: { label: 'not in the test', icon: <IconMinus size={12} aria-hidden /> },
  not_open_yet: { label: 'not started', icon: <IconClock size={12} aria-hidden /> },
  closed: { label: 'over', icon: <IconClock size={12} aria-hidden /> },
  layer_missing: { label: 'layer missing', icon: <IconX size={12} aria-hidden /> },
  no_user_id: { label: 'no user id', icon: <IconMinus size={12} aria-hidden /> },
  outside_slice: { label: 'outside its slice', icon: <IconMinus size={12} aria-hidden /> },
  held_out: { label: 'held out', icon: <IconMinus size={12} aria-hidden /> },
  segment_missing: { label: 'segment missing', icon: <IconX size={12} aria-hidden /> },
  mutation_missed: { label: 'could not change', icon: <IconX size={12} aria-hidden /> },
};

export function RuleResults({ rules }: { readonly rules: readonly RuleResult[] }) {
  if (rules.length === 0) {
    return <Text size="sm">No rules: all players of an app version get the same.</Text>;
  }
  return (
    <ol className={styles['rules']}>
      {rules.map((rule) => (
        <li key={rule.rule}>
          <RuleRow rule={rule} />
        </li>
      ))}
    </ol>
  );
}

const brokenOutcomes: readonly RuleResult['outcome'][] = [
  ...(['layer_missing', 'segment_missing', 'mutation_missed'] as const),
];

function RuleRow({ rule }: { readonly rule: RuleResult }) {
  const { label, icon } = outcomes[rule.outcome];
  const isBroken = brokenOutcomes.includes(rule.outcome);
  return (
    <Stack gap={2}>
      <Group gap={6}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {rule.segment}
        </Text>
        {rule.variant !== null && (
          <Text size="sm">
            variant <b>{rule.variant}</b>
          </Text>
        )}
        <Badge
          size="sm"
          variant={rule.applied || isBroken ? 'light' : 'default'}
          {...(isBroken ? { color: 'red' } : {})}
          leftSection={icon}
        >
          {label}
        </Badge>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {rule.reason}
      </Text>
    </Stack>
  );
}
