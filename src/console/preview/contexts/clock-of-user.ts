/** The clock of a previewed user: the attribute `utcOffset`. Pure. */
import { utcOffsetOf } from '../../../content/utc-offset.js';
import { isJson, memberSources } from '../../api/raw-json.js';
import type { UserContext } from './user-context.js';

/** @returns minutes that it is ahead of UTC; null: not sent, or not a number that counts */
export function offsetOf({ p }: UserContext): number | null {
  if (!isJson(p)) return null;
  const attributes: unknown = JSON.parse(p);
  if (typeof attributes !== 'object' || attributes === null) return null;
  return utcOffsetOf(attributes as Readonly<Record<string, unknown>>);
}

/** The other attributes keep the spelling of their values. */
export function withOffset(user: UserContext, minutes: number | null): UserContext {
  const members = isJson(user.p) ? memberSources(user.p) : null;
  if (members === null) return user;
  const sources = new Map(members);
  if (minutes === null) sources.delete('utcOffset');
  else sources.set('utcOffset', String(minutes));
  const rows = [...sources].map(([name, source]) => `${JSON.stringify(name)}: ${source}`);
  return { ...user, p: rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }` };
}
