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

/** As a picker takes it: `2026-11-01 09:30:00` in local time; null for what is no instant. */
export function toLocal(instant: string | null): string | null {
  const ms = instantMs(instant);
  if (ms === null) return null;
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** From a picker's local time: RFC 3339 in UTC, to the second. */
export function fromLocal(local: string): string | null {
  const at = new Date(local.replace(' ', 'T'));
  if (Number.isNaN(at.getTime())) return null;
  return `${at.toISOString().slice(0, 19)}Z`;
}

/** Such as `Europe/Berlin`. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
