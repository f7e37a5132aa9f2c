/** In which order the members or elements of two edits stand in their merge. Pure. */

import type { Versions } from './versions.js';

export interface MergedOrder {
  readonly keys: readonly string[];
  /** Both sides inserted at one place; theirs come first. */
  readonly isMet: boolean;
  /** Both sides moved what was there, each in its own way; theirs is followed. */
  readonly isTorn: boolean;
}

/** Each key once per side; the same key is the same member or element. All keys of `theirs` and `mine` are in the result. */
export function mergedOrder({ base, theirs, mine }: Versions<readonly string[]>): MergedOrder {
  const sides = { base: new Set(base), theirs: new Set(theirs), mine: new Set(mine) };
  const isCommon = (key: string): boolean =>
    sides.base.has(key) && sides.theirs.has(key) && sides.mine.has(key);
  const [before, saved, typed] = [base, theirs, mine].map((keys) =>
    JSON.stringify(keys.filter(isCommon)),
  );
  const isMoved = { theirs: saved !== before, mine: typed !== before };
  const isMineFirst = isMoved.mine && !isMoved.theirs;
  const [spine, others] = isMineFirst ? [mine, theirs] : [theirs, mine];
  const extras = extrasAfter(spine, others);
  const isOwn = (key: string): boolean => !sides.base.has(key) && !isIn(sides, isMineFirst, key);
  const keys: string[] = [];
  let waiting = extras.get(null) ?? [];
  let isMet = false;
  for (const key of spine) {
    const isOwnInsert = isOwn(key);
    if (isOwnInsert && waiting.some((extra) => !sides.base.has(extra))) isMet = true;
    if (!isOwnInsert || isMineFirst) {
      keys.push(...waiting);
      waiting = [];
    }
    keys.push(key);
    waiting = waiting.concat(extras.get(key) ?? []);
  }
  keys.push(...waiting);
  return { keys, isMet, isTorn: isMoved.theirs && isMoved.mine && saved !== typed };
}

type Sides = Readonly<Record<'theirs' | 'mine', ReadonlySet<string>>>;

/** Whether the side that is not followed has it. */
function isIn(sides: Sides, isMineFirst: boolean, key: string): boolean {
  return (isMineFirst ? sides.theirs : sides.mine).has(key);
}

/** What only `others` has, by the key of `spine` that it follows there; null: it is first. */
function extrasAfter(spine: readonly string[], others: readonly string[]) {
  const known = new Set(spine);
  const extras = new Map<string | null, string[]>();
  let anchor: string | null = null;
  for (const key of others) {
    if (known.has(key)) anchor = key;
    else if (extras.get(anchor)?.push(key) === undefined) extras.set(anchor, [key]);
  }
  return extras;
}
