/** What is said about a content: description and tags, and the JSON Schema that all it delivers must match. */
import { Alert, Button, Group, Stack, TagsInput, Text, Textarea, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconInfoCircle, IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useId, useMemo, useRef } from 'react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { noSchema } from '../../draft/content-query.js';
import { useDraft } from '../../draft/draft-context.js';
import { goesTo, type Jump } from '../../draft/issue-place.js';
import { CodeEditor, type CodeEditorHandle, type CodeMark } from '../../parts/code/code-editor.js';
import { formatJsonc } from '../../parts/code/format-jsonc.js';
import { FaultList } from '../text/fault-list.js';

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
  readonly onJump: (fault: ValidationIssue) => void;
}

export function SettingsTab({ jump, onJump }: SettingsTabProps) {
  const { saved, state, change, mayEdit } = useDraft();
  const isBehind = saved.live !== null && saved.newest > 0;
  return (
    <Stack maw={900}>
      {mayEdit && isBehind && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />} p="xs">
          Description, tags and schema are not part of a revision: saving them, as a draft too,
          counts at once, and rolling back does not change them. Players never see them.
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
        error={useFieldFault('description')}
      />
      <TagsInput
        label="Tags"
        description="To find it by. Enter adds one."
        value={[...state.tags]}
        onChange={(tags) =>
          change({ tags: tags.map((tag) => tag.trim().slice(0, tagCharsMax)).filter(Boolean) })
        }
        readOnly={!mayEdit}
        maxTags={tagsMax}
        clearable={mayEdit}
        clearButtonProps={{ 'aria-label': 'Remove all tags' }}
        error={useFieldFault('tags')}
      />
      <Schema jump={jump} />
      <FaultList onJump={onJump} />
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
  const fault = useFieldFault('schema');
  useEffect(() => {
    if (!goesTo(jump, 'settings')) return;
    requestAnimationFrame(() => handle.current?.goTo(jump.line ?? 1, jump.column ?? 1));
  }, [jump]);
  const isNone = state.schema === noSchema;
  const remove = (): void => {
    modals.openConfirmModal({
      title: 'Remove the schema?',
      children: (
        <Text size="sm">
          From the next save on, nothing checks what this content delivers. Until you save, the
          schema stays.
        </Text>
      ),
      labels: { confirm: 'Remove the schema', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => change({ schema: noSchema }),
    });
  };
  return (
    <section aria-labelledby={`${helpId}-title`}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5" id={`${helpId}-title`}>
          JSON Schema
        </Title>
        {mayEdit && !isNone && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              onClick={() => change({ schema: formatJsonc(state.schema) })}
            >
              Format
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={remove}
            >
              Remove
            </Button>
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed" id={helpId} mb="xs">
        Draft 2020-12. All that the content delivers is checked by it at each save: its lines, and
        what each rule and variant makes of them.
      </Text>
      {isNone ? (
        <Group>
          <Text size="sm">There is none: any JSON is fine.</Text>
          {mayEdit && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => change({ schema: firstSchema })}
            >
              Add a schema
            </Button>
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
          {fault !== null && (
            <Text size="sm" c="red" mt={4} role="status">
              {fault}
            </Text>
          )}
        </>
      )}
    </section>
  );
}

/** What the server says of one field. */
function useFieldFault(path: string): string | null {
  const { validation } = useDraft();
  return validation?.errors.find((fault) => fault.path.startsWith(path))?.message ?? null;
}
