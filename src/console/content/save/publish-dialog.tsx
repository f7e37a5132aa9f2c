/** The last look before players get it: for whom it changes what, what differs from what is live, and every open warning. */

import { Alert, Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { ApiProblem, request } from '../../api/call.js';
import { useEditing } from '../../draft/editing.js';
import { useEnvironment } from '../../parts/environments.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { Waiting } from '../../parts/waiting.js';
import { StateDiff } from '../compare/state-diff.js';
import { useLiveState } from '../compare/use-live-state.js';
import styles from '../content.module.css';
import { OpenWarnings } from './open-warnings.js';
import { usePublishCheck } from './publish-check.js';
import { useSaveState } from './save-state.js';
import { toldOf } from './told-of.js';

const EditEffect = lazy(async () => ({
  default: (await import('../../preview/edit-effect.js')).EditEffect,
}));

export interface PublishDialogProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onClose: () => void;
  readonly onConflict: () => void;
  readonly onPublished: () => void;
}

export function PublishDialog(props: PublishDialogProps) {
  const { note, onNote, onClose, onConflict, onPublished } = props;
  const { saved, state, isDirty, save, saveError, isSaving, theirs, verdict } = useEditing();
  const { env, id, newest } = saved;
  const { live, error: liveError, retry } = useLiveState();
  const check = usePublishCheck(saved, state, live, isDirty ? verdict : null);
  const { publishReason } = useSaveState();
  const environment = useEnvironment(env);
  const guard = useGuard(env);
  const isNarrow = useIsNarrow();
  const queries = useQueryClient();
  const done = ({ live: number, sequence }: { live: number | null; sequence: number }): void => {
    notifyDone(`Revision ${number} is live on all listeners, sequence ${sequence}.`);
    onPublished();
  };
  const publishing = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/contents/:id/publish', {
        params: { env, id },
        body: { revision: newest },
      }),
    onSuccess: done,
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', env] }),
  });
  const publish = (): void => {
    if (publishReason !== null || publishing.isPending) return;
    if (!isDirty) publishing.mutate();
    else void save({ publish: true, note }).then((answer) => answer !== null && done(answer));
  };
  useHotkeys([['mod+Enter', publish]], [], true);
  const error = isDirty ? saveError : publishing.error;
  const told = error === null ? null : toldOf(error);
  const isConflict = error instanceof ApiProblem && error.code === 'revision_conflict';
  useEffect(() => {
    if (isConflict && theirs !== null) onConflict();
  }, [isConflict, theirs, onConflict]);
  const what = isDirty ? 'what you typed' : `draft r${newest}`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={guard.isProtected ? `Publish ${what} to ${guard.name}` : `Publish ${what}`}
      size="70rem"
      fullScreen={isNarrow}
    >
      <Stack>
        <Text size="sm">
          {saved.live === null
            ? `Players of ${environment?.name || env} get ${id} for the first time.`
            : `Players of ${environment?.name || env} get it at once, instead of r${saved.live}. You can roll back with one click.`}
        </Text>
        {environment?.protected === true && (
          <Alert color="orange" p="xs">
            {environment.name || env} is protected: real players are there.
          </Alert>
        )}
        <section aria-labelledby="publish-effect">
          <Title order={3} size="h5" mb="xs" id="publish-effect">
            Who gets something different
          </Title>
          <Suspense fallback={<Waiting label="Loading" height={60} />}>
            <EditEffect saved={saved} state={state} revision={isDirty ? null : newest} />
          </Suspense>
        </section>
        <section>
          <Title order={3} size="h5" mb="xs">
            What changes
          </Title>
          {liveError !== null && <ProblemAlert error={liveError} onRetry={retry} />}
          {saved.live !== null && live === null && liveError === null && (
            <Waiting label="Loading what is live" height={120} />
          )}
          {saved.live === null && (
            <Text size="sm" c="dimmed">
              Everything is new: nothing of it is live yet.
            </Text>
          )}
          {live !== null && (
            <StateDiff
              before={live}
              after={state}
              beforeLabel={`Live r${saved.live}`}
              afterLabel={isDirty ? 'As typed' : `Draft r${newest}`}
              same="The texts and the mapping are what is live already."
            />
          )}
        </section>
        {isDirty && (
          <TextInput
            label="Note"
            placeholder="Why? (kept in the history)"
            value={note}
            onChange={(event) => onNote(event.currentTarget.value)}
            maxLength={2_000}
            data-autofocus
          />
        )}
        {told !== null && <ProblemAlert title={told.title} error={told.error} />}
        <Stack gap="xs" className={styles['foot'] ?? ''}>
          {liveError === null && <OpenWarnings {...check} lines={state.lines.length} />}
          <Group justify="flex-end">
            {publishReason !== null && !isSaving && (
              <Text size="sm" c="dimmed" role="status">
                {publishReason}
              </Text>
            )}
            <Button variant="default" onClick={onClose}>
              Not yet
            </Button>
            <Button
              onClick={publish}
              color={guard.color}
              loading={isSaving || publishing.isPending}
              disabled={publishReason !== null && !isSaving}
              data-autofocus={!isDirty || undefined}
            >
              {guard.isProtected ? `Publish to ${guard.name}` : 'Publish'}
            </Button>
          </Group>
        </Stack>
      </Stack>
    </Modal>
  );
}
