/** The texts of a content item, one tab for each app version line, with the issues that the server found. */
import { Box, Group, Stack, Tabs, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { GuardInput } from '../../../contract/schemas/guard.js';
import { useDraft } from '../../draft/draft-context.js';
import { goesTo, type Jump } from '../../draft/issue-place.js';
import { withLine, withoutLine } from '../../draft/state-parts.js';
import {
  IconAlertCircle,
  IconCircleCheck,
  IconIndentIncrease,
  IconListTree,
  IconMaximize,
  IconPlus,
  IconTrash,
} from '../../icons/icons.js';
import { CodeEditor, type CodeEditorHandle, type CodeMark } from '../../parts/code/code-editor.js';
import { formatJsonc } from '../../parts/code/format-jsonc.js';
import { counted } from '../../parts/counted.js';
import { askToConfirm } from '../../parts/form/ask-to-confirm.js';
import { notifyDone } from '../../parts/notify.js';
import { ToolButton } from '../../parts/tool-button.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import { BlameLine } from '../blame/blame-line.js';
import styles from '../content.module.css';
import outlineStyles from '../outline/outline.module.css';
import { OutlinePanel } from '../outline/outline-panel.js';
import { PathLine } from '../outline/path-line.js';
import { placeIn, useTextTree } from '../outline/use-text-tree.js';
import { AddLineDialog } from './add-line-dialog.js';
import { IssueList } from './issue-list.js';
import { LineTabList, rangeOfLine } from './line-tabs.js';
import { TextViewChoice, useTextView } from './text-view.js';
import { ValueViews } from './value-views.js';

export interface TextTabProps {
  readonly jump: Jump | null;
  readonly onJump: (issue: ValidationIssue) => void;
  /** Adds a guard to the settings, and shows it there. */
  readonly onGuard: (guard: GuardInput) => void;
  readonly isShown: boolean;
}

export function TextTab({ jump, onJump, onGuard, isShown }: TextTabProps) {
  const { state, change, changeText, validation, mayEdit } = useDraft();
  const { lines } = state;
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const handle = useRef<CodeEditorHandle>(null);
  // The state may change while a dialog is open.
  const newest = useRef(state);
  newest.current = state;
  const line = lines.find(({ appVersion }) => appVersion === chosen) ?? lines.at(-1);
  const appVersion = line?.appVersion ?? '0.0.0';
  const marks = useMarks(appVersion);
  const { typed, onCursor } = useTextTree(appVersion, line?.text ?? '');
  const [isOutlined, setIsOutlined] = useOutlined();
  const [fillsWindow, setFillsWindow] = useState(false);
  const goToPath = (path: string): void => {
    const place = placeIn(handle.current?.text() ?? '', typed.tree, path);
    if (place !== null) handle.current?.select(place.start, place.end);
  };
  const [view, setView] = useTextView();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump happens once.
  useEffect(() => {
    if (!isShown || !goesTo(jump, 'text')) return;
    const target = jump.appVersion ?? appVersion;
    setChosen(target);
    setView({ shown: 'text', pointer: null });
    // The editor of another line renders first.
    requestAnimationFrame(() => {
      if (jump.line !== null) handle.current?.goTo(jump.line, jump.column ?? 1);
      else handle.current?.focus();
    });
  }, [jump, isShown]);

  if (line === undefined) return null;
  const formatLine = (): void => {
    handle.current?.flush();
    const formatted = formatJsonc(line.text);
    if (formatted === line.text) notifyDone('It is formatted already.');
    else changeText(appVersion, formatted);
  };
  const askToRemove = (): void => {
    const below = lines[lines.indexOf(line) - 1];
    const effect =
      below === undefined
        ? 'It is the lowest version: app versions below the next one will get a 404.'
        : `Its players will get the text of version ${below.appVersion}.`;
    askToConfirm({
      title: `Remove version ${appVersion}?`,
      text: `${effect} Nothing changes for players until you publish, and the history keeps the text.`,
      confirm: 'Remove the version',
      color: 'red',
      onConfirm: () => change(withoutLine(newest.current, appVersion)),
    });
  };
  return (
    <Tabs value={appVersion} onChange={setChosen} variant="pills">
      <Stack
        gap="xs"
        className={fillsWindow && view.shown === 'text' ? (styles['window'] ?? '') : ''}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) setFillsWindow(false);
        }}
      >
        <Group justify="space-between" gap="xs">
          <Box maw="100%" miw={0}>
            <LineTabList />
          </Box>
          <Group gap="xs">
            <TextViewChoice
              shown={view.shown}
              onShow={(shown) => {
                handle.current?.flush();
                setView({ shown, pointer: null });
              }}
            />
            {view.shown === 'text' && (
              <>
                <ToolButton
                  icon={IconListTree}
                  variant={isOutlined ? 'light' : 'default'}
                  aria-pressed={isOutlined}
                  onClick={() => setIsOutlined(!isOutlined)}
                >
                  Outline
                </ToolButton>
                <ToolButton
                  icon={IconMaximize}
                  variant={fillsWindow ? 'light' : 'default'}
                  aria-pressed={fillsWindow}
                  onClick={() => setFillsWindow(!fillsWindow)}
                >
                  Fill the window
                </ToolButton>
              </>
            )}
            {mayEdit && (
              <>
                <ToolButton icon={IconPlus} onClick={() => setIsAdding(true)}>
                  Add a version…
                </ToolButton>
                <ToolButton icon={IconIndentIncrease} onClick={formatLine}>
                  Format
                </ToolButton>
              </>
            )}
            {mayEdit && lines.length > 1 && (
              <ToolButton icon={IconTrash} onClick={askToRemove}>
                Remove {appVersion}
              </ToolButton>
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
          <ValidationStatus />
        </Group>
        <div className={view.shown === 'form' ? styles['below'] : styles['work']}>
          <ValueViews
            view={view}
            onView={setView}
            appVersion={appVersion}
            text={line.text}
            readOnly={!mayEdit}
            onText={(text) => changeText(appVersion, text)}
            onUndo={() => handle.current?.undo() ?? false}
            onRedo={() => handle.current?.redo() ?? false}
            onGoTo={(lineNumber, column) => {
              setView({ shown: 'text', pointer: null });
              requestAnimationFrame(() => handle.current?.goTo(lineNumber, column));
            }}
          />
          <Tabs.Panel
            value={appVersion}
            className={styles['editor'] ?? ''}
            // Its history undoes what is edited in other views.
            hidden={view.shown !== 'text'}
          >
            <div className={outlineStyles['beside']}>
              {isOutlined && (
                <OutlinePanel {...typed} onGo={goToPath} key={`${appVersion} outline`} />
              )}
              <CodeEditor
                key={appVersion}
                label={`Text of version ${appVersion}`}
                value={line.text}
                onChange={(text) => changeText(appVersion, text)}
                readOnly={!mayEdit}
                isShown={view.shown === 'text'}
                marks={marks}
                handle={handle}
                onCursor={onCursor}
              />
            </div>
          </Tabs.Panel>
          {typed.cursor !== null && view.shown === 'text' && (
            <BlameLine appVersion={appVersion} path={typed.cursor}>
              <PathLine
                path={typed.cursor}
                tree={typed.tree}
                onGo={goToPath}
                onGuard={mayEdit ? onGuard : null}
              />
            </BlameLine>
          )}
          {validation !== null && <IssueList onJump={onJump} />}
        </div>
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

/** Whether the outline is shown: remembered where there is room for both, else until the text is left. */
function useOutlined(): [boolean, (isOutlined: boolean) => void] {
  const isNarrow = useIsNarrow();
  const [isWanted, setIsWanted] = useLocalStorage({ key: 'loadout.outline', defaultValue: true });
  const [isAsked, setIsAsked] = useState(false);
  return isNarrow ? [isAsked, setIsAsked] : [isWanted, setIsWanted];
}

/** The array stays the same while the result does: the editor moves the marks along with its text. */
function useMarks(appVersion: string): readonly CodeMark[] {
  const { validation, state } = useDraft();
  const isOnly = state.lines.length === 1;
  return useMemo(() => {
    if (validation === null) return [];
    const ofLine = (
      severity: CodeMark['severity'],
      issues: readonly ValidationIssue[],
    ): CodeMark[] =>
      issues.flatMap(({ path, appVersion: at, line, column, message }) =>
        path === 'text' && line !== undefined && (at === appVersion || isOnly)
          ? [{ line, column: column ?? 1, message, severity }]
          : [],
      );
    return [...ofLine('error', validation.errors), ...ofLine('warning', validation.warnings)];
  }, [validation, appVersion, isOnly]);
}

/** One short sentence that screen readers announce when it changes. */
function ValidationStatus() {
  const { validation, validationError, isValidating, isDirty, mayEdit } = useDraft();
  if (!mayEdit) return null;
  const errors = validation?.errors.length ?? 0;
  const warnings = validation?.warnings.length ?? 0;
  const isUnchecked = validation === null && validationError !== null;
  const isGood = errors === 0 && !isUnchecked;
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
          <Text size="sm">{isUnchecked ? 'Not checked' : formatCounts(errors, warnings)}</Text>
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

function formatCounts(errors: number, warnings: number): string {
  const found = errors === 0 ? 'No errors' : counted(errors, 'error');
  return warnings === 0 ? found : `${found}, ${counted(warnings, 'warning')}`;
}
