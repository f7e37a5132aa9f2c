/** The confirmation of a sync: a dry run of what was chosen. The sync carries out the plan of that, or is rejected. */
import { Alert, Group, List, Loader, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SyncedContent, SyncReport } from '../../contract/operations/sync.js';
import { ApiProblem } from '../api/call.js';
import { isFinding } from '../draft/issue-place.js';
import { confirmationOf } from '../findings/asked-confirmation.js';
import { IconAlertTriangle, IconRefresh } from '../icons/icons.js';
import { Dialog } from '../parts/dialog.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { TitledAlert } from '../parts/titled-alert.js';
import { usePublishReason } from '../session/edit-rights.js';
import { ReviewDifferences } from './review-differences.js';
import { SyncConfirm, type SyncDecision } from './sync-confirm.js';
import { countOf, movedSince } from './sync-items.js';
import { requestSync, useSyncSides } from './sync-sides.js';

export interface SyncReviewProps {
  /** What was on the screen during the choice. */
  readonly looked: SyncReport;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  /** Something changed meanwhile: the list behind must be compared again. */
  readonly onStale: () => void;
  readonly onDone: (report: SyncReport) => void;
}

const namesMax = 8;

export function SyncReview(props: SyncReviewProps) {
  const { onClose, onStale, onDone } = props;
  const sides = useSyncSides();
  // What was seen and chosen stays as it was while the list behind is compared again.
  const [{ looked, ids }] = useState(props);
  const [isStale, setIsStale] = useState(false);
  const opening = useId();
  const publishReason = usePublishReason(sides.target.id);
  const [isAsked, setIsAsked] = useState(false);
  const isRelease = isAsked || publishReason !== null;
  const review = useQuery({
    queryKey: ['sync-review', opening, isRelease],
    // A release has another plan and other warnings; its title comes later.
    queryFn: () =>
      requestSync(sides, {
        ...{ ids, dryRun: true },
        ...(isRelease && { release: sides.source.name }),
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const sync = useMutation({
    mutationFn: ({ plan, ...decision }: SyncDecision & { readonly plan: string }) =>
      requestSync(sides, { ids, plan, ...decision }),
    onSuccess: onDone,
    onError: (error) => {
      if (!isPlanStale(error)) return;
      sync.reset();
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
      title={`Sync ${sides.source.name} into ${sides.target.name}`}
      withCloseButton={!isRunning}
      closeOnEscape={!isRunning}
      closeOnClickOutside={false}
    >
      <Stack>
        {isStale && (
          <TitledAlert
            color="orange"
            icon={<IconRefresh aria-hidden />}
            title="Something changed meanwhile"
            role="alert"
          >
            Nothing was synced. Your choice was compared again: check the result and confirm once
            more.
          </TitledAlert>
        )}
        {report === undefined && review.error === null && (
          <Group gap="sm" role="status">
            <Loader size="sm" aria-hidden />
            <Text size="sm">Comparing your choice once more…</Text>
          </Group>
        )}
        {review.error !== null && !review.isFetching && (
          <ProblemAlert error={review.error} onRetry={() => void review.refetch()} />
        )}
        {report !== undefined && (
          <>
            <Effect report={report} moved={movedSince(looked, report)} />
            {isRunning && <Running count={countOf(changesOf(report).length, 'item')} />}
            {sync.error !== null && confirmationOf(sync.error) === null && !isRunning && (
              <ProblemAlert error={sync.error} />
            )}
            <SyncConfirm
              key={report.plan}
              report={report}
              error={sync.error}
              isRunning={isRunning}
              publishReason={publishReason}
              isRelease={isRelease}
              onRelease={() => setIsAsked(true)}
              onClose={onClose}
              onConfirm={(decision) => {
                setIsStale(false);
                sync.mutate({ plan: report.plan, ...decision });
              }}
            />
          </>
        )}
      </Stack>
    </Dialog>
  );
}

function changesOf({ added, changed }: SyncReport) {
  return [...added, ...changed];
}

interface EffectProps {
  readonly report: SyncReport;
  readonly moved: readonly string[];
}

function Effect({ report, moved }: EffectProps) {
  const { target } = useSyncSides();
  const { added, changed, segments, confirmation } = report;
  // What has to be confirmed is listed above the button.
  const warnings = report.warnings.filter((issue) => !confirmation || !isFinding(issue));
  const conflicts = [
    ...changed.map((content) => ({ ...content, name: content.id })),
    ...segments.map((segment) => ({ ...segment, name: `segment ${segment.name}` })),
  ].filter(({ conflict }) => conflict);
  if (added.length + changed.length === 0) {
    return <Text size="sm">No differences are left. Close this and compare again.</Text>;
  }
  const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
    [`${added.length} added:`, added.map(({ id }) => id)],
    [`${changed.length} changed:`, changed.map(({ id }) => id)],
    [
      `${countOf(segments.length, 'segment')} included:`,
      segments.map(({ name, change }) => `${name} (${change})`),
    ],
  ];
  return (
    <>
      <List size="sm" spacing={4}>
        {groups.map(
          ([title, names]) =>
            names.length > 0 && (
              <List.Item key={title}>
                <strong>{title}</strong> {named(names)}
              </List.Item>
            ),
        )}
      </List>
      <ReviewDifferences changes={[...added, ...changed]} />
      {conflicts.length > 0 && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          This overwrites edits made in {target.name}:{' '}
          {named(conflicts.map(({ name, edited }) => `${name}${savedBy(edited)}`))}. The history
          keeps them.
        </Alert>
      )}
      {warnings.map(({ message }) => (
        <Alert
          key={message}
          color="orange"
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
        >
          Warning: {message}
        </Alert>
      ))}
      {moved.length > 0 && (
        <Alert color="orange" variant="light" icon={<IconRefresh aria-hidden />}>
          Saved since you compared: {named(moved)}. To see the differences, cancel and compare
          again.
        </Alert>
      )}
    </>
  );
}

function savedBy(edited: SyncedContent['edited']): string {
  return edited === null ? '' : ` (${edited.author}, ${timeAgo(edited.at, Date.now())})`;
}

function Running({ count }: { readonly count: string }) {
  return (
    <Stack gap={4} role="status">
      <Progress value={100} animated aria-label="Syncing" />
      <Text size="sm">Syncing {count}, all or nothing. Thousands of items take some seconds.</Text>
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
