/** Asks before an older revision, or a draft that was saved earlier, becomes what players get, and says for whom that changes what. */

import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import type { RevisionSummary } from '../../../contract/operations/content-history.js';
import { request } from '../../api/call.js';
import { useRevision } from '../../draft/content-query.js';
import { useEditing } from '../../draft/editing.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';
import { StateDiff } from '../compare/state-diff.js';
import { useLiveState } from '../compare/use-live-state.js';
import styles from '../content.module.css';
import { OpenWarnings } from '../save/open-warnings.js';
import { usePublishCheck } from '../save/publish-check.js';

const EditEffect = lazy(async () => ({
  default: (await import('../../preview/edit-effect.js')).EditEffect,
}));

export interface RollbackDialogProps {
  readonly target: RevisionSummary;
  readonly onClose: () => void;
}

export function RollbackDialog({ target, onClose }: RollbackDialogProps) {
  const { saved, isDirty } = useEditing();
  const { env, id, live: liveNumber } = saved;
  const { revision: number } = target;
  const isDraft = liveNumber === null || number > liveNumber;
  const queries = useQueryClient();
  const isNarrow = useIsNarrow();
  const guard = useGuard(env);
  const { live, error: liveError, retry } = useLiveState();
  const revision = useRevision(env, id, number);
  const after = useMemo(
    () =>
      revision.data === undefined
        ? null
        : { ...saved, lines: revision.data.lines, mapping: revision.data.mapping },
    [revision.data, saved],
  );
  const check = usePublishCheck(saved, after, live, null);
  const going = useMutation({
    mutationFn: () =>
      isDraft
        ? request('POST /environments/:env/contents/:id/publish', {
            params: { env, id },
            body: { revision: number },
          })
        : request('POST /environments/:env/contents/:id/rollback', {
            params: { env, id },
            body: { revision: number },
          }),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: ['environments', env] });
      notifyDone(
        isDraft
          ? `Revision ${answer.live} is live on all listeners, sequence ${answer.sequence}.`
          : `Rolled back: revision ${answer.live} is the same as r${number} and live on all listeners, sequence ${answer.sequence}.`,
      );
      onClose();
    },
  });
  const hasDraft = liveNumber !== null && saved.newest > liveNumber;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isDraft ? `Publish r${number}` : `Roll back to r${number}`}
      size="70rem"
      fullScreen={isNarrow}
    >
      <Stack>
        <Text size="sm">
          {isDraft
            ? 'Players get this revision at once.'
            : `Players get r${number} again at once, under the new number r${saved.newest + 1}. Nothing is lost: every revision stays in the history${hasDraft ? ', the draft too' : ''}.`}
        </Text>
        {isDirty && (
          <Text size="sm" fw={600}>
            Save or discard what you typed first: it builds on r{saved.newest}.
          </Text>
        )}
        <section aria-labelledby="rollback-effect">
          <Title order={3} size="h5" mb="xs" id="rollback-effect">
            Who gets something different
          </Title>
          <Suspense fallback={<Waiting label="Loading" height={60} />}>
            <EditEffect saved={saved} state={saved} revision={number} />
          </Suspense>
        </section>
        {revision.error !== null && (
          <ProblemAlert error={revision.error} onRetry={() => void revision.refetch()} />
        )}
        {after === null && revision.error === null && (
          <Waiting label="Loading the revision" height={120} />
        )}
        {after !== null && live !== null && (
          <StateDiff
            before={live}
            after={after}
            beforeLabel={`Live r${liveNumber}`}
            afterLabel={`r${number}`}
            same="Its texts and its mapping are what is live already."
          />
        )}
        {liveError !== null && <ProblemAlert error={liveError} onRetry={retry} />}
        {going.error !== null && (
          <ProblemAlert
            title={isDraft ? 'It was not published' : 'It was not rolled back'}
            error={going.error}
          />
        )}
        <Stack gap="xs" className={styles['foot'] ?? ''}>
          {revision.error === null && liveError === null && (
            <OpenWarnings {...check} lines={after?.lines.length ?? 1} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              data-autofocus
              color={guard.color}
              loading={going.isPending}
              disabled={isDirty}
              onClick={() => going.mutate()}
            >
              {isDraft ? 'Publish' : 'Roll back'}
              {guard.isProtected && (isDraft ? ` to ${guard.name}` : ` in ${guard.name}`)}
            </Button>
          </Group>
        </Stack>
      </Stack>
    </Modal>
  );
}
