/** Moves between the cells of the grid by keys, and opens one: as in a spreadsheet. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type CellPlace, placeAfterKey, placeWithin } from '../../parts/data/grid-keys.js';

/** Where the focus goes after an edit; `left`: it has gone elsewhere. */
export type AfterEdit = 'stay' | 'next' | 'previous' | 'left';

export interface OpenCell extends CellPlace {
  /** Typed over the closed cell; null: it was opened to change what is there. */
  readonly typed: string | null;
}

export interface GridFocusOptions {
  readonly rows: number;
  readonly columns: number;
  readonly isEditable: (place: CellPlace) => boolean;
  /** Delete and Backspace. */
  readonly onReset: (place: CellPlace) => void;
  readonly onUndo: () => void;
}

export function useGridFocus({ rows, columns, isEditable, onReset, onUndo }: GridFocusOptions) {
  const table = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const [open, setOpen] = useState<OpenCell | null>(null);
  const wanted = useRef<CellPlace | null>(null);
  // The cell that takes the focus may have to be rendered first.
  useEffect(() => {
    const { current: place } = wanted;
    if (place === null || open !== null) return;
    wanted.current = null;
    table.current?.querySelector<HTMLElement>(`[data-at="${place.row}:${place.column}"]`)?.focus();
  });
  const focus = (place: CellPlace): void => {
    wanted.current = place;
    setActive({ ...place });
  };
  const openCell = (place: CellPlace, typed: string | null = null): void => {
    setActive(place);
    if (isEditable(place)) setOpen({ ...place, typed });
  };
  const close = (after: AfterEdit): void => {
    const from = open;
    setOpen(null);
    if (from === null || after === 'left') return;
    const by = after === 'next' ? 1 : after === 'previous' ? -1 : 0;
    focus(stepFrom(from, by, rows, columns));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const place = placeOf(event.target);
    if (place === null) return;
    const key = event.key;
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    const next = placeAfterKey(event, place, { rows, columns });
    if (next !== null) focus(next);
    else if ((event.ctrlKey || event.metaKey) && key === 'z') onUndo();
    else if (isShortcut) return;
    else if (key === 'Enter' || key === 'F2') openCell(place);
    else if (key === 'Delete' || key === 'Backspace') {
      if (isEditable(place)) onReset(place);
    } else if (key.length === 1 && isEditable(place)) openCell(place, key);
    else return;
    event.preventDefault();
  };
  // Rows may have gone.
  const shown = placeWithin(active, { rows, columns });
  return { table, active: shown, open, openCell, close, focus, onKeyDown };
}

function placeOf(target: EventTarget): CellPlace | null {
  const at = target instanceof HTMLElement ? target.dataset['at'] : undefined;
  if (at === undefined) return null;
  const [row = 0, column = 0] = at.split(':').map(Number);
  return { row, column };
}

/** The next or previous cell, row by row; the last one stays. */
function stepFrom(
  { row, column }: CellPlace,
  by: number,
  rows: number,
  columns: number,
): CellPlace {
  const at = Math.min(rows * columns - 1, Math.max(0, row * columns + column + by));
  return { row: Math.floor(at / columns), column: at % columns };
}
