/** An interval on the scale of its table: the line of no effect, where the effect may lie, and the best guess as a dot. */

import { type EffectScale, placeInterval } from '../../../contract/results/effect-scale.js';
import { formatEffect, formatInterval } from '../../../contract/results/effect-words.js';
import type { Comparison } from '../../../contract/schemas/experiment-results.js';
import classes from './intervals.module.css';

export interface IntervalBarProps {
  readonly comparison: Pick<Comparison, 'interval' | 'effect' | 'verdict'>;
  readonly scale: EffectScale;
}

export function IntervalBar({ comparison, scale }: IntervalBarProps) {
  const placed = placeInterval(scale, comparison);
  const { effect, interval, verdict } = comparison;
  return (
    <div
      className={classes['bar']}
      role="img"
      aria-label={`${formatEffect(effect)}, interval ${formatInterval(interval)}`}
    >
      <span className={classes['zero']} />
      {placed !== null && (
        <>
          <span
            className={classes['interval']}
            data-verdict={verdict}
            data-open-left={placed.isOpenLeft}
            data-open-right={placed.isOpenRight}
            style={{ left: `${placed.from}%`, width: `${Math.max(0.5, placed.to - placed.from)}%` }}
          />
          {placed.effect !== null && (
            <span className={classes['effect']} style={{ left: `${placed.effect}%` }} />
          )}
        </>
      )}
    </div>
  );
}

/** The ends and the middle of the scale, above the intervals. */
export function ScaleAxis({ scale: { limit } }: { readonly scale: EffectScale }) {
  return (
    <div className={classes['axis']} aria-hidden>
      <span>{formatEffect(-limit)}</span>
      <span>0</span>
      <span>{formatEffect(limit)}</span>
    </div>
  );
}
