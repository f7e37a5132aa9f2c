/** Confirms the move of a window, and saves it: as a draft, live at once, or in a release. */
import { Alert, Button, Group, List, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CalendarWindow } from '../../contract/operations/calendar.js';
import { ApiProblem } from '../api/call.js';
import { NoteInput } from '../content/save/save-bar.js';
import { fetchContent } from '../draft/content-query.js';
import type { ContentState, SavedContent } from '../draft/draft.js';
import { saveContent } from '../draft/put-edit.js';
import { confirmationOf, useAskedConfirmation } from '../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../findings/confirmation-notice.js';
import { confirmLabel } from '../findings/confirmation-words.js';
import { useGuardedAct } from '../parts/acts/use-guarded-act.js';
import { Dialog } from '../parts/dialog.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { AddToRelease } from '../releases/add/add-to-release.js';
import { usePublishReason, useReadOnlyReason } from '../session/edit-rights.js';
import { describeShift } from './describe-entry.js';
import { prepareMove } from './prepare-move.js';

export interface MoveDialogProps {
  readonly env: string;
  readonly entry: CalendarWindow;
  readonly deltaMs: number;
  readonly onClose: () => void;
}

export function MoveDialog({ env, entry, deltaMs, onClose }: MoveDialogProps) {
  const content = useQuery({
    queryKey: ['to-move', env, entry.content, entry.revision],
    queryFn: ({ signal }) => fetchContent(env, entry.content, signal),
    // What is saved now counts. While the dialog is open, it stays what was looked at: saves do not reload it.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const queries = useQueryClient();
  const readOnlyReason = useReadOnlyReason();
  const [now] = useState(Date.now);
  const title = `Move ${entry.segment}: ${describeShift(deltaMs)}`;
  if (content.data === undefined || readOnlyReason !== null) {
    return (
      <Dialog title={title} onClose={onClose}>
        {readOnlyReason !== null ? (
          <Text size="sm">{readOnlyReason}</Text>
        ) : content.error !== null ? (
          <ProblemAlert error={content.error} onRetry={() => void content.refetch()} />
        ) : (
          <Loader role="status" aria-label="Loading the content item" />
        )}
      </Dialog>
    );
  }
  const move = prepareMove(content.data, entry, deltaMs, now);
  if (!move.ok) {
    const close = (): void => {
      // It may be the calendar that is behind.
      void queries.invalidateQueries({ queryKey: ['environments', env] });
      onClose();
    };
    return (
      <Dialog title={title} onClose={close}>
        <Alert color="yellow" variant="light" role="status">
          {move.reason}
        </Alert>
      </Dialog>
    );
  }
  return <Confirm {...{ env, title, move, onClose }} saved={content.data} />;
}

interface ConfirmProps {
  readonly env: string;
  readonly title: string;
  readonly saved: SavedContent;
  readonly move: {
    readonly state: ContentState;
    readonly before: readonly string[];
    readonly after: readonly string[];
  };
  readonly onClose: () => void;
}

function Confirm({ env, title, saved, move, onClose }: ConfirmProps) {
  const [note, setNote] = useState('');
  const [isForRelease, setForRelease] = useState(false);
  const publishReason = usePublishReason(env);
  const saving = useSave(saved, move.state, note, onClose);
  const asked = useAskedConfirmation(undefined, saving.error);
  const directReason =
    publishReason ?? (asked.needsApproval ? 'A second person has to approve it.' : null);
  const guarded = useGuardedAct({ env, act: 'content.publish', isFelt: directReason === null });
  const { id, newest, live } = saved;
  if (isForRelease) {
    const changes = async () => {
      const draft = await saveContent({ saved, state: move.state, note, publish: false });
      return [{ kind: 'content', id, revision: draft.revision }] as const;
    };
    return (
      <AddToRelease env={env} what={id} changes={changes} onClose={onClose}>
        <NoteInput label="Note" note={note} onNote={setNote} />
      </AddToRelease>
    );
  }
  const isConflict =
    saving.error instanceof ApiProblem && saving.error.code === 'revision_conflict';
  return (
    <Dialog title={title} onClose={onClose} size="xl">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Times title="From" times={move.before} />
          <Times title="To" times={move.after} />
        </SimpleGrid>
        {newest !== live && (
          <Text size="sm">
            This is draft r{newest} of {id}: publishing makes all of its changes live.
          </Text>
        )}
        <NoteInput label="Note" note={note} onNote={setNote} data-autofocus />
        {isConflict && (
          <Alert color="yellow" variant="light" role="alert" title="Another user saved it">
            {id} has a newer revision than r{newest}. Nothing was saved, and the calendar shows what
            is saved now. Move the window again.
          </Alert>
        )}
        {saving.error !== null && !isConflict && confirmationOf(saving.error) === null && (
          <ProblemAlert error={saving.error} />
        )}
        <ConfirmationNotice
          asked={asked}
          approvalText="Add the move to a release; a second person approves it there."
        />
        {guarded.notice}
        <Group justify="flex-end">
          {directReason !== null && (
            <Text size="sm" c="dimmed">
              {directReason}
            </Text>
          )}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="default"
            onClick={() => saving.mutate({ publish: false })}
            disabled={isConflict || saving.isPending}
          >
            Save draft
          </Button>
          <Button
            variant={directReason === null ? 'default' : 'filled'}
            onClick={() => setForRelease(true)}
            disabled={isConflict || saving.isPending}
          >
            Add to release…
          </Button>
          {directReason === null && (
            <Button
              color={guarded.color}
              onClick={() => saving.mutate({ publish: true, confirm: asked.confirmation?.digest })}
              disabled={isConflict}
              loading={saving.isPending}
            >
              {confirmLabel(guarded.confirm('Publish'), asked.confirmation)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function useSave(saved: SavedContent, state: ContentState, note: string, onSaved: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (how: { readonly publish: boolean; readonly confirm?: string | undefined }) =>
      saveContent({ saved, state, note, ...how }),
    onSuccess: ({ revision }, { publish }) => {
      notifyDone(
        publish
          ? `Moved. Revision ${revision} of ${saved.id} is live for all players.`
          : `Moved in draft r${revision} of ${saved.id}.`,
      );
      onSaved();
    },
    // After a conflict the calendar shows what the other person saved.
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', saved.env] }),
  });
}

function Times({ title, times }: { readonly title: string; readonly times: readonly string[] }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {times.map((time) => (
          <List.Item key={time}>{time}</List.Item>
        ))}
      </List>
    </div>
  );
}
