/** The rows of the calendar under one axis. Only the rows in sight are rendered. */
import { Anchor, Title } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { CalendarWindow } from '../../contract/operations/calendar.js';
import { pathOf } from '../parts/environments.js';
import { Axis } from './axis.js';
import styles from './calendar.module.css';
import type { CalendarRow, WindowLine } from './calendar-rows.js';
import { ReleaseLineView } from './release-line.js';
import type { Scale } from './time-scale.js';
import { WindowLineView } from './window-line.js';

export interface TimelineProps {
  readonly env: string;
  readonly rows: readonly CalendarRow[];
  readonly scale: Scale;
  /** Id of the entry whose line takes the focus; null: none. */
  readonly focused: string | null;
  readonly onFocused: () => void;
  readonly onOpen: (line: WindowLine) => void;
  readonly onMove: (entry: CalendarWindow, deltaMs: number) => void;
}

const lineHeight = 34;
const headHeight = 36;
const rowsBeyondSight = 6;

export function Timeline(props: TimelineProps) {
  const { env, rows, scale, focused, onFocused, onOpen, onMove } = props;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => headHeight + lineHeight * (rows[index]?.lines.length ?? 1),
    overscan: rowsBeyondSight,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.content ?? '',
  });
  useLayoutEffect(() => {
    const next = Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    if (next !== top) setTop(next);
  });
  useEffect(() => {
    if (focused === null) return;
    const row = rows.findIndex(({ lines }) => lines.some(({ entry }) => entry.id === focused));
    if (row >= 0) virtual.scrollToIndex(row, { align: 'auto' });
    // The row may have to be rendered first.
    const frame = requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(focused)}"]`)?.focus();
      onFocused();
    });
    return () => cancelAnimationFrame(frame);
  }, [focused, rows, virtual, onFocused]);
  const items = virtual.getVirtualItems();
  return (
    <section aria-label="Time line" className={styles['board']}>
      <Axis scale={scale} />
      <ul ref={list} className={styles['rows']} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles['row']}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <Title order={2} size="h6" className={styles['item']}>
                {row.content === null ? (
                  'No content item'
                ) : (
                  <Anchor
                    component={Link}
                    href={pathOf.content(env, row.content, 'mapping')}
                    display="inline-block"
                    lh="24px"
                  >
                    {row.content}
                  </Anchor>
                )}
              </Title>
              <ul className={styles['lines']}>
                {row.lines.map((line) => (
                  <li key={line.entry.id} className={styles['line']}>
                    {line.kind === 'window' ? (
                      <WindowLineView
                        line={line}
                        scale={scale}
                        onOpen={() => onOpen(line)}
                        onMove={(deltaMs) => onMove(line.entry, deltaMs)}
                      />
                    ) : (
                      <ReleaseLineView env={env} line={line} scale={scale} />
                    )}
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
