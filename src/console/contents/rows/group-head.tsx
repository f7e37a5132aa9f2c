/** The head of a group in the list: its name, how many items it has, and whether they are shown. */
import { IconChevronRight } from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import type { ContentGroup } from './list-groups.js';
import styles from './rows.module.css';

export interface GroupHeadProps {
  readonly group: ContentGroup;
  readonly isOpen: boolean;
  readonly onToggle: (group: ContentGroup) => void;
}

export function GroupHead({ group, isOpen, onToggle }: GroupHeadProps) {
  return (
    <button
      type="button"
      className={styles['group']}
      aria-expanded={isOpen}
      onClick={() => onToggle(group)}
    >
      <IconChevronRight size={16} aria-hidden className={styles['chevron']} />
      {group.label}
      <span className={styles['count']}>{counted(group.contents.length, 'item')}</span>
    </button>
  );
}
