/** What the lines of windows and of releases share: the days behind the bars, and where a bar lies. */
import styles from './calendar.module.css';
import { percentOf, type Scale, ticksOf } from './time-scale.js';

/** When the reason of a conflict is shown. */
export const onFocusToo = { hover: true, focus: true, touch: false };

/** The lines of the days behind the bars, and the one of now. */
export function Backdrop({ scale }: { readonly scale: Scale }) {
  const now = Date.now();
  return (
    <>
      {ticksOf(scale).map(({ atMs, label }) => (
        <i
          key={atMs}
          className={styles['grid']}
          data-major={label !== null}
          style={{ left: `${percentOf(scale, atMs)}%` }}
        />
      ))}
      {scale.fromMs <= now && now < scale.untilMs && (
        <i className={styles['now']} style={{ left: `${percentOf(scale, now)}%` }} />
      )}
    </>
  );
}

/** Left and width in the track. */
export function placed(
  scale: Scale,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  deltaMs = 0,
): { readonly left: string; readonly width: string } {
  const left = percentOf(scale, startMs + deltaMs);
  return { left: `${left}%`, width: `${percentOf(scale, endMs + deltaMs) - left}%` };
}
