/** The clock of a previewed user: the attribute `utcOffset`. Pure. */
import { utcOffsetOf } from '../../../content/utc-offset.js';
import { isJson } from '../../api/raw-json.js';
import { setMember } from '../../mapping/rules/json-source.js';
import type { UserContext } from './user-context.js';

/** @returns minutes that it is ahead of UTC; null: not sent, or not a number that counts */
export function offsetOf({ p }: UserContext): number | null {
  if (!isJson(p)) return null;
  const attributes: unknown = JSON.parse(p);
  if (typeof attributes !== 'object' || attributes === null) return null;
  return utcOffsetOf(attributes as Readonly<Record<string, unknown>>);
}

/** The other attributes keep their spelling. */
export function withOffset(user: UserContext, minutes: number | null): UserContext {
  if (!isJson(user.p)) return user;
  const source = minutes === null ? null : String(minutes);
  return { ...user, p: setMember(user.p, [], 'utcOffset', source) };
}
