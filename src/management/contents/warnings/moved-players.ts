/**
 * Warns of an edit that moves players between the variants of an A/B test that is live. With the same salt a player keeps
 * the bucket, so the shares are exact: they are counted over the buckets. Another salt draws all buckets again, and then
 * they are what is expected of many players. Pure; it knows nothing of the conditions, which a preview tries out.
 */
import { bucketCount } from '../../../content/bucket.js';
import { spreadOf } from '../../../content/mapping/window.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import { pairRules } from '../diff/pair-rules.js';
import type { AbTest } from './find-ab-tests.js';

type Variants = AbTest['variants'];

/** Shares, 0 to 1: of the players in the test now, except `joined`, which is of all players that its condition admits. */
export interface MovedPlayers {
  readonly otherVariant: number;
  readonly left: number;
  readonly joined: number;
  /** Counted over the buckets; else expected. */
  readonly exact: boolean;
}

/**
 * @param live tests of the mapping that is delivered
 * @param nowMs milliseconds since the epoch: a test that has not begun for any player, or would be over for all,
 *   is none that runs; one that repeats goes on between its occurrences
 */
export function movedPlayersWarnings(
  live: readonly AbTest[],
  edited: readonly AbTest[],
  nowMs: number,
): ValidationIssue[] {
  return pairRules(live, edited, 'segment').flatMap(({ now, edit }) => {
    if (now === null || edit === null) return [];
    const { startMs, endMs } = spreadOf(now);
    if (nowMs < startMs || endMs <= nowMs || spreadOf(edit).endMs <= nowMs) return [];
    const message = warningOf(edit.segment, movedPlayers(now, edit));
    const part = now.salt === edit.salt ? 'variants' : 'salt';
    return message === null ? [] : [{ path: `mapping[${edit.rule}].${part}`, message }];
  });
}

export function movedPlayers(
  live: Pick<AbTest, 'salt' | 'variants'>,
  edited: Pick<AbTest, 'salt' | 'variants'>,
): MovedPlayers {
  return live.salt === edited.salt
    ? countedMoves(bucketsOf(live.variants), bucketsOf(edited.variants))
    : expectedMoves(live.variants, edited.variants);
}

function countedMoves(
  before: readonly (string | null)[],
  after: readonly (string | null)[],
): MovedPlayers {
  let [inTest, otherVariant, left, joined] = [0, 0, 0, 0];
  for (const [bucket, variant] of before.entries()) {
    const next = after[bucket] ?? null;
    if (variant === null) {
      if (next !== null) joined++;
      continue;
    }
    inTest++;
    if (next === null) left++;
    else if (next !== variant) otherVariant++;
  }
  return {
    otherVariant: inTest === 0 ? 0 : otherVariant / inTest,
    left: inTest === 0 ? 0 : left / inTest,
    joined: joined / bucketCount,
    exact: true,
  };
}

/** Where a player is after it does not depend on where they were before. */
function expectedMoves(before: Variants, after: Variants): MovedPlayers {
  const old = sharesOf(before);
  const fresh = sharesOf(after);
  const inTest = sum(old.values());
  const inTestThen = sum(fresh.values());
  let kept = 0;
  for (const [name, share] of old) kept += share * (fresh.get(name) ?? 0);
  return {
    otherVariant: inTest === 0 ? 0 : inTestThen - kept / inTest,
    left: inTest === 0 ? 0 : 1 - inTestThen,
    joined: (1 - inTest) * inTestThen,
    exact: false,
  };
}

function bucketsOf(variants: Variants): (string | null)[] {
  const buckets: (string | null)[] = new Array(bucketCount).fill(null);
  for (const { name, groups } of variants) buckets.fill(name, groups[0], groups[1] + 1);
  return buckets;
}

function sharesOf(variants: Variants): Map<string, number> {
  return new Map(
    variants.map(({ name, groups: [from, to] }) => [name, (to - from + 1) / bucketCount]),
  );
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Null: no player moves. */
function warningOf(segment: string, moved: MovedPlayers): string | null {
  const about = moved.exact ? '' : 'about ';
  const { otherVariant, left, joined } = moved;
  const test = `the live test ${JSON.stringify(segment)}`;
  if (otherVariant + left === 0) {
    if (joined === 0) return null;
    return `${about}${percent(joined)} of those who match its condition would join ${test}; the users in it keep their variants`;
  }
  const parts = [
    ...(otherVariant > 0 ? [`${about}${percent(otherVariant)} would see another variant`] : []),
    ...(left > 0 ? [`${about}${percent(left)} would leave it`] : []),
  ];
  const why = moved.exact
    ? ''
    : ' (expected of many users: another salt draws all their buckets again)';
  return `of the users in ${test}, ${parts.join(' and ')}, which spoils what it measures${why}`;
}

/** To a tenth, and never 0 where there are some. */
function percent(share: number): string {
  return `${Math.max(0.1, share * 100).toFixed(1)} %`;
}
