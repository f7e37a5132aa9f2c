/** The values of a rule: its grid, the search for places, and what a grid cannot show. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { NotApplicable } from '../../../content/derive/plain-mutation.js';
import type { Tokens } from '../../../content/derive/plain-value.js';
import { pointerText } from '../../../content/json/pointer-text.js';
import { useDraft } from '../../draft/draft-context.js';
import { useRule } from '../rules/rule-handle.js';
import { ForeignOperations } from './foreign-operations.js';
import { type GridArm, placesOf, seenBy } from './grid-model.js';
import { LineSelect } from './line-select.js';
import { PlaceSearch } from './place-search.js';
import { type GridEdits, useGridEdits } from './use-grid-edits.js';
import { useGridLines, useRuleArms } from './use-grid-model.js';
import { type FreshPlace, ValueGrid } from './value-grid.js';

const PickDialog = lazy(async () => ({ default: (await import('./pick-dialog.js')).PickDialog }));
const SeenDialog = lazy(async () => ({ default: (await import('./seen-dialog.js')).SeenDialog }));

// More rows are rarely wanted at once, and each has a cell for each variant.
const rowsAtOnce = 100;

export interface ValuesPanelProps {
  /** Places that were added by hand, which stay while the card is open. */
  readonly added: readonly Tokens[];
  readonly onAdded: (change: (added: readonly Tokens[]) => readonly Tokens[]) => void;
}

export function ValuesPanel({ added, onAdded }: ValuesPanelProps) {
  const { rule, readOnly } = useRule();
  const lines = useGridLines(useDraft().state.lines);
  const arms = useRuleArms(lines);
  const edits = useGridEdits();
  const [wanted, setWanted] = useState<string | null>(null);
  const [fresh, setFresh] = useState<FreshPlace | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const [isPicking, setIsPicking] = useState(false);
  const [seen, setSeen] = useState<GridArm | null>(null);
  const [rowsMax, setRowsMax] = useState(rowsAtOnce);
  const found = lines.findIndex(({ appVersion }) => appVersion === wanted);
  const chosen = found < 0 ? lines.length - 1 : found;
  const line = lines[chosen];
  const base = line?.base ?? null;
  const places = useMemo(() => placesOf(arms, added, base), [arms, added, base]);
  if (line === undefined) return null;
  const add = (tokens: Tokens): void => {
    const pointer = pointerText(tokens);
    onAdded((now) => (now.some((one) => pointerText(one) === pointer) ? now : [...now, tokens]));
  };
  const addFresh = (tokens: Tokens): void => {
    add(tokens);
    setFresh({ tokens });
    if (places.length >= rowsMax) setRowsMax(places.length + rowsAtOnce);
  };
  const hide = (tokens: Tokens): void => {
    const pointer = pointerText(tokens);
    onAdded((now) => now.filter((one) => pointerText(one) !== pointer));
    if (places.length === 1) search.current?.focus();
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end" justify="space-between">
        {!readOnly && base !== null && (
          <PlaceSearch
            base={base}
            field={search}
            onAdd={addFresh}
            onPick={() => setIsPicking(true)}
          />
        )}
        <LineSelect lines={lines} value={line.appVersion} onChange={setWanted} />
      </Group>
      {base === null && (
        <Note>The text of version {line.appVersion} has an error. Fix it to see the values.</Note>
      )}
      {base !== null && places.length === 0 && (
        <Text size="sm" c="dimmed">
          No value is changed yet.{' '}
          {!readOnly && 'Search a place or pick it in the text, then type what its players get.'}
        </Text>
      )}
      {base !== null && places.length > 0 && (
        <ValueGrid
          label={`Values of ${rule.segment || 'the rule'}`}
          lines={lines}
          chosen={chosen}
          arms={arms}
          places={places.slice(0, rowsMax)}
          readOnly={readOnly}
          edits={edits}
          fresh={fresh}
          onHide={hide}
          onEdited={add}
          onSeen={readOnly ? null : setSeen}
        />
      )}
      {places.length > rowsMax && (
        <Button variant="default" size="xs" onClick={() => setRowsMax(rowsMax + rowsAtOnce)}>
          Show more places ({places.length - rowsMax} more)
        </Button>
      )}
      <EditStatus edits={edits} />
      <Missing arms={arms} versions={lines.map(({ appVersion }) => appVersion)} />
      <ForeignOperations arms={arms} chosen={chosen} />
      {base !== null && places.length === 0 && !readOnly && (
        <SeenButtons arms={arms} onSeen={setSeen} />
      )}
      <Suspense fallback={null}>
        {isPicking && (
          <PickDialog
            appVersion={line.appVersion}
            text={line.text}
            onClose={() => setIsPicking(false)}
            onPick={(tokens) => {
              addFresh(tokens);
              setIsPicking(false);
            }}
          />
        )}
        {seen !== null && (
          <SeenDialog
            arm={seen}
            lines={lines}
            first={chosen}
            onClose={() => setSeen(null)}
            onApply={(kind, source) => edits.setMutation(seen, kind, source)}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** What the last edit did, and the way back. */
function EditStatus({ edits }: { readonly edits: GridEdits }) {
  const { notice, mayUndo, undo } = edits;
  return (
    <Group gap="xs" role="status" mih={24}>
      {notice !== null && (
        <Text size="sm" {...(!notice.isImportant && { c: 'dimmed' })}>
          {notice.message}
        </Text>
      )}
      {mayUndo && (
        <Button size="compact-xs" variant="default" onClick={undo}>
          Undo
        </Button>
      )}
    </Group>
  );
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="yellow" variant="light" role="status" py="xs">
      {children}
    </Alert>
  );
}

interface MissingProps {
  readonly arms: readonly GridArm[];
  readonly versions: readonly string[];
}

/** The version lines that a change does not apply to: their players get the text without it. */
function Missing({ arms, versions }: MissingProps) {
  const found = arms.flatMap(({ name, columns, isBroken }) => {
    if (isBroken) return [`The change of ${name} has an error. Fix it in Source.`];
    return columns.flatMap((column, index) =>
      column?.result instanceof NotApplicable
        ? [
            `The change of ${name} does not apply to version ${versions[index]}: ${describeMiss(column.result)}. Its players get the text without it.`,
          ]
        : [],
    );
  });
  if (found.length === 0) return null;
  return (
    <Note>
      {found.map((sentence) => (
        <Text size="sm" key={sentence}>
          {sentence}
        </Text>
      ))}
    </Note>
  );
}

function describeMiss({ operation, reason }: NotApplicable): string {
  return operation < 0 ? reason : `operation ${operation + 1}, ${reason}`;
}

interface SeenButtonsProps {
  readonly arms: readonly GridArm[];
  readonly onSeen: (arm: GridArm) => void;
}

/** Without a grid there are no columns to start from. */
function SeenButtons({ arms, onSeen }: SeenButtonsProps) {
  return (
    <Group gap="xs">
      {arms
        .filter(({ isBroken }) => !isBroken)
        .map((arm) => (
          <Button
            key={arm.variant ?? -1}
            size="compact-sm"
            variant="default"
            onClick={() => onSeen(arm)}
          >
            Edit text as {seenBy(arm)}…
          </Button>
        ))}
    </Group>
  );
}
