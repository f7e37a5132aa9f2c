/** The last look before a sync: a dry run of just what was chosen, whose plan the sync then carries out or is refused. */
import { Alert, Button, Group, List, Loader, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Environment } from '../../contract/operations/environments.js';
import type { SyncReport } from '../../contract/operations/sync.js';
import { ApiProblem, request } from '../api/call.js';
import { Dialog } from '../parts/dialog.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { useTypedName } from '../parts/typed-name.js';
import { movedSince } from './sync-items.js';

export interface SyncReviewProps {
  readonly source: Environment;
  readonly target: Environment;
  /** What was on the screen when it was chosen. */
  readonly looked: SyncReport;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  /** Something changed meanwhile: the list behind is to be made anew. */
  readonly onStale: () => void;
  readonly onDone: (report: SyncReport) => void;
}

const namesMax = 8;

export function SyncReview(props: SyncReviewProps) {
  const { source, target, ids, onClose, onStale, onDone } = props;
  // What was looked at and chosen stays what it was while the list behind is made anew.
  const [looked] = useState(props.looked);
  const [wished] = useState(ids);
  const [isStale, setIsStale] = useState(false);
  const opening = useId();
  const review = useQuery({
    queryKey: ['sync-review', opening],
    queryFn: () =>
      request('POST /environments/:env/sync', {
        params: { env: target.id },
        body: { from: source.id, ids: [...wished], dryRun: true },
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const sync = useMutation({
    mutationFn: (plan: string) =>
      request('POST /environments/:env/sync', {
        params: { env: target.id },
        body: { from: source.id, ids: [...wished], plan },
      }),
    onSuccess: onDone,
    onError: (error) => {
      if (!(error instanceof ApiProblem) || error.code !== 'plan_stale') return;
      setIsStale(true);
      onStale();
      void review.refetch();
    },
  });
  const isRunning = sync.isPending;
  const report = review.isFetching ? undefined : review.data;
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={`Sync ${source.name} into ${target.name}`}
      withCloseButton={!isRunning}
      closeOnEscape={!isRunning}
      closeOnClickOutside={false}
    >
      <Stack>
        {isStale && (
          <Alert
            color="orange"
            variant="light"
            styles={{ title: { color: 'var(--mantine-color-text)' } }}
            icon={<IconRefresh aria-hidden />}
            title="Something changed since you looked"
            role="alert"
          >
            Nothing was brought. It was compared again, with the same contents chosen: look at what
            would be done now, and confirm once more.
          </Alert>
        )}
        {report === undefined && review.error === null && (
          <Group gap="sm" role="status">
            <Loader size="sm" aria-hidden />
            <Text size="sm">Comparing what you chose once more…</Text>
          </Group>
        )}
        {review.error !== null && !review.isFetching && (
          <ProblemAlert error={review.error} onRetry={() => void review.refetch()} />
        )}
        {report !== undefined && (
          <>
            <WhatIsDone
              source={source}
              target={target}
              report={report}
              moved={movedSince(looked, report)}
            />
            {isRunning && <Running target={target} report={report} />}
            {sync.error !== null && !isPlanStale(sync.error) && !isRunning && (
              <ProblemAlert error={sync.error} />
            )}
            <Confirm
              target={target}
              report={report}
              isRunning={isRunning}
              onClose={onClose}
              onConfirm={() => {
                setIsStale(false);
                sync.mutate(report.plan);
              }}
            />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

interface WhatIsDoneProps {
  readonly source: Environment;
  readonly target: Environment;
  readonly report: SyncReport;
  readonly moved: readonly string[];
}

function WhatIsDone({ source, target, report, moved }: WhatIsDoneProps) {
  const { added, changed, segments } = report;
  const conflicts = [
    ...changed.filter(({ conflict }) => conflict).map(({ id }) => id),
    ...segments.filter(({ conflict }) => conflict).map(({ name }) => `segment ${name}`),
  ];
  if (added.length + changed.length === 0) {
    return (
      <Text size="sm">
        Nothing of what you chose differs any more: there is nothing to do. Close this, and compare
        again.
      </Text>
    );
  }
  return (
    <>
      <List size="sm" spacing={4}>
        {added.length > 0 && (
          <List.Item>
            <strong>{added.length} added:</strong> {named(added.map(({ id }) => id))}
          </List.Item>
        )}
        {changed.length > 0 && (
          <List.Item>
            <strong>{changed.length} changed:</strong> {named(changed.map(({ id }) => id))}
          </List.Item>
        )}
        {segments.length > 0 && (
          <List.Item>
            <strong>
              {segments.length === 1 ? '1 saved segment' : `${segments.length} saved segments`}{' '}
              along:
            </strong>{' '}
            {named(segments.map(({ name, change }) => `${name} (${change})`))}
          </List.Item>
        )}
      </List>
      {conflicts.length > 0 && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          Edits made in {target.name} are covered: {named(conflicts)}. The contents among them can
          be rolled back from their history.
        </Alert>
      )}
      {moved.length > 0 && (
        <Alert color="orange" variant="light" icon={<IconRefresh aria-hidden />}>
          Not as you saw it in the list, since somebody saved meanwhile: {named(moved)}. Cancel, and
          compare again, to see the differences.
        </Alert>
      )}
      <Text size="sm">
        Players of {target.name} get it at once, all of it in one step. {source.name} stays as it
        is.
      </Text>
    </>
  );
}

interface ConfirmProps {
  readonly target: Environment;
  readonly report: SyncReport;
  readonly isRunning: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function Confirm({ target, report, isRunning, onClose, onConfirm }: ConfirmProps) {
  const count = report.added.length + report.changed.length;
  const { isRight, field } = useTypedName(target.protected && count > 0 ? target.id : null, {
    reason: `${target.name} is protected.`,
    isDisabled: isRunning,
    focus: 'appearing',
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRight && count > 0 && !isRunning) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {field}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isRunning}>
            {count === 0 ? 'Close' : 'Cancel'}
          </Button>
          {count > 0 && (
            <Button
              type="submit"
              color={target.protected ? 'guard' : undefined}
              disabled={!isRight}
              loading={isRunning}
            >
              {count === 1 ? 'Sync 1 content' : `Sync ${count} contents`}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Running({
  target,
  report,
}: {
  readonly target: Environment;
  readonly report: SyncReport;
}) {
  const count = report.added.length + report.changed.length;
  return (
    <Stack gap={4} role="status">
      <Progress value={100} animated aria-label="Syncing" />
      <Text size="sm">
        Bringing {count === 1 ? '1 content' : `${count} contents`} into {target.name}. It is all or
        nothing; of thousands it takes some seconds.
      </Text>
    </Stack>
  );
}

function isPlanStale(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'plan_stale';
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ');
  const rest = names.length - namesMax;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
