/** Description, tags, flags and guards of a content item, and the JSON Schema that everything it delivers must match. */
import { Alert, Group, Stack, TagsInput, Text, Textarea, Title } from '@mantine/core';
import { useEffect, useId, useMemo, useRef } from 'react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { noSchema } from '../../draft/content-query.js';
import { useDraft } from '../../draft/draft-context.js';
import { goesTo, type Jump } from '../../draft/issue-place.js';
import { IconInfoCircle, IconPlus, IconTrash } from '../../icons/icons.js';
import { CodeEditor, type CodeEditorHandle, type CodeMark } from '../../parts/code/code-editor.js';
import { formatJsonc } from '../../parts/code/format-jsonc.js';
import { askToConfirm } from '../../parts/form/ask-to-confirm.js';
import { ToolButton } from '../../parts/tool-button.js';
import { IssueList } from '../text/issue-list.js';
import { FlagsEditor, isFlagJump } from './flags-editor.js';
import { GuardsEditor, isGuardJump } from './guards-editor.js';
import { MakeSchema } from './make-schema.js';

const descriptionCharsMax = 2_000;
const tagsMax = 32;
const tagCharsMax = 64;

const firstSchema = `{
  "type": "object",
  "properties": {
  }
}
`;

export interface SettingsTabProps {
  readonly jump: Jump | null;
  readonly onJump: (issue: ValidationIssue) => void;
}

export function SettingsTab({ jump, onJump }: SettingsTabProps) {
  const { saved, state, change, mayEdit } = useDraft();
  const isBehind = saved.live !== null && saved.newest > 0;
  return (
    <Stack maw={900}>
      {mayEdit && isBehind && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />} p="xs">
          Description, tags, guards and schema are not part of a revision: a save applies them at
          once, also as a draft, and a rollback does not change them. Players never see them.
        </Alert>
      )}
      <Textarea
        label="Description"
        description="What it is for, in a sentence."
        value={state.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        readOnly={!mayEdit}
        maxLength={descriptionCharsMax}
        autosize
        minRows={2}
        maxRows={8}
        error={useFieldIssue('description')}
      />
      <TagsInput
        label="Tags"
        description="For searching. Enter adds one."
        value={[...state.tags]}
        onChange={(tags) =>
          change({ tags: tags.map((tag) => tag.trim().slice(0, tagCharsMax)).filter(Boolean) })
        }
        readOnly={!mayEdit}
        maxTags={tagsMax}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': 'Remove all tags' }}
        error={useFieldIssue('tags')}
      />
      <FlagsEditor jump={jump} />
      <GuardsEditor jump={jump} />
      <Schema jump={jump} />
      <IssueList onJump={onJump} />
    </Stack>
  );
}

function Schema({ jump }: { readonly jump: Jump | null }) {
  const { state, change, mayEdit, validation } = useDraft();
  const handle = useRef<CodeEditorHandle>(null);
  const helpId = useId();
  const marks = useMemo(
    (): CodeMark[] =>
      (validation?.errors ?? []).flatMap(({ path, line, column, message }) =>
        path.startsWith('schema') && line !== undefined
          ? [{ line, column: column ?? 1, message, severity: 'error' }]
          : [],
      ),
    [validation],
  );
  const issue = useFieldIssue('schema');
  useEffect(() => {
    if (isFlagJump(jump) || isGuardJump(jump) || !goesTo(jump, 'settings')) return;
    requestAnimationFrame(() => handle.current?.goTo(jump.line ?? 1, jump.column ?? 1));
  }, [jump]);
  const isNone = state.schema === noSchema;
  const remove = (): void =>
    askToConfirm({
      title: 'Remove the schema?',
      text: 'From the next save on, nothing checks what this content item delivers. Until you save, the schema stays.',
      confirm: 'Remove the schema',
      color: 'red',
      onConfirm: () => change({ schema: noSchema }),
    });
  return (
    <section aria-labelledby={`${helpId}-title`}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5" id={`${helpId}-title`}>
          JSON Schema
        </Title>
        {mayEdit && !isNone && (
          <Group gap="xs">
            <MakeSchema />
            <ToolButton onClick={() => change({ schema: formatJsonc(state.schema) })}>
              Format
            </ToolButton>
            <ToolButton icon={IconTrash} onClick={remove}>
              Remove
            </ToolButton>
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed" id={helpId} mb="xs">
        Draft 2020-12. Each save checks everything that the content item delivers: the text of each
        app version, and what each rule and variant makes of it.
      </Text>
      {isNone ? (
        <Group>
          <Text size="sm">No schema: any JSON is accepted.</Text>
          {mayEdit && (
            <>
              <MakeSchema />
              <ToolButton icon={IconPlus} onClick={() => change({ schema: firstSchema })}>
                Add a schema
              </ToolButton>
            </>
          )}
        </Group>
      ) : (
        <>
          <CodeEditor
            label="JSON Schema"
            describedBy={helpId}
            value={state.schema}
            onChange={(schema) => change({ schema })}
            readOnly={!mayEdit}
            marks={marks}
            minRows={10}
            maxRows={28}
            handle={handle}
          />
          {issue !== null && (
            <Text size="sm" c="red" mt={4} role="status">
              {issue}
            </Text>
          )}
        </>
      )}
    </section>
  );
}

/** The server's first error about a field. */
function useFieldIssue(path: string): string | null {
  const { validation } = useDraft();
  return validation?.errors.find((issue) => issue.path.startsWith(path))?.message ?? null;
}
