/** One line of the palette. */
import { Badge } from '@mantine/core';
import { Fragment } from 'react';
import {
  IconArrowsSplit,
  IconBolt,
  IconFileCode,
  IconFlask,
  IconLayoutSidebar,
  IconRocket,
  IconSearch,
  IconStack2,
  IconUser,
  IconUsersGroup,
} from '../icons/icons.js';
import type { EntryKind } from './entry.js';
import { Keys } from './keys.js';
import styles from './palette.module.css';
import type { FoundEntry } from './palette-index.js';

const kinds: Readonly<Record<EntryKind, readonly [label: string, icon: typeof IconBolt]>> = {
  command: ['Action', IconBolt],
  page: ['Page', IconLayoutSidebar],
  environment: ['Environment', IconStack2],
  content: ['Content item', IconFileCode],
  rule: ['Rule', IconArrowsSplit],
  segment: ['Segment', IconUsersGroup],
  experiment: ['Experiment', IconFlask],
  release: ['Release', IconRocket],
  person: ['Person', IconUser],
  search: ['Search', IconSearch],
};

export interface OptionRowProps extends FoundEntry {
  readonly id: string;
  readonly isActive: boolean;
  /** The pointer is on it. */
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

/** The focus stays in the field; the option is what `aria-activedescendant` names. */
export function OptionRow({ id, entry, ranges, isActive, onPoint, onChoose }: OptionRowProps) {
  const { kind, name, detail, shortcut, isUnsaved = false } = entry;
  const disabledReason = entry.disabledReason ?? null;
  const [label, Icon] = kinds[kind];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field that owns the list.
    // biome-ignore lint/a11y/useFocusableInteractive: as above.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={disabledReason !== null}
      className={styles['option']}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onChoose}
    >
      <Icon size={16} aria-hidden className={styles['icon']} />
      <span className={styles['name']}>
        <Marked name={name} ranges={ranges} />
        <Detail text={disabledReason ?? detail} />
      </span>
      {isUnsaved && (
        <Badge variant="light" size="sm">
          Unsaved
        </Badge>
      )}
      {shortcut !== undefined && <Keys keys={shortcut} />}
      <span className={styles['kind']}>{label}</span>
    </div>
  );
}

function Detail({ text }: { readonly text: string }) {
  return text === '' ? null : <span className={styles['detail']}> {text}</span>;
}

/** The name, with what was found in it marked. */
function Marked({ name, ranges }: { readonly name: string; readonly ranges: readonly number[] }) {
  const bounds = [0, ...ranges, name.length];
  return bounds.slice(1).map((end, index) => {
    const start = bounds[index] ?? 0;
    const piece = name.slice(start, end);
    return index % 2 === 1 ? (
      <mark key={start} className={styles['found']}>
        {piece}
      </mark>
    ) : (
      <Fragment key={`${start}-${end}`}>{piece}</Fragment>
    );
  });
}
