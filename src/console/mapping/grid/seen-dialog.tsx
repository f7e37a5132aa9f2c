/** Edits the text as players of a variant get it, and derives the smallest change from what is typed. */
import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import type { CodeEditorHandle } from '../../parts/code/code-editor.js';
import { LazyCodeEditor, LazyDiffView } from '../../parts/code/lazy.js';
import { prettyJson } from '../../parts/code/pretty-json.js';
import { counted } from '../../parts/counted.js';
import { Dialog } from '../../parts/dialog.js';
import { ErrorText } from '../../parts/error-text.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { type MutationKind, mutationLabels } from '../rules/rule-view.js';
import styles from './grid.module.css';
import { type GridArm, type GridLine, seenBy } from './grid-model.js';
import { LineSelect } from './line-select.js';
import { deriveSeen, type SeenEdit, seenText } from './seen-edit.js';

export interface SeenDialogProps {
  readonly arm: GridArm;
  readonly lines: readonly GridLine[];
  /** Index of the version line to begin with. */
  readonly first: number;
  readonly onClose: () => void;
  /** Takes the derived change: its kind, and its source laid out. */
  readonly onApply: (kind: MutationKind, source: string) => void;
}

const pauseMs = 250;

export function SeenDialog({ arm, lines, first, onClose, onApply }: SeenDialogProps) {
  const isNarrow = useIsNarrow();
  const editor = useRef<CodeEditorHandle>(null);
  const [index, setIndex] = useState(first);
  const line = lines[index];
  const start = useMemo(
    () => (line === undefined ? '' : seenText(arm, line, index)),
    [arm, line, index],
  );
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? start;
  const [settled] = useDebouncedValue(text, pauseMs);
  const shown = useMemo(() => deriveSeen(settled, arm, lines, index), [settled, arm, lines, index]);
  if (line === undefined) return null;

  const apply = (): void => {
    editor.current?.flush();
    const newest = deriveSeen(text, arm, lines, index);
    if (newest.kind !== 'derived') return;
    const { derived, source } = newest;
    onApply(derived.mutation.kind, source);
    onClose();
  };

  return (
    <Dialog
      onClose={onClose}
      title={`Text as ${seenBy(arm)}`}
      size="min(1100px, 94vw)"
      fullScreen={isNarrow}
    >
      <Stack gap="sm">
        <Group gap="sm" justify="space-between" align="flex-end">
          <Text size="sm" c="dimmed" maw={620}>
            This is the text with this change alone. Type what its players should get. The console
            derives the smallest change from what everybody gets.
          </Text>
          <LineSelect
            lines={lines}
            value={line.appVersion}
            onChange={(version) => {
              setIndex(lines.findIndex(({ appVersion }) => appVersion === version));
              setTyped(null);
            }}
            isDisabled={typed !== null && typed !== start}
          />
        </Group>
        <div className={styles['seen']}>
          <LazyCodeEditor
            key={index}
            handle={editor}
            label={`Text of version ${line.appVersion} as ${seenBy(arm)}`}
            value={text}
            onChange={setTyped}
          />
        </div>
        <Result shown={shown} line={line} text={settled} name={arm.name} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={shown.kind !== 'derived' || settled !== text} onClick={apply}>
            Use this change
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface ResultProps {
  readonly shown: SeenEdit;
  readonly line: GridLine;
  readonly text: string;
  readonly name: string;
}

function Result({ shown, line, text, name }: ResultProps) {
  if (shown.kind === 'issue') return <ErrorText>{shown.message}</ErrorText>;
  if (shown.kind === 'unchanged') {
    return (
      <Text size="sm" c="dimmed" role="status">
        No value is changed yet.
      </Text>
    );
  }
  const { derived, source, notices } = shown;
  return (
    <Stack gap="xs">
      {notices.length > 0 && (
        <Alert color="yellow" variant="light" role="status" py="xs">
          <List size="sm">
            {notices.map((notice) => (
              <List.Item key={notice}>{notice}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm" role="status">
        {counted(derived.changes.length, 'difference')} from what everybody gets. The change of{' '}
        {name}: {mutationLabels[derived.mutation.kind]}
      </Text>
      <Code block className={styles['source'] ?? ''} tabIndex={0} aria-label="The derived change">
        {source}
      </Code>
      <LazyDiffView
        before={prettyJson(line.text)}
        after={prettyJson(text)}
        beforeLabel={`Everybody, version ${line.appVersion}`}
        afterLabel={`With the change of ${name}`}
        maxRows={14}
      />
    </Stack>
  );
}
