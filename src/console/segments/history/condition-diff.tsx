/** The differences between two conditions of a segment: by place, and as text in one layout. */
import { Code, Stack, Text } from '@mantine/core';
import { formatCondition } from '../../conditions/condition-query.js';
import { LazyDiffView } from '../../parts/code/lazy.js';
import { PointerTable } from '../../parts/code/pointer-table.js';
import { Loaded } from '../../parts/data/loaded.js';
import { useSegmentDiff, useSegmentRevision } from './segment-history-query.js';

export interface ConditionDiffProps {
  readonly env: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export function ConditionDiff({ env, name, from, to }: ConditionDiffProps) {
  const diff = useSegmentDiff(env, name, from, to);
  const before = useSegmentRevision(env, name, from);
  const after = useSegmentRevision(env, name, to);
  const rows = (diff.data?.pointers ?? []).map((pointer) => ({ where: '', ...pointer }));
  return (
    <Loaded query={before} label="Loading the revisions">
      {({ when: old }) => (
        <Loaded query={after} label="Loading the revisions">
          {({ when: now }) => (
            <Stack>
              {rows.length > 0 && <PointerTable rows={rows} />}
              {diff.data?.pointersCut === true && (
                <Text size="sm" c="dimmed">
                  The list is cut; the texts below contain all changes.
                </Text>
              )}
              {diff.error !== null && (
                <Text size="sm" c="dimmed">
                  The list of changed values is not available: {diff.error.message}
                </Text>
              )}
              <ConditionTexts
                before={old}
                after={now}
                beforeLabel={`r${from}`}
                afterLabel={`r${to}`}
              />
            </Stack>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

export interface ConditionTextsProps {
  /** JSON sources. */
  readonly before: string;
  readonly after: string;
  readonly beforeLabel: string;
  readonly afterLabel: string;
}

export function ConditionTexts({ before, after, ...labels }: ConditionTextsProps) {
  const [old, now] = [formatCondition(before), formatCondition(after)];
  if (old === now) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {before === after
          ? 'Both conditions are the same, byte for byte.'
          : 'Only the layout differs: both conditions mean the same.'}
      </Text>
    );
  }
  return <LazyDiffView before={old} after={now} {...labels} maxRows={20} />;
}

export interface SingleConditionProps {
  readonly env: string;
  readonly name: string;
  readonly revision: number;
}

export function SingleCondition({ env, name, revision }: SingleConditionProps) {
  return (
    <Loaded
      query={useSegmentRevision(env, name, revision)}
      label="Loading the revision"
      rowHeight={80}
    >
      {({ when }) => (
        <Code block tabIndex={0} role="region" aria-label={`Condition of r${revision}`}>
          {formatCondition(when)}
        </Code>
      )}
    </Loaded>
  );
}
