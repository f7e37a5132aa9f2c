/** Windows of rules as the admin API shows them. */
import type { z } from 'zod';
import type { Window } from '../content/mapping/window.js';
import type { repeatSchema } from '../contract/schemas/targeting/repeat.js';
import { toIso } from './to-iso.js';

export interface WindowJson {
  readonly from: string | null;
  readonly until: string | null;
  readonly local: boolean;
  readonly repeat: z.output<typeof repeatSchema> | null;
}

export function windowJson({ fromMs, untilMs, isLocal, repeat }: Window): WindowJson {
  const [from, until] = [clockText(fromMs, isLocal), clockText(untilMs, isLocal)];
  if (repeat === null) return { from, until, local: isLocal, repeat };
  const { days, plusDays, everyWeeks } = repeat;
  const times = { days, from: repeat.from, until: repeat.until, plusDays, everyWeeks };
  return { from, until, local: isLocal, repeat: times };
}

/** An instant, or wall time without a zone, which is kept as if the clock showed UTC; null: infinite. */
export function clockText(ms: number, isLocal: boolean): string | null {
  const text = instantText(ms);
  return isLocal && text !== null ? text.replace(zeroMs, '').replace('Z', '') : text;
}

const zeroMs = /\.000(?=Z)/;

/** null: infinite. */
export function instantText(ms: number): string | null {
  return Number.isFinite(ms) ? toIso(ms) : null;
}
