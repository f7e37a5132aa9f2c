/**
 * Warns of an edit that moves players between the variants of an A/B test that is live. With the same salt a player keeps
 * the bucket, so the shares are exact: they are counted over the buckets. Another salt assigns all buckets again, and then
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
    const part = partOf(now, edit);
    return message === null ? [] : [{ path: `mapping[${edit.rule}].${part}`, message }];
  });
}

export function movedPlayers(live: MovingTest, edited: MovingTest): MovedPlayers {
  const moves =
    live.salt === edited.salt
      ? countedMoves(bucketsOf(live.variants), bucketsOf(edited.variants))
      : expectedMoves(live.variants, edited.variants);
  if (live.layer === null && edited.layer === null) return moves;
  return withinSlices(moves, sum(sharesOf(edited.variants).values()), slicesOf(live, edited));
}

/** What assigns the players of a test to variants. */
export type MovingTest = Pick<AbTest, 'salt' | 'variants' | 'layer' | 'slice'>;

/** Shares of all players, 0 to 1, in the slices of a test before and after an edit. */
interface Slices {
  readonly before: number;
  readonly after: number;
  readonly both: number;
  readonly exact: boolean;
}

/** Buckets of two layers, and of a layer and a test's own salt, are independent. */
function slicesOf(live: MovingTest, edited: MovingTest): Slices {
  const [from, to] = live.slice ?? allBuckets;
  const [editedFrom, editedTo] = edited.slice ?? allBuckets;
  const before = (to - from + 1) / bucketCount;
  const after = (editedTo - editedFrom + 1) / bucketCount;
  const isSameLayer = live.layer === edited.layer;
  const common = Math.max(0, Math.min(to, editedTo) - Math.max(from, editedFrom) + 1);
  return {
    ...{ before, after },
    both: isSameLayer ? common / bucketCount : before * after,
    exact: isSameLayer,
  };
}

const allBuckets = [0, bucketCount - 1] as const;

/** @param inAfter share of the buckets that have a variant after the edit */
function withinSlices(
  { otherVariant, left, joined, exact }: MovedPlayers,
  inAfter: number,
  slices: Slices,
): MovedPlayers {
  const stay = slices.both / slices.before;
  return {
    otherVariant: stay * otherVariant,
    left: 1 - stay + stay * left,
    joined: slices.after * inAfter - slices.both * (inAfter - joined),
    exact: exact && slices.exact,
  };
}

function partOf(live: MovingTest, edited: MovingTest): 'layer' | 'slice' | 'salt' | 'variants' {
  if (live.layer !== edited.layer) return 'layer';
  const [before, after] = [live.slice ?? allBuckets, edited.slice ?? allBuckets];
  if (before[0] !== after[0] || before[1] !== after[1]) return 'slice';
  return live.salt === edited.salt ? 'variants' : 'salt';
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
    : ' (expected of many users: another salt or layer assigns all of them to new buckets)';
  return `of the users in ${test}, ${parts.join(' and ')}, which spoils what it measures${why}`;
}

/** To a tenth, and never 0 where there are some. */
function percent(share: number): string {
  return `${Math.max(0.1, share * 100).toFixed(1)} %`;
}
