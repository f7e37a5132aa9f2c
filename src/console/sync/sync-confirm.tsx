/** The last step of a sync: live at once, or as a release where that is the way or the choice. */
import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { releaseTitleCharsMax } from '../../contract/limits.js';
import type { SyncReport } from '../../contract/operations/sync.js';
import { useAskedConfirmation } from '../findings/asked-confirmation.js';
import { ConfirmationNotice } from '../findings/confirmation-notice.js';
import { confirmLabel } from '../findings/confirmation-words.js';
import { useGuardedAct } from '../parts/acts/use-guarded-act.js';
import { countOf } from './sync-items.js';
import { useSyncSides } from './sync-sides.js';

export interface SyncDecision {
  /** Digest of the findings that are shown; undefined: there are none. */
  readonly confirm: string | undefined;
  /** Title of the release to make; undefined: it goes live at once. */
  readonly release: string | undefined;
}

export interface SyncConfirmProps {
  readonly report: SyncReport;
  /** Of the last sync. */
  readonly error: Error | null;
  readonly isRunning: boolean;
  /** Why it cannot go live at once; null: it can. */
  readonly publishReason: string | null;
  /** It becomes a release. */
  readonly isRelease: boolean;
  readonly onRelease: () => void;
  readonly onClose: () => void;
  readonly onConfirm: (decision: SyncDecision) => void;
}

export function SyncConfirm(props: SyncConfirmProps) {
  const { report, error, isRunning, publishReason, isRelease } = props;
  const { onRelease, onClose, onConfirm } = props;
  const { source, target } = useSyncSides();
  const count = report.added.length + report.changed.length;
  const [title, setTitle] = useState('');
  const asked = useAskedConfirmation(report.confirmation ?? null, error);
  const { confirmation, needsApproval } = asked;
  const guarded = useGuardedAct({
    ...{ env: target.id, act: 'sync', isFelt: count > 0 && !isRelease },
    ...{ isDisabled: isRunning, focus: 'appearing' },
  });
  const isReady =
    count > 0 && (isRelease ? title.trim() !== '' : guarded.isConfirmed && !needsApproval);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady || isRunning) return;
    onConfirm({
      confirm: confirmation?.digest,
      release: isRelease ? title.trim() : undefined,
    });
  };
  if (count === 0) {
    return (
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    );
  }
  const items = countOf(count, 'item');
  const sync = confirmLabel(guarded.confirm(`Sync ${items}`), confirmation);
  return (
    <form onSubmit={submit}>
      <Stack>
        <ConfirmationNotice asked={asked} hasContents approvalText={inRelease} />
        {publishReason !== null && (
          <Text size="sm">{publishReason} Nothing is delivered before it starts.</Text>
        )}
        {isRelease ? (
          <TextInput
            label="Title of the release"
            description="What it is for, in a few words."
            placeholder={`From ${source.name}`}
            required
            autoFocus
            maxLength={releaseTitleCharsMax}
            autoComplete="off"
            value={title}
            disabled={isRunning}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
        ) : (
          <Text size="sm">
            Players of {target.name} get all of it at once; {source.name} does not change. A sync
            has no note.{' '}
            <Anchor component="button" type="button" size="sm" onClick={onRelease}>
              Make a release of it
            </Anchor>{' '}
            to give a reason, to have it reviewed, or to take it back in one step.
          </Text>
        )}
        {guarded.notice}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isRunning}>
            Cancel
          </Button>
          <Button type="submit" color={guarded.color} disabled={!isReady} loading={isRunning}>
            {isRelease ? `Make a release of ${items}` : sync}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const inRelease = 'Make a release of them; a second person approves it there.';
