/** A release in a track: from its start until it is live for all, with its steps. */
import { formatInstant } from '../parts/time/wall-time.js';
import styles from './calendar.module.css';
import type { ReleaseLine } from './calendar-rows.js';
import { describeConflicts, describeRelease } from './describe-entry.js';
import type { Scale } from './time-scale.js';
import { placed } from './track.js';

export interface ReleaseBarsProps {
  readonly line: ReleaseLine;
  readonly scale: Scale;
}

export function ReleaseBars({ line, scale }: ReleaseBarsProps) {
  const { entry, steps, conflicts } = line;
  const now = Date.now();
  const title = [describeRelease(entry, now), describeConflicts(conflicts)].filter(Boolean);
  return (
    <>
      <div
        className={styles['release']}
        data-projected={entry.projected}
        data-conflict={conflicts.length > 0}
        title={title.join('\n')}
        style={placed(scale, spanOf(entry))}
      />
      {steps.map((step) => (
        <div
          key={step.id}
          className={styles['step']}
          title={`${step.percent} % from ${formatInstant(Date.parse(step.from), now)}`}
          style={placed(scale, spanOf(step))}
        />
      ))}
    </>
  );
}

function spanOf({ from, until }: { readonly from: string; readonly until: string | null }) {
  return {
    startMs: Date.parse(from),
    endMs: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
  };
}
