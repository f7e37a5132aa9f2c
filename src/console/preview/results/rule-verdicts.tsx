/** Why each rule did or did not apply to a user, in mapping order. */
import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RuleResult } from '../../../contract/operations/evaluate.js';
import styles from './rule-verdicts.module.css';

const outcomes: Readonly<
  Record<RuleResult['outcome'], { readonly label: string; readonly icon: ReactNode }>
> = {
  applied: { label: 'applied', icon: <IconCheck size={12} aria-hidden /> },
  condition_failed: { label: 'condition false', icon: <IconX size={12} aria-hidden /> },
  group_not_in_test: { label: 'not in the test', icon: <IconMinus size={12} aria-hidden /> },
  not_open_yet: { label: 'not begun', icon: <IconClock size={12} aria-hidden /> },
  closed: { label: 'over', icon: <IconClock size={12} aria-hidden /> },
  segment_missing: { label: 'segment missing', icon: <IconX size={12} aria-hidden /> },
  mutation_missed: { label: 'could not change', icon: <IconX size={12} aria-hidden /> },
};

export function RuleVerdicts({ rules }: { readonly rules: readonly RuleResult[] }) {
  if (rules.length === 0) {
    return <Text size="sm">It has no rules: everybody of a line gets the same.</Text>;
  }
  return (
    <ol className={styles['rules']}>
      {rules.map((rule) => (
        <li key={rule.rule}>
          <RuleVerdict rule={rule} />
        </li>
      ))}
    </ol>
  );
}

function RuleVerdict({ rule }: { readonly rule: RuleResult }) {
  const { label, icon } = outcomes[rule.outcome];
  const isFault = rule.outcome === 'segment_missing' || rule.outcome === 'mutation_missed';
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
          variant={rule.applied || isFault ? 'light' : 'default'}
          {...(isFault ? { color: 'red' } : {})}
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
