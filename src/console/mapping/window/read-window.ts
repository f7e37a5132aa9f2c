/** Reads when a rule is open, as the server does: what that rejects is no window. Pure. */
import { parseWallTime, type WallTime } from '../../../content/mapping/instant.js';
import { repeatPlusDaysMax, repeatWeeksMax } from '../../../content/mapping/mapping-limits.js';
import { clockMs, repeatOf } from '../../../content/mapping/repeat.js';
import type { Repeat, Window } from '../../../content/mapping/window.js';
import { plusDaysMin, repeatFields } from './repeat-source.js';

/** As it is written in a rule; null: absent. */
export interface WindowSource {
  readonly from: string | null;
  readonly until: string | null;
  /** JSON source of the member. */
  readonly repeat: string | null;
}

/** @returns null where the server would reject it */
export function readWindowSource(source: WindowSource): Window | null {
  const [from, until] = [readEnd(source.from), readEnd(source.until)];
  if (from === undefined || until === undefined) return null;
  if (from !== null && until !== null) {
    if ((from.zoneMinutes === null) !== (until.zoneMinutes === null)) return null;
    if (clockMs(from) >= clockMs(until)) return null;
  }
  const end = from ?? until;
  const repeat = source.repeat === null ? null : readRepeat(source.repeat, from, end);
  if (repeat === undefined) return null;
  return {
    fromMs: from === null ? Number.NEGATIVE_INFINITY : clockMs(from),
    untilMs: until === null ? Number.POSITIVE_INFINITY : clockMs(until),
    isLocal: end === null ? repeat !== null : end.zoneMinutes === null,
    repeat,
  };
}

/** Undefined: it cannot be read. */
function readEnd(text: string | null): WallTime | null | undefined {
  return text === null ? null : (parseWallTime(text) ?? undefined);
}

function readRepeat(
  source: string,
  from: WallTime | null,
  end: WallTime | null,
): Repeat | undefined {
  const fields = repeatFields(source);
  if (fields === null || fields.days.length === 0) return undefined;
  const { plusDays, everyWeeks } = fields;
  if (!timeOfDay.test(fields.from) || !timeOfDay.test(fields.until)) return undefined;
  if (plusDays < plusDaysMin(fields.from, fields.until)) return undefined;
  if (plusDays > repeatPlusDaysMax || everyWeeks < 1 || everyWeeks > repeatWeeksMax) {
    return undefined;
  }
  return everyWeeks > 1 && from === null ? undefined : repeatOf(fields, end);
}

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
