/** Which cell of a grid is the active one, which are selected, and which is edited; with the keys that move it. */
import { type KeyboardEvent, useState } from 'react';
import { type CellPlace, placeAfterKey, placeWithin } from '../../parts/data/grid-keys.js';

/** Places in the view. */
export interface CellRange {
  readonly from: CellPlace;
  readonly to: CellPlace;
}

export interface Cells {
  readonly active: CellPlace;
  readonly range: CellRange;
  /** What its editor begins with; null: no cell is edited. */
  readonly editing: { readonly typed: string | null } | null;
  /** @param extends whether the selection grows to there, instead of beginning there */
  goTo(place: CellPlace, extend?: boolean): void;
  /** @param typed replaces the value; null: the editor begins with it */
  edit(typed: string | null): void;
  leaveEditor(): void;
  /** @returns whether the key moved the active cell */
  move(event: KeyboardEvent): boolean;
}

export function useCells(rows: number, columns: number): Cells {
  const [anchor, setAnchor] = useState<CellPlace>({ row: 0, column: 0 });
  const [head, setHead] = useState<CellPlace>(anchor);
  const [editing, setEditing] = useState<Cells['editing']>(null);
  const size = { rows, columns };
  const within = (place: CellPlace): CellPlace => placeWithin(place, size);
  const active = within(head);
  const other = within(anchor);
  const goTo = (place: CellPlace, extend = false): void => {
    const next = within(place);
    setEditing(null);
    setHead(next);
    if (!extend) setAnchor(next);
  };
  return {
    active,
    range: {
      from: {
        row: Math.min(active.row, other.row),
        column: Math.min(active.column, other.column),
      },
      to: { row: Math.max(active.row, other.row), column: Math.max(active.column, other.column) },
    },
    editing,
    goTo,
    edit: (typed) => {
      setAnchor(active);
      setEditing({ typed });
    },
    leaveEditor: () => setEditing(null),
    move: (event) => {
      const next = placeAfterKey(event, active, size);
      if (next === null) return false;
      goTo(next, event.shiftKey);
      return true;
    },
  };
}
