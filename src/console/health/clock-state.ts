/** Describes this server's clock beside the store's. Pure. */
import { formatDuration } from './number-format.js';

export interface ClockState {
  readonly value: string;
  readonly hint: string;
  readonly isSkewed: boolean;
}

/** Beyond this, windows open at another time than on other servers. The server's log warns from here on, too. */
const aheadSecondsMax = 1;

/** @param aheadSeconds negative: behind; null: it is not compared */
export function clockState(aheadSeconds: number | null): ClockState {
  if (aheadSeconds === null) {
    return { value: '–', hint: 'compared only with a shared database', isSkewed: false };
  }
  const isSkewed = Math.abs(aheadSeconds) > aheadSecondsMax;
  const millis = Math.round(aheadSeconds * 1_000);
  const apart = formatDuration(Math.abs(millis) / 1_000);
  const value = millis === 0 ? 'In step' : `${apart} ${millis > 0 ? 'ahead' : 'behind'}`;
  const hint = isSkewed
    ? 'windows open at another time here: check NTP'
    : 'compared with the database';
  return { value, hint, isSkewed };
}
