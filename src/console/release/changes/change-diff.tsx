/** What a change of a release does to what is live now. */
import { Stack, Text } from '@mantine/core';
import type { ReleaseChange, ReleaseState } from '../../../contract/schemas/release.js';
import { RevisionDiff } from '../../content/history/revision-diff.js';
import { EnvelopeChanges } from '../../content/values/envelope-changes.js';
import { comparedRevision, describeChange } from '../../releases/words/change-words.js';
import { ConditionDiff, SingleCondition } from '../../segments/history/condition-diff.js';

export interface ChangeDiffProps {
  readonly env: string;
  readonly change: ReleaseChange;
  /** Of the release. */
  readonly state: ReleaseState;
}

export function ChangeDiff({ env, change, state }: ChangeDiffProps) {
  if (change.kind === 'environment') {
    return <Text size="sm">{describeChange(change, state)}</Text>;
  }
  const from = comparedRevision(change, state);
  const to = change.revision;
  const hasBoth = from !== null && to !== null && from !== to;
  return (
    <Stack gap="sm">
      {change.kind === 'content' && hasBoth && (
        <EnvelopeChanges env={env} id={change.id} from={from} to={to} />
      )}
      <RevisionsDiff env={env} item={change} from={from} to={to} />
    </Stack>
  );
}

export interface RevisionsDiffProps {
  readonly env: string;
  readonly item: Exclude<ReleaseChange, { readonly kind: 'environment' }>;
  /** Null: nothing is there. */
  readonly from: number | null;
  readonly to: number | null;
  readonly same?: string;
}

/** Of two revisions of the changed item. */
export function RevisionsDiff(props: RevisionsDiffProps) {
  const { env, item, from, to, same = 'This revision is live already.' } = props;
  if (from === to) {
    return (
      <Text size="sm" c="dimmed">
        {same}
      </Text>
    );
  }
  if (item.kind === 'content') return <RevisionDiff {...{ env, from, to }} id={item.id} />;
  const { name } = item;
  if (from !== null && to !== null) return <ConditionDiff {...{ env, name, from, to }} />;
  const only = from ?? to;
  return only === null ? null : <SingleCondition {...{ env, name }} revision={only} />;
}
