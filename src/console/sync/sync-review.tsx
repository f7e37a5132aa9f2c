/** The confirmation of a sync: a dry run of what was chosen. The sync carries out the plan of that, or is rejected. */
import { Alert, Button, Group, List, Loader, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { SyncedContent, SyncReport } from '../../contract/operations/sync.js';
import { ApiProblem } from '../api/call.js';
import { isFinding } from '../draft/issue-place.js';
import { confirmationOf, useAskedConfirmation } from '../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../findings/confirmation-notice.js';
import { Dialog } from '../parts/dialog.js';
import { useTypedName } from '../parts/form/typed-name.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { timeAgo } from '../parts/time/when.js';
import { TitledAlert } from '../parts/titled-alert.js';
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
  const review = useQuery({
    queryKey: ['sync-review', opening],
    queryFn: () => requestSync(sides, { ids, dryRun: true }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const sync = useMutation({
    mutationFn: ({
      plan,
      confirm,
    }: {
      readonly plan: string;
      readonly confirm: string | undefined;
    }) => requestSync(sides, { ids, plan, confirm }),
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
            <Confirm
              key={report.plan}
              report={report}
              error={sync.error}
              isRunning={isRunning}
              onClose={onClose}
              onConfirm={(confirm) => {
                setIsStale(false);
                sync.mutate({ plan: report.plan, confirm });
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
  const { source, target } = useSyncSides();
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
      <Text size="sm">
        Players of {target.name} get all of it at once. {source.name} does not change.
      </Text>
    </>
  );
}

function savedBy(edited: SyncedContent['edited']): string {
  return edited === null ? '' : ` (${edited.author}, ${timeAgo(edited.at, Date.now())})`;
}

interface ConfirmProps {
  readonly report: SyncReport;
  /** Of the last sync. */
  readonly error: Error | null;
  readonly isRunning: boolean;
  readonly onClose: () => void;
  /** @param digest of the findings that are shown; undefined: there are none */
  readonly onConfirm: (digest: string | undefined) => void;
}

function Confirm({ report, error, isRunning, onClose, onConfirm }: ConfirmProps) {
  const { target } = useSyncSides();
  const count = changesOf(report).length;
  const asked = useAskedConfirmation(report.confirmation ?? null, error);
  const { confirmation, needsApproval } = asked;
  const { isRight, field } = useTypedName(target.protected && count > 0 ? target.id : null, {
    reason: `${target.name} is protected.`,
    isDisabled: isRunning,
    focus: 'appearing',
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRight && count > 0 && !isRunning && !needsApproval) onConfirm(confirmation?.digest);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {count > 0 && <ConfirmationNotice asked={asked} hasContents approvalText={inRelease} />}
        {field}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isRunning}>
            {count === 0 ? 'Close' : 'Cancel'}
          </Button>
          {count > 0 && (
            <Button
              type="submit"
              color={target.protected ? 'guard' : undefined}
              disabled={!isRight || needsApproval}
              loading={isRunning}
            >
              Sync {countOf(count, 'item')}
              {confirmation === null ? '' : ' with these values'}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const inRelease =
  'Leave these items out here: change them in the editor and add them to a release.';

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
