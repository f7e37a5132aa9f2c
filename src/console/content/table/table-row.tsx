/** A row of the grid. It renders anew only when its own source, its selection or its place changes: a key concerns two rows, not all. */
import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import type { TextNode } from '../../../content/json/text-tree.js';
import { CellEditor, type Leave } from './cell-editor.js';
import { shownText, sourceOf } from './cell-text.js';
import styles from './table.module.css';
import { cellOf, type TableColumn } from './tables-of.js';
import type { Cells } from './use-cells.js';

export interface TableRowProps {
  readonly text: string;
  readonly object: TextNode;
  readonly columns: readonly TableColumn[];
  /** Its place in the array, from 0. */
  readonly row: number;
  /** Its place in the view, from 0. */
  readonly index: number;
  /** Pixels from the first row. */
  readonly top: number;
  /** Place of the active cell; -1: it is in another row. */
  readonly active: number;
  /** Of the selected cells; null: none is in this row. */
  readonly selectedFrom: number | null;
  readonly selectedTo: number | null;
  /** Of the active cell. */
  readonly editing: Cells['editing'];
  /** Stays the same function. */
  readonly onTake: (source: string, leave: Leave) => void;
  /** Stays the same function. */
  readonly onLeave: (leave: Leave) => void;
}

export const TableRow = memo(Row, isSame);

function Row({ text, object, columns, row, index, top, active, ...props }: TableRowProps) {
  const { selectedFrom, selectedTo, editing } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot have rows that are placed by hand.
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)` }}
      tabIndex={-1}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowheader" aria-colindex={1} className={styles['number']} tabIndex={-1}>
        {row + 1}
      </div>
      {columns.map(({ name, kind }, column) => {
        const node = cellOf(object, name);
        const isActive = active === column;
        const isInRange =
          selectedFrom !== null &&
          selectedTo !== null &&
          column >= selectedFrom &&
          column <= selectedTo;
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          <div
            key={name}
            role="gridcell"
            aria-colindex={column + 2}
            aria-selected={isActive || isInRange}
            data-column={column}
            data-kind={node?.kind ?? 'absent'}
            className={styles['cell']}
            tabIndex={isActive ? 0 : -1}
          >
            <span className={styles['value']}>{node === null ? '' : shownText(text, node)}</span>
            {node === null && <VisuallyHidden>not set</VisuallyHidden>}
            {isActive && editing !== null && (
              <CellEditor
                label={`${name} of row ${row + 1}`}
                {...{ text, node, kind, typed: editing.typed }}
                onTake={props.onTake}
                onLeave={props.onLeave}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** An edit elsewhere in the text makes other nodes of the same source: that is the same row. */
function isSame(before: TableRowProps, now: TableRowProps): boolean {
  return (
    before.row === now.row &&
    before.index === now.index &&
    before.top === now.top &&
    before.active === now.active &&
    before.selectedFrom === now.selectedFrom &&
    before.selectedTo === now.selectedTo &&
    before.editing === now.editing &&
    before.onTake === now.onTake &&
    before.onLeave === now.onLeave &&
    sameColumns(before.columns, now.columns) &&
    (before.object === now.object ||
      sourceOf(before.text, before.object) === sourceOf(now.text, now.object))
  );
}

function sameColumns(before: readonly TableColumn[], now: readonly TableColumn[]): boolean {
  if (before === now) return true;
  if (before.length !== now.length) return false;
  return now.every(({ name, kind }, at) => name === before[at]?.name && kind === before[at]?.kind);
}
