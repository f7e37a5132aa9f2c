/** The times at which one window is open, as bars in a track; of a local one with the outline of the whole world. */
import styles from './calendar.module.css';
import type { Bar, WindowLine } from './calendar-rows.js';
import { describeConflicts, describeState, describeTimes } from './describe-entry.js';
import type { Scale } from './time-scale.js';
import { placed } from './track.js';
import type { WindowMove } from './use-window-move.js';

export interface WindowBarsProps {
  readonly line: WindowLine;
  readonly scale: Scale;
  /** Left out: they are only shown. */
  readonly move?: Pick<WindowMove, 'deltaMs' | 'ofBar'>;
}

export function WindowBars({ line, ...props }: WindowBarsProps) {
  return line.bars.map((bar) => <BarView key={bar.key} bar={bar} line={line} {...props} />);
}

interface BarViewProps extends WindowBarsProps {
  readonly bar: Bar;
}

function BarView({ bar, line, scale, move }: BarViewProps) {
  const { entry, conflicts } = line;
  const { ghost } = bar;
  const deltaMs = move?.deltaMs ?? 0;
  const times = describeTimes(bar.occurrence, entry.local, Date.now());
  const reasons = describeConflicts(conflicts);
  return (
    <>
      {ghost !== null && <div className={styles['ghost']} style={placed(scale, ghost, deltaMs)} />}
      <div
        className={styles['bar']}
        data-draft={!entry.live}
        data-conflict={conflicts.length > 0}
        data-moves={move !== undefined}
        title={[times, describeState(entry), reasons].filter(Boolean).join('\n')}
        style={placed(scale, bar, deltaMs)}
        {...move?.ofBar}
      />
    </>
  );
}
