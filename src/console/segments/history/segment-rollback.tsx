/** Confirms that an old condition of a segment is saved again: shows the content that it reaches, and the change. */
import { Anchor, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SegmentRevisionSummary } from '../../../contract/operations/history/segment-history.js';
import { request } from '../../api/call.js';
import { confirmSuffix } from '../../findings/confirmation-words.js';
import { GuardedForm } from '../../parts/acts/guarded-form.js';
import { Loaded } from '../../parts/data/loaded.js';
import { notifyDone } from '../../parts/notify.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { useSampleUsers } from '../../preview/contexts/sample-users.js';
import { AddToRelease } from '../../releases/add/add-to-release.js';
import { usePublishReason } from '../../session/edit-rights.js';
import { PlanEffect, Reaches } from '../plan-effect.js';
import {
  fetchSegmentRevision,
  planSegment,
  type SavedSegment,
  segmentKeys,
} from '../segment-api.js';
import { ConditionTexts } from './condition-diff.js';
import { describeRollback } from './describe-rollback.js';

export interface SegmentRollbackProps {
  readonly env: string;
  readonly name: string;
  /** Null: the segment is deleted. */
  readonly current: SavedSegment | null;
  readonly target: SegmentRevisionSummary;
  readonly newest: number;
  readonly isDirty: boolean;
  readonly onClose: () => void;
}

export function SegmentRollback(props: SegmentRollbackProps) {
  const { env, name, current, target, newest, isDirty, onClose } = props;
  const { revision: old } = target;
  const publishReason = usePublishReason(env);
  const [isAdding, setIsAdding] = useState(false);
  const queries = useQueryClient();
  const isNarrow = useIsNarrow();
  const users = useSampleUsers(env);
  const contexts = (users.data ?? []).map(({ context }) => context);
  const plan = useQuery({
    queryKey: [
      ...segmentKeys.history(env, name),
      ...['rollback-plan', old, current?.updatedAt ?? null, contexts.join('\n')],
    ],
    queryFn: async ({ signal }) => {
      const { when } = await fetchSegmentRevision(env, name, old, signal);
      return { when, plan: await planSegment(env, name, { when }, contexts) };
    },
    enabled: !users.isPending,
    // What it reaches may have changed since the dialog was last open.
    staleTime: 0,
    gcTime: 0,
  });
  const rollback = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/segments/:name/rollback', {
        params: { env, name },
        body: { revision: old, confirm: plan.data?.plan.confirmation?.digest },
      }),
    onSuccess: async ({ revision, reaches }) => {
      await queries.invalidateQueries({ queryKey: ['environments', env] });
      notifyDone(describeRollback({ name, old, revision, reaches }));
      onClose();
    },
  });
  const isSame = plan.data?.plan.changed === false;
  const reachesLive = !isSame && (plan.data?.plan.reaches.length ?? 0) > 0;
  const mayRollBack = !isDirty && plan.data !== undefined && !isSame;
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    if (mayRollBack) rollback.mutate();
  };
  if (isAdding || publishReason !== null) {
    const changes = async () => [{ kind: 'segment', name, revision: old } as const];
    return <AddToRelease {...{ env, changes, onClose }} what={`segment ${name} r${old}`} />;
  }
  return (
    <GuardedForm
      {...{ env, act: 'segment.rollback', isFelt: reachesLive }}
      form={{ submit, isPending: rollback.isPending, error: rollback.error }}
      onClose={onClose}
      title={`Roll ${name} back to r${old}?`}
      size="60rem"
      fullScreen={isNarrow}
      confirm="Roll back to this revision"
      confirmSuffix={confirmSuffix(plan.data?.plan.confirmation ?? null)}
      focusName="appearing"
      isDisabled={!mayRollBack}
      focus="confirm"
    >
      {!isSame && (
        <Text size="sm">
          The condition of r{old} is saved again, as r{newest + 1}.{' '}
          {current === null
            ? 'This restores the deleted segment, without its description.'
            : 'Content that uses the segment is live with it at once. The history keeps every revision.'}
        </Text>
      )}
      {isDirty && (
        <Text size="sm" fw={600}>
          Save or discard your changes first.
        </Text>
      )}
      <Loaded query={plan} label="Loading what it reaches" rowHeight={120}>
        {(planned) =>
          isSame ? (
            <>
              <Reaches ids={planned.plan.reaches} />
              <Text size="sm" role="status">
                This condition is already in use: there is nothing to roll back.
              </Text>
            </>
          ) : (
            <>
              <PlanEffect plan={planned.plan} users={users.data ?? []} />
              {current !== null && (
                <ConditionTexts
                  before={current.when}
                  after={planned.when}
                  beforeLabel={`r${current.revision}, in use`}
                  afterLabel={`r${old}`}
                />
              )}
            </>
          )
        }
      </Loaded>
      <Anchor component="button" type="button" size="sm" onClick={() => setIsAdding(true)}>
        Use a release instead
      </Anchor>
    </GuardedForm>
  );
}
