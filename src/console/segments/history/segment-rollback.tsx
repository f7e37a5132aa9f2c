/** Asks before an old condition of a segment is saved again: which contents that reaches, and what it changes. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SegmentRevisionSummary } from '../../../contract/operations/segment-history.js';
import { request } from '../../api/call.js';
import { Dialog } from '../../parts/dialog.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useTypedName } from '../../parts/typed-name.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';
import { useSampleUsers } from '../../preview/contexts/sample-users.js';
import { PlanEffect, Reaches } from '../plan-effect.js';
import {
  fetchSegmentRevision,
  planSegment,
  type SavedSegment,
  segmentKeys,
} from '../segment-api.js';
import { WarningList } from '../segment-warnings.js';
import { ConditionTexts } from './condition-diff.js';
import { rolledBackWords } from './rolled-back-words.js';

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
  const { revision: number } = target;
  const queries = useQueryClient();
  const isNarrow = useIsNarrow();
  const users = useSampleUsers(env);
  const contexts = (users.data ?? []).map(({ context }) => context);
  const plan = useQuery({
    queryKey: [
      ...segmentKeys.history(env, name),
      ...['rollback-plan', number, current?.updatedAt ?? null, contexts.join('\n')],
    ],
    queryFn: async ({ signal }) => {
      const { when } = await fetchSegmentRevision(env, name, number, signal);
      return { when, plan: await planSegment(env, name, { when }, contexts) };
    },
    enabled: !users.isPending,
    // What it reaches may have changed since it was last looked at.
    staleTime: 0,
    gcTime: 0,
  });
  const going = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/segments/:name/rollback', {
        params: { env, name },
        body: { revision: number },
      }),
    onSuccess: async ({ revision, reaches, sequence }) => {
      await queries.invalidateQueries({ queryKey: ['environments', env] });
      notifyDone(rolledBackWords({ name, old: number, revision, reaches, sequence }));
      onClose();
    },
  });
  const isSame = plan.data?.plan.changed === false;
  const guard = useGuard(env);
  const reachesLive = !isSame && (plan.data?.plan.reaches.length ?? 0) > 0;
  const { isRight, field } = useTypedName(reachesLive ? guard.typed : null, {
    reason: `${guard.name} is protected.`,
    focus: 'appearing',
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Roll ${name} back to r${number}?`}
      size="60rem"
      fullScreen={isNarrow}
    >
      <Stack>
        {!isSame && (
          <Text size="sm">
            The condition of r{number} is saved again, as r{newest + 1}.{' '}
            {current === null
              ? 'That brings the deleted segment back, without its description.'
              : 'Contents that use the segment are delivered with it at once, on all listeners. Nothing is lost: every revision stays in the history.'}
          </Text>
        )}
        {isDirty && (
          <Text size="sm" fw={600}>
            Save or discard what you typed first.
          </Text>
        )}
        {plan.error !== null && (
          <ProblemAlert error={plan.error} onRetry={() => void plan.refetch()} />
        )}
        {plan.data === undefined && plan.error === null && (
          <Waiting label="Looking what it reaches" height={120} />
        )}
        {plan.data !== undefined && (
          <>
            <Reaches ids={plan.data.plan.reaches} />
            {isSame ? (
              <Text size="sm" role="status">
                It is the condition that is in use already: there is nothing to roll back.
              </Text>
            ) : (
              <>
                <PlanEffect plan={plan.data.plan} users={users.data ?? []} />
                <WarningList warnings={plan.data.plan.warnings} />
                {current !== null && (
                  <ConditionTexts
                    before={current.when}
                    after={plan.data.when}
                    beforeLabel={`r${current.revision}, in use`}
                    afterLabel={`r${number}`}
                  />
                )}
              </>
            )}
          </>
        )}
        {going.error !== null && (
          <ProblemAlert title="It was not rolled back" error={going.error} />
        )}
        {field}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            data-autofocus
            color={guard.color}
            loading={going.isPending}
            disabled={isDirty || plan.data === undefined || isSame || !isRight}
            onClick={() => going.mutate()}
          >
            {guard.isProtected
              ? `Roll back to this revision in ${guard.name}`
              : 'Roll back to this revision'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
