/** Points in time between RFC 3339 and an input of the type `datetime-local`. */
import { parseInstant } from '../../../content/mapping/instant.js';

/**
 * @param instant RFC 3339
 * @returns local time such as `2026-11-01T09:30`, with seconds unless they are 0; null: not an instant
 */
export function toLocal(instant: string | null): string | null {
  const ms = instant === null ? null : parseInstant(instant);
  if (ms === null) return null;
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  const year = String(at.getFullYear()).padStart(4, '0');
  const seconds = at.getSeconds() === 0 ? '' : `:${two(at.getSeconds())}`;
  return `${year}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** @returns RFC 3339 in UTC, to the second; null: not a complete local time */
export function fromLocal(local: string): string | null {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? null : `${at.toISOString().slice(0, 19)}Z`;
}
