/** The time window of a rule: stored as RFC 3339, edited in local time. */
import { parseInstant } from '../../../content/mapping/instant.js';

export type WindowState = 'always' | 'later' | 'running' | 'over';

/** A bound that cannot be read counts as none; the server rejects it. */
export function windowState(from: string | null, until: string | null, nowMs: number): WindowState {
  if (from === null && until === null) return 'always';
  const [fromMs, untilMs] = [instantMs(from), instantMs(until)];
  if (untilMs !== null && nowMs >= untilMs) return 'over';
  return fromMs !== null && nowMs < fromMs ? 'later' : 'running';
}

export function instantMs(text: string | null): number | null {
  return text === null ? null : parseInstant(text);
}
