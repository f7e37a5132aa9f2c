/** The boxes that select rows. Native ones: there is one in each row. */
import { type MouseEvent, useEffect, useRef } from 'react';
import { type RowSelection, useIsSelected, useShare } from './row-selection.js';
import styles from './rows.module.css';

export interface SelectBoxProps {
  readonly selection: RowSelection;
  readonly id: string;
  /** With Shift: all rows up to this one. */
  readonly onExtend: (id: string) => void;
}

export function SelectBox({ selection, id, onExtend }: SelectBoxProps) {
  const isSelected = useIsSelected(selection, id);
  const click = (event: MouseEvent): void => {
    if (event.shiftKey) onExtend(id);
    else selection.toggle(id);
  };
  return (
    <label className={styles['target']}>
      <input
        type="checkbox"
        className={styles['box']}
        aria-label={`Select ${id}`}
        checked={isSelected}
        onClick={click}
        onChange={() => {}}
      />
    </label>
  );
}

export interface SelectSomeProps {
  readonly selection: RowSelection;
  readonly ids: readonly string[];
  readonly label: string;
}

/** Selects some rows at once, or leaves them out. */
export function SelectSome({ selection, ids, label }: SelectSomeProps) {
  const share = useShare(selection, ids);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = share === 'some';
  }, [share]);
  return (
    <label className={styles['target']}>
      <input
        ref={box}
        type="checkbox"
        className={styles['box']}
        aria-label={label}
        checked={share === 'all'}
        onChange={() => selection.set(ids, share !== 'all')}
      />
    </label>
  );
}
