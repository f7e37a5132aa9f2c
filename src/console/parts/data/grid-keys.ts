/** The keys that move between the cells of a grid, as in the grid pattern of the ARIA Authoring Practices. Pure. */
import type { KeyboardEvent } from 'react';

/** Both from 0. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

const rowsOfPage = 10;

/** The nearest place that the grid has. */
export function placeWithin({ row, column }: CellPlace, { rows, columns }: GridSize): CellPlace {
  return {
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  };
}

/** @returns null: the key moves nothing */
export function placeAfterKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  { row, column }: CellPlace,
  size: GridSize,
): CellPlace | null {
  if (altKey) return null;
  const isFar = ctrlKey || metaKey;
  const [firstRow, lastRow] = [0, size.rows - 1];
  const [firstColumn, lastColumn] = [0, size.columns - 1];
  const to = (place: CellPlace): CellPlace => placeWithin(place, size);
  switch (key) {
    case 'ArrowUp':
      return to({ row: isFar ? firstRow : row - 1, column });
    case 'ArrowDown':
      return to({ row: isFar ? lastRow : row + 1, column });
    case 'ArrowLeft':
      return to({ row, column: isFar ? firstColumn : column - 1 });
    case 'ArrowRight':
      return to({ row, column: isFar ? lastColumn : column + 1 });
    case 'Home':
      return to({ row: isFar ? firstRow : row, column: firstColumn });
    case 'End':
      return to({ row: isFar ? lastRow : row, column: lastColumn });
    case 'PageUp':
      return to({ row: row - rowsOfPage, column });
    case 'PageDown':
      return to({ row: row + rowsOfPage, column });
    default:
      return null;
  }
}
