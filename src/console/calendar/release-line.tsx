/** A release that reaches a content item, as a line: from its start until it is live for all, with its steps. */
import { Anchor, Tooltip } from '@mantine/core';
import { Link } from 'wouter';
import { IconAlertTriangle, IconRocket } from '../icons/icons.js';
import { pathOf } from '../parts/environments.js';
import styles from './calendar.module.css';
import type { ReleaseLine } from './calendar-rows.js';
import { describeConflicts, describeRelease } from './describe-entry.js';
import { ReleaseBars } from './release-bars.js';
import type { Scale } from './time-scale.js';
import { Backdrop, onFocusToo } from './track.js';

export interface ReleaseLineProps {
  readonly env: string;
  readonly line: ReleaseLine;
  readonly scale: Scale;
}

export function ReleaseLineView({ env, line, scale }: ReleaseLineProps) {
  const { entry, conflicts } = line;
  const now = Date.now();
  const reasons = describeConflicts(conflicts);
  const words = describeRelease(entry, now);
  return (
    <>
      <Tooltip label={reasons} disabled={reasons === ''} multiline maw={420} events={onFocusToo}>
        <Anchor
          component={Link}
          href={pathOf.release(env, entry.release)}
          className={styles['label'] ?? ''}
          data-entry={entry.id}
          aria-label={`${words}.${reasons === '' ? '' : ` Conflict: ${reasons}`}`}
          size="sm"
        >
          {conflicts.length > 0 ? (
            <IconAlertTriangle size={14} aria-hidden className={styles['warning'] ?? ''} />
          ) : (
            <IconRocket size={14} aria-hidden />
          )}
          <span className={styles['name']}>
            #{entry.release} {entry.title}
          </span>
        </Anchor>
      </Tooltip>
      <div className={styles['track']} aria-hidden>
        <Backdrop scale={scale} />
        <ReleaseBars line={line} scale={scale} />
      </div>
    </>
  );
}
