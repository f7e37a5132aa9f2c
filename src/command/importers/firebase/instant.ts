/** Points in time as Firebase writes them: a clock's time, and the IANA name of the zone of that clock. */

import { parseWallTime } from '../../../content/mapping/instant.js';

const msPerMinute = 60_000;

/**
 * @param values the time, and perhaps the zone; without one it is GMT
 * @returns milliseconds since the epoch; null: it cannot be read
 */
export function instantOf([text, zone = 'GMT']: readonly (string | number)[]): number | null {
  const wall = parseWallTime(String(text));
  if (wall === null) return null;
  if (wall.zoneMinutes !== null) return wall.wallMs - wall.zoneMinutes * msPerMinute;
  const clock = clockOf(String(zone));
  if (clock === null) return null;
  // The offset at the time that was asked for, which is near the one that is found: twice, as the first guess may be off by a day.
  const guess = wall.wallMs - clock(wall.wallMs);
  return wall.wallMs - clock(guess);
}

/** Milliseconds by which the clocks of the zone are ahead of UTC at an instant. */
function clockOf(zone: string): ((ms: number) => number) | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    return null;
  }
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const date = [part('year'), part('month') - 1, part('day')] as const;
    const shown = Date.UTC(...date, part('hour'), part('minute'), part('second'));
    return shown - Math.floor(ms / 1000) * 1000;
  };
}
