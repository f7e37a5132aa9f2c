/** What an edit changes for the users of a source: how many, by rule, and which values. */
import { List, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Preview } from '../../../contract/operations/preview.js';
import { counted } from '../../parts/counted.js';
import { groupChanges } from '../results/change-groups.js';
import {
  describeRuleChanges,
  finePercent,
  untriedRules,
} from '../results/describe-rule-changes.js';
import { ChangeList } from './change-list.js';
import { countedSource, describeSource, type EffectSource } from './effect-source.js';
import { frequentPlaces } from './frequent-places.js';
import { PlaceTable } from './place-table.js';

export interface EffectCountsProps {
  readonly preview: Preview;
  readonly source: EffectSource;
  /** The environment keeps contexts of requests. */
  readonly isSampled: boolean;
}

const kindsShown = 4;
const rulesShown = 6;

export function EffectCounts({ preview, source, isSampled }: EffectCountsProps) {
  const { contexts, changes, ruleChanges } = preview;
  const rules = describeRuleChanges(ruleChanges);
  // The table has the places, if there are any.
  const groups = groupChanges(changes.map((change) => ({ ...change, pointers: null })));
  const places = useMemo(() => frequentPlaces(changes), [changes]);
  const untried = untriedRules(preview).join(', ');
  const about = [
    ...describeSource(source, preview, isSampled),
    untried !== '' && `Not tried, as no such user gets it: ${untried}.`,
  ];
  return (
    <Stack gap={4}>
      <Text fw={600}>{headline(preview, source)}</Text>
      {rules.slice(0, rulesShown).map((sentence) => (
        <Text size="sm" fw={600} key={sentence} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      ))}
      {rules.length > rulesShown && (
        <Text size="sm">and users move in {rules.length - rulesShown} more rules.</Text>
      )}
      <PlaceTable places={places} contexts={contexts} />
      <ChangeList
        groups={groups.slice(0, kindsShown)}
        label={(group) => counted(group.contexts, 'user')}
      >
        {groups.length > kindsShown && (
          <List.Item>and {groups.length - kindsShown} rarer kinds of change</List.Item>
        )}
      </ChangeList>
      <Text size="xs" c="dimmed">
        {about.filter((sentence) => sentence !== false).join(' ')}
      </Text>
    </Stack>
  );
}

function headline({ contexts, changed }: Preview, source: EffectSource): string {
  const all = countedSource(source, contexts);
  if (contexts === 0) return 'There is nothing to try it on yet.';
  return changed.contexts === 0
    ? `No change for any of ${all}.`
    : `${finePercent(changed.share)} of ${all} would get something different.`;
}
