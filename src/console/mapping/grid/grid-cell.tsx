/** One cell of the grid: its value, or the editor of it. */
import { Text, VisuallyHidden } from '@mantine/core';
import { printPlain } from '../../../content/derive/plain-value.js';
import type { WantedValue } from '../../../content/derive/set-cell.js';
import { IconLock } from '../../icons/icons.js';
import type { CellPlace } from '../../parts/data/grid-keys.js';
import { CellEditor } from './cell-editor.js';
import styles from './grid.module.css';
import type { GridCellModel } from './grid-cells.js';
import { shownValue } from './grid-model.js';
import type { useGridFocus } from './use-grid-focus.js';

export interface GridCellProps {
  readonly at: CellPlace;
  readonly label: string;
  readonly columnName: string;
  readonly cell: GridCellModel;
  readonly keys: ReturnType<typeof useGridFocus>;
  readonly onSet: (wanted: WantedValue) => void;
}

export function GridCell({ at, label, columnName, cell, keys, onSet }: GridCellProps) {
  const { row, column } = at;
  const { active, open } = keys;
  const isActive = active.row === row && active.column === column;
  const isOpen = open?.row === row && open.column === column;
  const { state, value, base, isEditable, mayRemove } = cell;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its cells.
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid takes the focus.
      role="gridcell"
      className={styles['cell']}
      data-at={`${row}:${column}`}
      data-state={state}
      data-editable={isEditable}
      aria-readonly={!isEditable}
      tabIndex={isActive && !isOpen ? 0 : -1}
      onClick={() => {
        if (!isOpen) keys.openCell(at);
      }}
    >
      {isOpen ? (
        <CellEditor
          label={label}
          source={value === null ? null : printPlain(value, true)}
          like={base === null ? null : printPlain(base, true)}
          typed={open.typed}
          mayReset={state === 'set' || state === 'removed'}
          mayRemove={mayRemove}
          onDone={(wanted, after) => {
            keys.close(after);
            if (wanted !== null) onSet(wanted);
          }}
        />
      ) : (
        <>
          <VisuallyHidden>{label}: </VisuallyHidden>
          <span className={styles['columnName']} aria-hidden>
            {columnName}
          </span>
          <CellValue cell={cell} />
        </>
      )}
    </td>
  );
}

function CellValue({ cell }: { readonly cell: GridCellModel }) {
  const { state, value, note } = cell;
  const words = value === null ? absent(state) : shownValue(value);
  return (
    <>
      <span className={`mono ${styles[state === 'base' ? 'asBase' : 'value']}`}>{words}</span>
      {state === 'base' && (
        <Text span size="xs" c="dimmed" display="block">
          as base
        </Text>
      )}
      {state === 'source' && (
        <Text span size="xs" c="dimmed" display="block">
          <IconLock size={12} aria-hidden /> see Source
        </Text>
      )}
      {note !== '' && (
        <Text span size="xs" c="dimmed" display="block">
          {note}
        </Text>
      )}
    </>
  );
}

function absent(state: GridCellModel['state']): string {
  return state === 'removed' ? 'removed' : 'not there';
}
