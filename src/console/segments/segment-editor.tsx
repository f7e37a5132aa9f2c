/** The editor of a segment: its condition beside the sample users that match, where it is used, and its history. */
import {
  Alert,
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
import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ChangeInput } from '../../contract/schemas/release.js';
import { ApiProblem } from '../api/call.js';
import { ConditionEditor } from '../conditions/condition-editor.js';
import { isIssue, readCondition } from '../conditions/condition-query.js';
import { useAttributes } from '../conditions/use-attributes.js';
import { IconDeviceFloppy, IconHistory } from '../icons/icons.js';
import { useShortcuts } from '../palette/use-commands.js';
import { pathOf } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { When } from '../parts/time/when.js';
import { useKnownAttributes } from '../preview/contexts/sample-users.js';
import { AddToRelease } from '../releases/add/add-to-release.js';
import { ReachNotice } from '../releases/add/reach-notice.js';
import { usePublishReason, useReadOnlyReason } from '../session/edit-rights.js';
import { DeleteSegment } from './delete-segment.js';
import { SegmentHistory } from './history/segment-history.js';
import { SaveConfirm } from './save-confirm.js';
import { type EditedSegment, noteCharsMax } from './segment-api.js';
import { SegmentConflict } from './segment-conflict.js';
import { type SegmentDraft, useSegmentDraft } from './segment-draft.js';
import { SegmentTest } from './segment-test.js';
import { SegmentUses } from './segment-uses.js';
import { SavedWarnings } from './segment-warnings.js';
import { type SegmentSaving, useSaveSegment } from './use-save-segment.js';

export interface SegmentEditorProps {
  readonly env: string;
  readonly name: string;
  /** As the path has it; '' for the condition. */
  readonly tab: string;
  /** Null: the segment is new. */
  readonly saved: EditedSegment | null;
  /** The way back to the list. */
  readonly back: ReactNode;
  /** Another user deleted the segment meanwhile. */
  readonly isGone: boolean;
}

const descriptionCharsMax = 4_000;

export function SegmentEditor({ env, name, tab, saved, back, isGone }: SegmentEditorProps) {
  const mayEdit = useReadOnlyReason() === null;
  const [, goTo] = useLocation();
  const draft = useSegmentDraft(env, name, saved);
  const [note, setNote] = useState('');
  const onSaved = (): void => setNote('');
  const isLive = saved !== null && saved.live !== null;
  const saving = useSaveSegment({ env, name, draft, isGone, isLive, note, onSaved });
  const publishReason = usePublishReason(env);
  const [isAdding, setIsAdding] = useState(false);
  const { state, base, isDirty } = draft;
  const isReadable = useMemo(() => !isIssue(readCondition(state.when)), [state.when]);
  const isNew = base.updatedAt === null;
  /** A draft that is saved and not live. */
  const hasDraft = saved !== null && saved.newest !== saved.live;
  const isChanged = isDirty || isNew || isGone;
  const maySave = mayEdit && isReadable && (isChanged || hasDraft) && draft.theirs === null;
  const save = (): void => {
    if (!maySave || saving.isPlanning) return;
    if (publishReason === null) saving.ask();
    else setIsAdding(true);
  };
  const savedDraft = async (): Promise<readonly ChangeInput[] | null> => {
    const revision = isChanged || saved === null ? await saving.saveDraft() : saved.newest;
    return revision === null ? null : [{ kind: 'segment', name, revision }];
  };
  useHotkeys([['mod+S', save]], [], true);
  useShortcuts([{ keys: ['mod+S'], does: 'Save the segment' }]);
  const fields = { env, name, saved, draft, saving, note, mayEdit, isReadable, onNote: setNote };
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
            <span>
              {saved !== null && `r${saved.revision}, `}saved{' '}
              <When at={base.updatedAt} span inherit />
              {saved !== null && hasDraft && `, a draft: ${describeLive(saved.live)}`}
            </span>
          )}
        </Group>
      }
      actions={
        mayEdit && (
          <>
            {(isNew || isDirty) && (
              <Button
                variant="subtle"
                onClick={() => {
                  draft.discard();
                  if (isNew) goTo(pathOf.segments(env));
                }}
              >
                {isNew ? 'Cancel' : 'Discard changes'}
              </Button>
            )}
            {saved !== null && <DeleteSegment env={env} segment={saved} />}
            <Button
              variant={publishReason === null ? 'default' : 'filled'}
              onClick={() => setIsAdding(true)}
              disabled={!maySave}
              title={isReadable ? undefined : 'Fix the condition first'}
            >
              Add to release…
            </Button>
            {publishReason === null && (
              <Button
                leftSection={<IconDeviceFloppy size={16} aria-hidden />}
                onClick={save}
                disabled={!maySave}
                loading={saving.isPlanning || saving.isSaving}
                title={isReadable ? 'Ctrl+S' : 'Fix the condition first'}
              >
                {isNew ? 'Create segment' : isDirty || !hasDraft ? 'Save' : 'Publish draft'}
              </Button>
            )}
          </>
        )
      }
    >
      {publishReason !== null && <Text size="sm">{publishReason}</Text>}
      <ReachNotice env={env} kind="segment" name={name} />
      {draft.wasKept && (
        <Alert
          variant="light"
          icon={<IconHistory aria-hidden />}
          title="We kept your unsaved changes"
        >
          You typed them before this page was loaded. They are not saved yet.
        </Alert>
      )}
      {isGone && (
        <Alert color="orange" variant="light" title="This segment was deleted">
          Your copy is still here. Saving creates the segment again.
        </Alert>
      )}
      {draft.theirs !== null && <SegmentConflict {...{ env, name, draft }} theirs={draft.theirs} />}
      {saving.error !== null && conditionError(saving) === null && (
        <ProblemAlert error={saving.error} title="Not saved" onRetry={save} />
      )}
      {saved === null ? (
        <ConditionFields {...fields} />
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
          {/* It stays mounted while the history is shown, because its inputs hold what is typed. */}
          <Tabs.Panel value="condition" keepMounted>
            <ConditionFields {...fields} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <SegmentHistory {...{ env, name, mayEdit, isDirty }} current={isGone ? null : saved} />
          </Tabs.Panel>
        </Tabs>
      )}
      {isAdding && (
        <AddToRelease
          env={env}
          what={`segment ${name}`}
          changes={savedDraft}
          onClose={() => setIsAdding(false)}
        />
      )}
      {saving.pending !== null && (
        <SaveConfirm {...{ env, name, saving, note }} pending={saving.pending} onNote={setNote} />
      )}
    </Page>
  );
}

function describeLive(live: number | null): string {
  return live === null ? 'no rule can use it yet' : `r${live} is live`;
}

interface ConditionFieldsProps extends Pick<SegmentEditorProps, 'env' | 'name' | 'saved'> {
  readonly draft: SegmentDraft;
  readonly saving: SegmentSaving;
  readonly note: string;
  readonly mayEdit: boolean;
  readonly isReadable: boolean;
  readonly onNote: (note: string) => void;
}

function ConditionFields(props: ConditionFieldsProps) {
  const { env, name, saved, draft, saving, note, mayEdit, isReadable, onNote } = props;
  const { state } = draft;
  const offered = useAttributes(env, { segment: name }, useKnownAttributes(env));
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="md" miw={0}>
          <Textarea
            label="Description"
            description="For colleagues: which players, and why."
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
            offered={offered}
            error={conditionError(saving)}
          />
          <SavedWarnings warnings={saving.warnings} />
          {mayEdit && (
            <TextInput
              label="Note on this save"
              description="Reason for this change; the history shows it."
              value={note}
              maxLength={noteCharsMax}
              onChange={(event) => onNote(event.currentTarget.value)}
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
}

/** The server's errors of the condition, which its editor shows; null: there are none. */
function conditionError({ error }: SegmentSaving): string | null {
  const errors = error instanceof ApiProblem ? error.errors : [];
  const own = errors.filter(({ path }) => path.startsWith('when'));
  return own.length === 0 ? null : own.map(({ path, message }) => `${path} ${message}`).join('; ');
}
