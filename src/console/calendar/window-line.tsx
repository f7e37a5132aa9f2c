/** One window as a line: its name, and a bar for each occurrence. It is moved by dragging a bar, or with the arrow keys. */
import { Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle } from '../icons/icons.js';
import styles from './calendar.module.css';
import type { WindowLine } from './calendar-rows.js';
import {
  describeConflicts,
  describeRepeats,
  describeShift,
  describeState,
  describeTimes,
} from './describe-entry.js';
import type { Scale } from './time-scale.js';
import { Backdrop, onFocusToo } from './track.js';
import { useWindowMove } from './use-window-move.js';
import { WindowBars } from './window-bars.js';

export interface WindowLineProps {
  readonly line: WindowLine;
  readonly scale: Scale;
  readonly onOpen: () => void;
  readonly onMove: (deltaMs: number) => void;
}

export function WindowLineView({ line, scale, onOpen, onMove }: WindowLineProps) {
  const { entry, conflicts } = line;
  const reasons = describeConflicts(conflicts);
  const { deltaMs, finish, cancel, onKeyDown, ofBar } = useWindowMove(scale, (movedMs) => {
    if (movedMs === 0) onOpen();
    else onMove(movedMs);
  });
  return (
    <>
      <Tooltip label={reasons} disabled={reasons === ''} multiline maw={420} events={onFocusToo}>
        <UnstyledButton
          className={styles['label'] ?? ''}
          data-entry={entry.id}
          aria-label={describeLine(line)}
          onClick={finish}
          onKeyDown={onKeyDown}
          onBlur={cancel}
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
        <WindowBars line={line} scale={scale} move={{ deltaMs, ofBar }} />
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
