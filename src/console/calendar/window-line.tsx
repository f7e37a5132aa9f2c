/** One window as a line: its name, and a bar for each occurrence. It is moved by dragging a bar, or with the arrow keys. */
import { Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { msPerDay } from '../parts/time/wall-time.js';
import styles from './calendar.module.css';
import type { Bar, WindowLine } from './calendar-rows.js';
import {
  describeConflicts,
  describeRepeats,
  describeShift,
  describeState,
  describeTimes,
} from './describe-entry.js';
import { draggedMs, type Scale, stepMs } from './time-scale.js';
import { Backdrop, onFocusToo, placed } from './track.js';

export interface WindowLineProps {
  readonly line: WindowLine;
  readonly scale: Scale;
  readonly onOpen: () => void;
  readonly onMove: (deltaMs: number) => void;
}

/** A shorter movement of the pointer is a click. */
const clickPixels = 4;

export function WindowLineView({ line, scale, onOpen, onMove }: WindowLineProps) {
  const [deltaMs, setDelta] = useState(0);
  const drag = useRef<{ readonly startX: number; readonly width: number } | null>(null);
  const { entry, conflicts } = line;
  const reasons = describeConflicts(conflicts);
  const finish = (): void => {
    setDelta(0);
    if (deltaMs === 0) onOpen();
    else onMove(deltaMs);
  };
  const press = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (direction !== undefined) {
      const step = event.shiftKey ? 7 * msPerDay : stepMs[scale.zoom];
      setDelta(deltaMs + direction * step);
    } else if (event.key === 'Escape' && deltaMs !== 0) setDelta(0);
    else return;
    event.preventDefault();
  };
  const grab = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const width = event.currentTarget.parentElement?.clientWidth ?? 1;
    drag.current = { startX: event.clientX, width };
  };
  const pull = (event: PointerEvent): void => {
    if (drag.current === null) return;
    const pixels = event.clientX - drag.current.startX;
    const isClick = Math.abs(pixels) < clickPixels;
    setDelta(isClick ? 0 : draggedMs(scale, pixels, drag.current.width));
  };
  const drop = (): void => {
    if (drag.current === null) return;
    drag.current = null;
    finish();
  };
  const cancel = (): void => {
    drag.current = null;
    setDelta(0);
  };
  return (
    <>
      <Tooltip label={reasons} disabled={reasons === ''} multiline maw={420} events={onFocusToo}>
        <UnstyledButton
          className={styles['label'] ?? ''}
          data-entry={entry.id}
          aria-label={describeLine(line)}
          onClick={finish}
          onKeyDown={press}
          onBlur={() => setDelta(0)}
        >
          {conflicts.length > 0 && (
            <IconAlertTriangle size={14} aria-hidden className={styles['warning'] ?? ''} />
          )}
          <Text component="span" size="sm" truncate>
            {entry.segment}
          </Text>
        </UnstyledButton>
      </Tooltip>
      <div className={styles['track']} aria-hidden>
        <Backdrop scale={scale} />
        {line.bars.map((bar) => (
          <BarView
            key={bar.key}
            {...{ bar, line, scale, deltaMs }}
            onPointerDown={grab}
            onPointerMove={pull}
            onPointerUp={drop}
            onPointerCancel={cancel}
          />
        ))}
        {deltaMs !== 0 && (
          <Text component="span" size="xs" className={styles['shift'] ?? ''}>
            {describeShift(deltaMs)}
          </Text>
        )}
      </div>
      <VisuallyHidden role="status">
        {deltaMs !== 0 &&
          `${describeShift(deltaMs)}. Press Enter to review the move, Escape to take it back.`}
      </VisuallyHidden>
    </>
  );
}

/** What the line shows, for those who do not see it. */
function describeLine({ entry, bars, conflicts }: WindowLine): string {
  const repeats = describeRepeats(entry);
  const now = Date.now();
  const times =
    repeats ?? bars.map(({ occurrence }) => describeTimes(occurrence, entry.local, now))[0];
  const reasons = conflicts.length === 0 ? '' : ` Conflict: ${describeConflicts(conflicts)}`;
  const sentence = `${entry.segment}, ${describeState(entry)}: ${times ?? 'closed in this range.'}`;
  return (sentence.endsWith('.') ? sentence : `${sentence}.`) + reasons;
}

interface BarViewProps
  extends Pick<
    React.ComponentProps<'div'>,
    'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel'
  > {
  readonly bar: Bar;
  readonly line: WindowLine;
  readonly scale: Scale;
  readonly deltaMs: number;
}

function BarView({ bar, line, scale, deltaMs, ...handlers }: BarViewProps) {
  const { entry, conflicts } = line;
  const { ghost } = bar;
  const times = describeTimes(bar.occurrence, entry.local, Date.now());
  const reasons = describeConflicts(conflicts);
  return (
    <>
      {ghost !== null && <div className={styles['ghost']} style={placed(scale, ghost, deltaMs)} />}
      <div
        className={styles['bar']}
        data-draft={!entry.live}
        data-conflict={conflicts.length > 0}
        title={[times, describeState(entry), reasons].filter(Boolean).join('\n')}
        style={placed(scale, bar, deltaMs)}
        {...handlers}
      />
    </>
  );
}
