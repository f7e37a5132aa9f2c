/** Places of the text as rows, what everybody gets and each variant as columns, values as cells. */
import { ActionIcon, Button, Group } from '@mantine/core';
import { useEffect, useMemo, useRef } from 'react';
import type { Tokens } from '../../../content/derive/plain-value.js';
import type { WantedValue } from '../../../content/derive/set-cell.js';
import { pointerText } from '../../../content/json/pointer-text.js';
import { IconX } from '../../icons/icons.js';
import type { CellPlace } from '../../parts/data/grid-keys.js';
import { variantColour } from '../rules/variant-colours.js';
import styles from './grid.module.css';
import { GridCell } from './grid-cell.js';
import { cellOf, columnsOf, type GridCellModel, type GridColumn, nothing } from './grid-cells.js';
import { type GridArm, type GridLine, seenBy } from './grid-model.js';
import { describePlace } from './grid-words.js';
import type { GridEdits } from './use-grid-edits.js';
import { useGridFocus } from './use-grid-focus.js';

/** Another object each time, even of the same place. */
export interface FreshPlace {
  readonly tokens: Tokens;
}

export interface ValueGridProps {
  /** Of the rule, for screen readers. */
  readonly label: string;
  readonly lines: readonly GridLine[];
  /** Index of the version line that the arms are shown on. */
  readonly chosen: number;
  readonly arms: readonly GridArm[];
  readonly places: readonly Tokens[];
  readonly readOnly: boolean;
  readonly edits: GridEdits;
  /** A place that was just added: its first cell to type in takes the focus. */
  readonly fresh: FreshPlace | null;
  /** Hides a place that no arm writes. */
  readonly onHide: (tokens: Tokens) => void;
  /** The place has been edited: it stays, whatever it is set to. */
  readonly onEdited: (tokens: Tokens) => void;
  /** Edits the text as players of an arm get it; null: the user may not edit. */
  readonly onSeen: ((arm: GridArm) => void) | null;
}

export function ValueGrid(props: ValueGridProps) {
  const { label, lines, chosen, arms, places, readOnly, edits, fresh, onHide, onEdited, onSeen } =
    props;
  const columns = useMemo(() => columnsOf(lines, chosen, arms), [lines, chosen, arms]);
  const cells = places.map((tokens) =>
    columns.map((column) => cellOf(column, tokens, lines, chosen, readOnly)),
  );
  const cellAt = ({ row, column }: CellPlace): GridCellModel | undefined => cells[row]?.[column];
  const set = ({ row, column }: CellPlace, wanted: WantedValue): void => {
    const [tokens, { line, arm }] = [places[row], columns[column] ?? {}];
    const base = lines[chosen]?.base ?? null;
    if (tokens === undefined) return;
    onEdited(tokens);
    if (arm && base !== null) edits.setArm(arm, base, tokens, wanted);
    else if (line) edits.setBase(line, tokens, wanted);
  };
  const keys = useGridFocus({
    rows: places.length,
    columns: columns.length,
    isEditable: (place) => cellAt(place)?.isEditable === true,
    onReset: (place) => {
      const state = cellAt(place)?.state;
      if (state === 'set' || state === 'removed') set(place, { kind: 'base' });
    },
    onUndo: edits.undo,
  });
  const latest = useRef({ places, columns, focus: keys.focus });
  useEffect(() => {
    latest.current = { places, columns, focus: keys.focus };
  });
  useEffect(() => {
    if (fresh === null) return;
    const { focus, ...now } = latest.current;
    const pointer = pointerText(fresh.tokens);
    const row = now.places.findIndex((tokens) => pointerText(tokens) === pointer);
    if (row >= 0) focus({ row, column: firstToType(now.columns) });
  }, [fresh]);
  const hide = (tokens: Tokens, row: number): void => {
    onHide(tokens);
    if (places.length > 1) keys.focus({ row: Math.min(row, places.length - 2), column: 0 });
  };

  return (
    <div className={styles['scroll']}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: keys move between its cells (ARIA, grid pattern).
        role="grid"
        aria-label={label}
        className={styles['grid']}
        ref={keys.table}
        onKeyDown={keys.onKeyDown}
      >
        <thead>
          <tr>
            <th scope="col">Place</th>
            {columns.map(({ name, arm }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; names may repeat.
              <th scope="col" key={index}>
                <ColumnHead name={name} arm={arm} chosen={chosen} onSeen={onSeen} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map((tokens, row) => {
            const pointer = pointerText(tokens);
            const isUnset = cells[row]?.every(
              ({ state }) => state === 'everybody' || state === 'base',
            );
            return (
              <tr key={pointer}>
                <th scope="row">
                  <RowHead
                    tokens={tokens}
                    onHide={isUnset === true ? () => hide(tokens, row) : null}
                  />
                </th>
                {columns.map(({ name }, column) => (
                  <GridCell
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; names may repeat.
                    key={column}
                    at={{ row, column }}
                    label={`${describePlace(tokens)} of ${name}`}
                    columnName={name}
                    cell={cells[row]?.[column] ?? nothing}
                    keys={keys}
                    onSet={(wanted) => set({ row, column }, wanted)}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The first arm that changes something; a control is rarely what a place was added for. */
function firstToType(columns: readonly GridColumn[]): number {
  const changing = columns.findIndex(({ arm }) => arm !== null && arm.mutation !== null);
  return changing >= 0
    ? changing
    : Math.max(
        0,
        columns.findIndex(({ arm }) => arm !== null),
      );
}

interface ColumnHeadProps {
  readonly name: string;
  readonly arm: GridArm | null;
  readonly chosen: number;
  readonly onSeen: ValueGridProps['onSeen'];
}

function ColumnHead({ name, arm, chosen, onSeen }: ColumnHeadProps) {
  const maySee = arm !== null && arm.columns[chosen] !== null && onSeen !== null;
  return (
    <Group gap={6} justify="space-between" wrap="nowrap" align="flex-start">
      <Group gap={6} wrap="nowrap">
        {arm !== null && arm.variant !== null && (
          <span
            className={styles['swatch']}
            style={{ background: variantColour(arm.variant).fill }}
          />
        )}
        <span>{name}</span>
      </Group>
      {maySee && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`Edit text… as ${seenBy(arm)}`}
          onClick={() => onSeen(arm)}
        >
          Edit text…
        </Button>
      )}
    </Group>
  );
}

interface RowHeadProps {
  readonly tokens: Tokens;
  /** Null: an arm writes the place, so it is shown. */
  readonly onHide: (() => void) | null;
}

function RowHead({ tokens, onHide }: RowHeadProps) {
  const place = describePlace(tokens);
  return (
    <Group gap={4} wrap="nowrap" justify="space-between" align="flex-start">
      <span className={`mono ${styles['place']}`}>{place}</span>
      {onHide !== null && (
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={`Hide ${place}`}
          onClick={onHide}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
