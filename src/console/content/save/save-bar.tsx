/** The bar at the end of the page: the state of the draft, the note, saving and publishing. */
import {
  Button,
  Group,
  Kbd,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
  UnstyledButton,
} from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { useDraft } from '../../draft/draft-context.js';
import { IconLock } from '../../icons/icons.js';
import { useGuard } from '../../parts/guard.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import styles from '../content.module.css';
import { saveFailure, useSaveState } from './save-state.js';
import { useBarHeight } from './use-bar-height.js';

export interface SaveBarProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onSave: () => void;
  readonly onPublish: () => void;
  readonly onRelease: () => void;
  readonly onConflict: () => void;
  /** Goes to the first error. */
  readonly onIssue: () => void;
}

export function SaveBar(props: SaveBarProps) {
  const { note, onNote, onSave, onPublish, onRelease, onConflict, onIssue } = props;
  const { saved, isSaving, isDirty, mayEdit, saveError, theirs } = useDraft();
  const { draftReason, publishReason, directReason, issueReason, summary } = useSaveState();
  const os = useOs();
  const mod = os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl';
  const guard = useGuard(saved.env);
  const bar = useBarHeight();
  if (!mayEdit) return null;
  const failure = saveFailure(saveError);
  return (
    <section ref={bar} className={styles['bar']} aria-label="Save">
      <Stack gap="xs">
        {failure !== null && isDirty && <ProblemAlert {...failure} />}
        <Group justify="space-between" gap="sm">
          <Group gap="xs" role="status" style={{ flex: '1 1 12rem' }}>
            {theirs !== null && !isSaving ? (
              <UnstyledButton onClick={onConflict}>
                <Text size="sm" td="underline">
                  {draftReason} Compare and merge first.
                </Text>
              </UnstyledButton>
            ) : issueReason !== null ? (
              <UnstyledButton onClick={onIssue}>
                <Text size="sm" td="underline">
                  {issueReason}
                </Text>
              </UnstyledButton>
            ) : (
              <Text size="sm" c="dimmed">
                {summary} {directReason}
              </Text>
            )}
          </Group>
          <Group gap="xs" style={{ flex: '0 1 auto' }} data-acts>
            {isDirty && (
              <NoteInput
                aria-label="Note on this save"
                note={note}
                onNote={onNote}
                w={{ base: '100%', sm: 280 }}
              />
            )}
            <Button
              variant="default"
              onClick={onSave}
              disabled={draftReason !== null}
              rightSection={<Kbd size="xs" visibleFrom="md">{`${mod} S`}</Kbd>}
              title={draftReason ?? 'Save without publishing'}
            >
              Save draft
            </Button>
            <Button
              variant={directReason === null ? 'default' : 'filled'}
              onClick={onRelease}
              disabled={publishReason !== null}
              rightSection={
                directReason !== null && <Kbd size="xs" visibleFrom="md">{`${mod} ↵`}</Kbd>
              }
              title={publishReason ?? 'Go live together with other changes'}
            >
              Add to release…
            </Button>
            {directReason === null && (
              <Button
                onClick={onPublish}
                color={guard.color}
                leftSection={guard.isProtected ? <IconLock size={16} aria-hidden /> : undefined}
                disabled={publishReason !== null}
                loading={isSaving}
                rightSection={<Kbd size="xs" visibleFrom="md">{`${mod} ↵`}</Kbd>}
                title={publishReason ?? `Review what changes, then publish to ${guard.name}`}
              >
                Publish…
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
    </section>
  );
}

export interface NoteInputProps extends TextInputProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
}

const noteCharsMax = 2_000;

export function NoteInput({ note, onNote, ...props }: NoteInputProps) {
  return (
    <TextInput
      placeholder="Reason for this change"
      value={note}
      onChange={(event) => onNote(event.currentTarget.value)}
      maxLength={noteCharsMax}
      {...props}
    />
  );
}
