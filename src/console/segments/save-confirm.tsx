/** Before a change of a segment goes to players: which contents it reaches, and whom of the sample users it moves. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useGuard } from '../parts/guard.js';
import { useTypedName } from '../parts/typed-name.js';
import { PlanEffect, Reaches } from './plan-effect.js';
import { noteCharsMax } from './segment-api.js';
import { WarningList } from './segment-warnings.js';
import type { PendingSave, SegmentSaving } from './use-save-segment.js';

export interface SaveConfirmProps {
  readonly env: string;
  readonly name: string;
  readonly saving: SegmentSaving;
  readonly note: string;
  readonly onNote: (note: string) => void;
}

export function SaveConfirm(props: SaveConfirmProps) {
  const { name, saving } = props;
  const { pending, cancel } = saving;
  return (
    <Modal opened={pending !== null} onClose={cancel} title={`Save ${name}?`} size="lg">
      {pending !== null && <Confirm {...props} pending={pending} />}
    </Modal>
  );
}

function Confirm({
  env,
  saving,
  note,
  onNote,
  pending,
}: SaveConfirmProps & { readonly pending: PendingSave }) {
  const { isSaving, cancel, confirm } = saving;
  const guard = useGuard(env);
  const { isRight, field } = useTypedName(guard.typed, { reason: `${guard.name} is protected.` });
  return (
    <Stack>
      <Text size="sm">
        Live contents use this segment. Saving changes at once who gets what, on all listeners. To
        undo it, roll back in the segment’s history.
      </Text>
      <Reaches ids={pending.plan.reaches} />
      <PlanEffect plan={pending.plan} users={pending.users} />
      <WarningList warnings={pending.plan.warnings} />
      <TextInput
        label="Note"
        description="Why; the history shows it."
        value={note}
        maxLength={noteCharsMax}
        onChange={(event) => onNote(event.currentTarget.value)}
      />
      {field}
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel} disabled={isSaving}>
          Go on editing
        </Button>
        <Button
          onClick={confirm}
          loading={isSaving}
          disabled={!isRight}
          color={guard.color}
          data-autofocus={guard.typed === null || undefined}
        >
          {guard.isProtected ? `Save and deliver to ${guard.name}` : 'Save and deliver'}
        </Button>
      </Group>
    </Stack>
  );
}
