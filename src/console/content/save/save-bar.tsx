/** Always in sight at the end of the page: what state the draft is in, the note, saving and publishing. */
import { Button, Group, Kbd, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { IconLock } from '@tabler/icons-react';
import { useEditing } from '../../draft/editing.js';
import { useGuard } from '../../parts/guard.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import styles from '../content.module.css';
import { useSaveState } from './save-state.js';
import { toldOf } from './told-of.js';

export interface SaveBarProps {
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onSave: () => void;
  readonly onPublish: () => void;
  readonly onConflict: () => void;
  /** Goes to the first error. */
  readonly onFault: () => void;
}

const noteCharsMax = 2_000;

export function SaveBar(props: SaveBarProps) {
  const { note, onNote, onSave, onPublish, onConflict, onFault } = props;
  const { saved, isSaving, isDirty, mayEdit, saveError, theirs } = useEditing();
  const { draftReason, publishReason, faultReason, summary } = useSaveState();
  const os = useOs();
  const mod = os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl';
  const guard = useGuard(saved.env);
  if (!mayEdit) return null;
  const told = saveError === null ? null : toldOf(saveError);
  return (
    <section className={styles['bar']} aria-label="Save">
      <Stack gap="xs">
        {told !== null && isDirty && <ProblemAlert title={told.title} error={told.error} />}
        <Group justify="space-between" gap="sm">
          <Group gap="xs" role="status" style={{ flex: '1 1 12rem' }}>
            {theirs !== null && !isSaving ? (
              <UnstyledButton onClick={onConflict}>
                <Text size="sm" td="underline">
                  {draftReason} Look at both first.
                </Text>
              </UnstyledButton>
            ) : faultReason !== null ? (
              <UnstyledButton onClick={onFault}>
                <Text size="sm" td="underline">
                  {faultReason}
                </Text>
              </UnstyledButton>
            ) : (
              <Text size="sm" c="dimmed">
                {summary}
              </Text>
            )}
          </Group>
          <Group gap="xs" style={{ flex: '0 1 auto' }}>
            {isDirty && (
              <TextInput
                aria-label="Note on this save"
                placeholder="Why? (kept in the history)"
                value={note}
                onChange={(event) => onNote(event.currentTarget.value)}
                maxLength={noteCharsMax}
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
              onClick={onPublish}
              color={guard.color}
              leftSection={guard.isProtected ? <IconLock size={16} aria-hidden /> : undefined}
              disabled={publishReason !== null}
              loading={isSaving}
              rightSection={<Kbd size="xs" visibleFrom="md">{`${mod} ↵`}</Kbd>}
              title={publishReason ?? `Look at what changes, then publish to ${guard.name}`}
            >
              Publish…
            </Button>
          </Group>
        </Group>
      </Stack>
    </section>
  );
}
