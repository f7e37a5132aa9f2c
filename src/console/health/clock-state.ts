/** Describes this server's clock beside the store's. Pure. */
import { formatDuration } from './number-format.js';

export interface ClockState {
  readonly value: string;
  readonly hint: string;
  readonly isSkewed: boolean;
}

/**
 * @param aheadSeconds negative: behind; null: it is not compared
 * @param isSkewed what the server makes of it, which knows how exactly it was compared
 */
export function clockState(aheadSeconds: number | null, isSkewed: boolean): ClockState {
  if (aheadSeconds === null) {
    return { value: '–', hint: 'compared only with a shared database', isSkewed: false };
  }
  const millis = Math.round(aheadSeconds * 1_000);
  const apart = formatDuration(Math.abs(millis) / 1_000);
  const value = millis === 0 ? 'In step' : `${apart} ${millis > 0 ? 'ahead' : 'behind'}`;
  const hint = isSkewed
    ? 'windows open at another time here: check NTP'
    : 'compared with the database';
  return { value, hint, isSkewed };
}
