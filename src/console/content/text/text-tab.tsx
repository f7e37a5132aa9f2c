/** The texts of a content, one tab for each line, with what the server says of them. */
import { Box, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import {
  IconAlertCircle,
  IconCircleCheck,
  IconIndentIncrease,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ValidationIssue } from '../../../contract/problems.js';
import { useDraft } from '../../draft/draft-context.js';
import { goesTo, type Jump } from '../../draft/issue-place.js';
import { withLine, withoutLine } from '../../draft/state-parts.js';
import { CodeEditor, type CodeEditorHandle, type CodeMark } from '../../parts/code/code-editor.js';
import { formatJsonc } from '../../parts/code/format-jsonc.js';
import { notifyDone } from '../../parts/notify.js';
import styles from '../content.module.css';
import { AddLineDialog } from './add-line-dialog.js';
import { FaultList } from './fault-list.js';
import { LineTabList, rangeOfLine } from './line-tabs.js';
import { confirmRemoveLine } from './remove-line.js';

export interface TextTabProps {
  readonly jump: Jump | null;
  readonly onJump: (fault: ValidationIssue) => void;
  readonly isShown: boolean;
}

export function TextTab({ jump, onJump, isShown }: TextTabProps) {
  const { state, change, changeText, validation, mayEdit } = useDraft();
  const { lines } = state;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const handle = useRef<CodeEditorHandle>(null);
  // What a dialog asks about may change while it is open.
  const newest = useRef(state);
  newest.current = state;
  const line = lines.find(({ appVersion }) => appVersion === chosen) ?? lines.at(-1);
  const appVersion = line?.appVersion ?? '0.0.0';
  const marks = useMarks(appVersion);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump is made once, when it is asked for.
  useEffect(() => {
    if (!isShown || !goesTo(jump, 'text')) return;
    const target = jump.appVersion ?? appVersion;
    setChosen(target);
    // The editor of another line comes first.
    requestAnimationFrame(() => {
      if (jump.line !== null) handle.current?.goTo(jump.line, jump.column ?? 1);
      else handle.current?.focus();
    });
  }, [jump, isShown]);

  if (line === undefined) return null;
  const formatLine = (): void => {
    handle.current?.flush();
    const formatted = formatJsonc(line.text);
    if (formatted === line.text) notifyDone('It is laid out well already.');
    else changeText(appVersion, formatted);
  };
  return (
    <Tabs value={appVersion} onChange={setChosen} variant="pills">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Box maw="100%" miw={0}>
            <LineTabList />
          </Box>
          <Group gap="xs">
            {mayEdit && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => setIsAdding(true)}
              >
                Add a line
              </Button>
            )}
            {mayEdit && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconIndentIncrease size={14} aria-hidden />}
                onClick={formatLine}
              >
                Format
              </Button>
            )}
            {mayEdit && lines.length > 1 && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() =>
                  confirmRemoveLine(lines, appVersion, () =>
                    change(withoutLine(newest.current, appVersion)),
                  )
                }
              >
                Remove {appVersion}
              </Button>
            )}
          </Group>
        </Group>
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            {rangeOfLine(
              lines.map((other) => other.appVersion),
              appVersion,
            )}
          </Text>
          <Judgement />
        </Group>
        <Tabs.Panel value={appVersion} className={styles['editor'] ?? ''}>
          <CodeEditor
            key={appVersion}
            label={`Text of line ${appVersion}`}
            value={line.text}
            onChange={(text) => changeText(appVersion, text)}
            readOnly={!mayEdit}
            marks={marks}
            handle={handle}
          />
        </Tabs.Panel>
        {validation !== null && <FaultList onJump={onJump} />}
        {isAdding && (
          <AddLineDialog
            onClose={() => setIsAdding(false)}
            onAdd={(added) => {
              change(withLine(state, added));
              setChosen(added.appVersion);
              setIsAdding(false);
            }}
          />
        )}
      </Stack>
    </Tabs>
  );
}

/** Kept while the validation stays, for the editor follows its own changes. */
function useMarks(appVersion: string): readonly CodeMark[] {
  const { validation, state } = useDraft();
  const isOnly = state.lines.length === 1;
  return useMemo(() => {
    if (validation === null) return [];
    const ofLine = (
      severity: CodeMark['severity'],
      faults: readonly ValidationIssue[],
    ): CodeMark[] =>
      faults.flatMap(({ path, appVersion: at, line, column, message }) =>
        path === 'text' && line !== undefined && (at === appVersion || isOnly)
          ? [{ line, column: column ?? 1, message, severity }]
          : [],
      );
    return [...ofLine('error', validation.errors), ...ofLine('warning', validation.warnings)];
  }, [validation, appVersion, isOnly]);
}

/** One short sentence that is read out when it changes. */
function Judgement() {
  const { validation, isValidating, isDirty, mayEdit } = useDraft();
  if (!mayEdit) return null;
  const errors = validation?.errors.length ?? 0;
  const warnings = validation?.warnings.length ?? 0;
  const isGood = errors === 0;
  const Icon = isGood ? IconCircleCheck : IconAlertCircle;
  return (
    <Group gap={6} role="status" mih={22}>
      {(validation !== null || isDirty) && !isValidating && (
        <>
          <Icon
            size={16}
            aria-hidden
            color={`var(--mantine-color-${isGood ? 'teal' : 'red'}-text)`}
          />
          <Text size="sm">{wordsOfCounts(errors, warnings)}</Text>
        </>
      )}
      {isValidating && (
        <Text size="sm" c="dimmed">
          Checking…
        </Text>
      )}
    </Group>
  );
}

function wordsOfCounts(errors: number, warnings: number): string {
  const doubts = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  return errors === 0 ? `No errors${doubts}` : `${counted(errors, 'error')}${doubts}`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
