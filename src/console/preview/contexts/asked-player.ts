/**
 * A player and moments as the fragment of an address, which browsers do not send to servers, so attributes of players are in no
 * access log. Pure.
 */
import { parseInstant } from '../../../content/mapping/instant.js';
import { isJson } from '../../api/raw-json.js';
import { emptyContext, type UserContext } from './user-context.js';

export interface AskedPlayer {
  readonly user: UserContext;
  /** RFC 3339; null: now. */
  readonly at: string | null;
  /** Another moment; null: now; left out: there is one moment only. */
  readonly other?: string | null;
}

/** Longer addresses are cut or rejected by some programs that pass links on. */
export const hashCharsMax = 6_000;

const now = 'now';

/** @returns with `#` */
export function hashOf({ user, at, other }: AskedPlayer): string {
  const fields = new URLSearchParams();
  if (user.u !== '') fields.set('u', user.u);
  if (user.v.trim() !== '') fields.set('v', user.v.trim());
  if (user.p !== emptyContext.p) fields.set('p', user.p);
  fields.set('at', at ?? now);
  if (other !== undefined) fields.set('with', other ?? now);
  return `#${fields}`;
}

/** @param hash of an address, with or without `#` @returns null: it names no moment */
export function askedOf(hash: string): AskedPlayer | null {
  const fields = new URLSearchParams(hash.replace(firstHash, ''));
  const at = momentOf(fields.get('at'));
  if (at === undefined) return null;
  const p = fields.get('p') ?? '';
  const user = {
    u: fields.get('u') ?? '',
    v: fields.get('v') ?? '',
    p: isJson(p) ? p : emptyContext.p,
  };
  const other = momentOf(fields.get('with'));
  return { user, at, ...(other !== undefined && { other }) };
}

const firstHash = /^#/;

/** @returns undefined: not a moment */
function momentOf(text: string | null): string | null | undefined {
  if (text === now) return null;
  return text === null || parseInstant(text) === null ? undefined : text;
}

/** The earlier moment first, so that differences read as changes; now is the latest. */
export function inOrder({ user, at, other }: AskedPlayer): AskedPlayer {
  if (other === undefined) return { user, at };
  const msOf = (moment: string | null): number =>
    (moment === null ? null : parseInstant(moment)) ?? Number.POSITIVE_INFINITY;
  return msOf(other) < msOf(at) ? { user, at: other, other: at } : { user, at, other };
}
