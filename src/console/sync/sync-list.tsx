/** The content items of a dry run. Only those in sight are drawn: there may be thousands. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { SyncItem } from './sync-items.js';
import styles from './sync-list.module.css';
import { SyncRow } from './sync-row.js';

export interface SyncListProps {
  readonly items: readonly SyncItem[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (id: string, isOn: boolean) => void;
}

const rowHeight = 61;

export function SyncList({ items, chosen, onToggle }: SyncListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  // Alerts above may come and go, so every render measures it again.
  useLayoutEffect(() => {
    if (list.current !== null) {
      setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    }
  });
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (at) => items[at]?.id ?? at,
  });
  const toggleOpened = (id: string): void => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  return (
    <ul
      ref={list}
      className={styles['list']}
      aria-label="Content items"
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map(({ key, index, start }) => {
        const item = items[index];
        if (item === undefined) return null;
        return (
          <li
            key={key}
            ref={rows.measureElement}
            data-index={index}
            className={styles['item']}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <SyncRow
              item={item}
              isChosen={chosen.has(item.id)}
              onChosen={(isOn) => onToggle(item.id, isOn)}
              isOpen={opened.has(item.id)}
              onOpen={() => toggleOpened(item.id)}
            />
          </li>
        );
      })}
    </ul>
  );
}
