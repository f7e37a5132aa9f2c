/** The editor of a segment: its condition beside whom of the sample users it takes, what saving would reach, and its history. */
import {
  Alert,
  Box,
  Button,
  Grid,
  Group,
  Paper,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconDeviceFloppy, IconHistory } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { ConditionEditor } from '../conditions/condition-editor.js';
import { isFault, readCondition } from '../conditions/condition-query.js';
import { useAttributes } from '../conditions/use-attributes.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { When } from '../parts/when.js';
import { useKnownAttributes } from '../preview/contexts/sample-users.js';
import { useReadOnlyReason } from '../session/edit-rights.js';
import { DeleteSegment } from './delete-segment.js';
import { SegmentHistory } from './history/segment-history.js';
import { SaveConfirm } from './save-confirm.js';
import { noteCharsMax, type SavedSegment } from './segment-api.js';
import { SegmentConflict } from './segment-conflict.js';
import { useSegmentDraft } from './segment-draft.js';
import { SegmentTest } from './segment-test.js';
import { SegmentUses } from './segment-uses.js';
import { SavedWarnings } from './segment-warnings.js';
import { useSaveSegment } from './use-save-segment.js';

export interface SegmentEditorProps {
  readonly env: string;
  readonly name: string;
  /** As the path has it; '' for the condition. */
  readonly tab: string;
  /** Null: it is new. */
  readonly saved: SavedSegment | null;
  /** The way back to the list. */
  readonly back: ReactNode;
  /** It was there, and somebody deleted it meanwhile. */
  readonly isGone: boolean;
}

const descriptionCharsMax = 4_000;

export function SegmentEditor({ env, name, tab, saved, back, isGone }: SegmentEditorProps) {
  const readOnlyReason = useReadOnlyReason(env);
  const mayEdit = readOnlyReason === null;
  const [, goTo] = useLocation();
  const draft = useSegmentDraft(env, name, saved);
  const ofSamples = useKnownAttributes(env);
  const { attributes, isUsed } = useAttributes(env, { segment: name }, ofSamples);
  const [note, setNote] = useState('');
  const onSaved = (): void => setNote('');
  const saving = useSaveSegment({ env, name, draft, isGone, note, onSaved });
  const { state, base, isDirty } = draft;
  const isReadable = useMemo(() => !isFault(readCondition(state.when)), [state.when]);
  const isNew = base.updatedAt === null;
  const maySave = mayEdit && isReadable && (isDirty || isNew || isGone) && draft.theirs === null;
  const save = (): void => {
    if (maySave && !saving.isPlanning) saving.ask();
  };
  useHotkeys([['mod+S', save]], [], true);
  const faults = saving.error instanceof ApiProblem ? saving.error.errors : [];
  const conditionFaults = faults.filter(({ path }) => path.startsWith('when'));
  const conditionError = conditionFaults
    .map(({ path, message }) => `${path} ${message}`)
    .join('; ');
  const condition = (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="md" miw={0}>
          <Textarea
            label="Description"
            description="For colleagues: who is meant, and why."
            autosize
            minRows={1}
            maxRows={6}
            maxLength={descriptionCharsMax}
            value={state.description}
            readOnly={!mayEdit}
            onChange={(event) => draft.change({ description: event.currentTarget.value })}
          />
          <ConditionEditor
            label="Condition"
            value={state.when}
            onChange={(when) => draft.change({ when })}
            readOnly={!mayEdit}
            attributes={attributes}
            isUsed={isUsed}
            error={conditionError === '' ? null : conditionError}
          />
          <SavedWarnings warnings={saving.warnings} />
          {mayEdit && (
            <TextInput
              label="Note on this save"
              description="Why; the history shows it."
              value={note}
              maxLength={noteCharsMax}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="md" miw={0}>
          <Paper withBorder p="md" component="section" aria-labelledby="segment-test">
            <SegmentTest env={env} when={state.when} isReadable={isReadable} />
          </Paper>
          {saved !== null && (
            <Paper withBorder p="md" component="section" aria-labelledby="segment-uses">
              <SegmentUses env={env} segment={saved} />
            </Paper>
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  );
  return (
    <Page
      title={name}
      description={
        <Group gap="xs">
          {back}
          <span aria-hidden>·</span>
          {isNew ? (
            'New, not saved yet'
          ) : (
            <SavedAt at={base.updatedAt} revision={saved?.revision ?? null} />
          )}
        </Group>
      }
      actions={
        mayEdit && (
          <>
            {isNew && (
              <Button
                variant="subtle"
                onClick={() => {
                  draft.discard();
                  goTo(pathOf.segments(env));
                }}
              >
                Cancel
              </Button>
            )}
            {isDirty && !isNew && (
              <Button variant="subtle" onClick={draft.discard}>
                Discard changes
              </Button>
            )}
            {saved !== null && <DeleteSegment env={env} segment={saved} />}
            <Button
              leftSection={<IconDeviceFloppy size={16} aria-hidden />}
              onClick={save}
              disabled={!maySave}
              loading={saving.isPlanning || saving.isSaving}
              title={isReadable ? 'Ctrl+S' : 'Mend the condition first'}
            >
              {isNew ? 'Create segment' : 'Save'}
            </Button>
          </>
        )
      }
    >
      {!mayEdit && <Text size="sm">{readOnlyReason}</Text>}
      {draft.wasKept && (
        <Alert variant="light" icon={<IconHistory aria-hidden />} title="Your changes were kept">
          They were typed before this page was loaded, and are not saved yet.
        </Alert>
      )}
      {isGone && (
        <Alert color="orange" variant="light" title="Somebody deleted this segment">
          What you see is still here; saving creates it anew.
        </Alert>
      )}
      {draft.theirs !== null && <SegmentConflict draft={draft} theirs={draft.theirs} />}
      {saving.error !== null && conditionFaults.length === 0 && (
        <ProblemAlert error={saving.error} title="Not saved" onRetry={save} />
      )}
      {saved === null ? (
        condition
      ) : (
        <Tabs
          value={tab === 'history' ? 'history' : 'condition'}
          onChange={(next) => goTo(pathOf.segment(env, name, next === 'history' ? next : ''))}
          keepMounted={false}
          keepMountedMode="display-none"
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="condition">Condition</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
          </Tabs.List>
          {/* It stays while the history is shown, with the form it is edited in. */}
          <Tabs.Panel value="condition" keepMounted>
            {condition}
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <SegmentHistory
              env={env}
              name={name}
              current={isGone ? null : saved}
              mayEdit={mayEdit}
              isDirty={isDirty}
            />
          </Tabs.Panel>
        </Tabs>
      )}
      <SaveConfirm env={env} name={name} saving={saving} note={note} onNote={setNote} />
    </Page>
  );
}

interface SavedAtProps {
  readonly at: string | null;
  readonly revision: number | null;
}

function SavedAt({ at, revision }: SavedAtProps) {
  return (
    <Box component="span">
      {revision !== null && `r${revision}, `}saved <When at={at} span inherit />
    </Box>
  );
}
