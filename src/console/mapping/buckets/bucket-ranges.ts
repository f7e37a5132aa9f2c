/** Arithmetic of the 1,000 buckets: moves boundaries and makes room. Pure; ranges include both ends. */

export const bucketCount = 1000;

export type BucketRange = readonly [number, number];

/** Where a variant begins, ends, or both: two that stand side by side share it. */
export interface Boundary {
  /** The first bucket to its right, 0 to 1000. */
  readonly at: number;
  /** Places of the variants in the list; null: buckets of no variant, or the end. */
  readonly left: number | null;
  readonly right: number | null;
  /** How far it can be moved: every variant keeps a bucket, none overlaps another. */
  readonly min: number;
  readonly max: number;
}

interface Placed {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function placed(ranges: readonly BucketRange[]): Placed[] {
  return ranges
    .map(([from, to], index) => ({ index, from, to }))
    .sort((one, other) => one.from - other.from);
}

export function hasOverlap(ranges: readonly BucketRange[]): boolean {
  return placed(ranges).some(({ to }, place, all) => (all[place + 1]?.from ?? bucketCount) <= to);
}

/** From left to right. Asks for ranges that do not overlap. */
export function boundariesOf(ranges: readonly BucketRange[]): Boundary[] {
  const all = placed(ranges);
  const boundaries: Boundary[] = [];
  for (const [place, { index, from, to }] of all.entries()) {
    const [before, after] = [all[place - 1], all[place + 1]];
    const isShared = before !== undefined && before.to + 1 === from;
    if (!isShared) {
      const min = before === undefined ? 0 : before.to + 1;
      boundaries.push({ at: from, left: null, right: index, min, max: to });
    }
    if (after !== undefined && after.from === to + 1) {
      boundaries.push({
        at: to + 1,
        left: index,
        right: after.index,
        min: from + 1,
        max: after.to,
      });
    } else {
      const max = after?.from ?? bucketCount;
      boundaries.push({ at: to + 1, left: index, right: null, min: from + 1, max });
    }
  }
  return boundaries;
}

export function moveBoundary(
  ranges: readonly BucketRange[],
  { left, right, min, max }: Boundary,
  wanted: number,
): BucketRange[] {
  const at = Math.min(max, Math.max(min, Math.round(wanted)));
  return ranges.map(([from, to], index) => {
    if (index === left) return [from, at - 1];
    if (index === right) return [at, to];
    return [from, to];
  });
}

/**
 * Gives a variant another first or last bucket. Growing takes buckets from its neighbour, which keeps at least one;
 * shrinking leaves buckets without a variant.
 */
export function setEnd(
  ranges: readonly BucketRange[],
  index: number,
  end: 'from' | 'to',
  wanted: number,
): BucketRange[] {
  const all = placed(ranges);
  const place = all.findIndex((one) => one.index === index);
  const own = all[place];
  if (own === undefined) return [...ranges];
  const neighbour = end === 'from' ? all[place - 1] : all[place + 1];
  const [low, high] =
    end === 'from'
      ? [neighbour === undefined ? 0 : neighbour.from + 1, own.to]
      : [own.from, neighbour === undefined ? bucketCount - 1 : neighbour.to - 1];
  const value = Math.min(Math.max(low, high), Math.max(low, Math.round(wanted)));
  return ranges.map(([from, to], at) => {
    if (at === index) return end === 'from' ? [value, to] : [from, value];
    if (at !== neighbour?.index) return [from, to];
    return end === 'from' ? [from, Math.min(to, value - 1)] : [Math.max(from, value + 1), to];
  });
}

/** Ranges of buckets without a variant, from left to right. */
export function gapsOf(ranges: readonly BucketRange[]): BucketRange[] {
  const gaps: BucketRange[] = [];
  let next = 0;
  for (const { from, to } of placed(ranges)) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next < bucketCount) gaps.push([next, bucketCount - 1]);
  return gaps;
}

export function sizeOf([from, to]: BucketRange): number {
  return to - from + 1;
}

/** The first `total` buckets in equal parts, in the order in which the variants stand on the bar. */
export function splitEvenly(
  ranges: readonly BucketRange[],
  total: number = bucketCount,
): BucketRange[] {
  return inParts(ranges, total, () => 1);
}

/** The first `total` buckets, each variant in proportion to its size; the other buckets take no part. */
export function scaleTo(ranges: readonly BucketRange[], total: number): BucketRange[] {
  return inParts(ranges, total, ({ from, to }) => to - from + 1);
}

function inParts(
  ranges: readonly BucketRange[],
  total: number,
  weightOf: (range: Placed) => number,
): BucketRange[] {
  const all = placed(ranges);
  const weights = all.reduce((sum, range) => sum + weightOf(range), 0);
  const result: BucketRange[] = [...ranges];
  let [weight, start] = [0, 0];
  for (const [place, range] of all.entries()) {
    weight += weightOf(range);
    // Every later variant keeps a bucket, too.
    const latest = total - (all.length - 1 - place);
    const end = Math.min(latest, Math.max(start + 1, Math.round((total * weight) / weights)));
    result[range.index] = [start, end - 1];
    start = end;
  }
  return result;
}

/**
 * Buckets for one more variant: the largest free range, else the upper half of the largest variant.
 * @returns null when no bucket is left
 */
export function makeRoom(
  ranges: readonly BucketRange[],
): { readonly ranges: BucketRange[]; readonly added: BucketRange } | null {
  const gap = largest(gapsOf(ranges));
  if (gap !== null) return { ranges: [...ranges], added: gap };
  const whole = largest(ranges);
  if (whole === null || sizeOf(whole) < 2) return null;
  const [from, to] = whole;
  const middle = from + Math.ceil(sizeOf(whole) / 2);
  return {
    ranges: ranges.map((range) => (range === whole ? [from, middle - 1] : range)),
    added: [middle, to],
  };
}

/** Whether all have the same number of buckets, but for what does not divide, and none is free before the last of them. */
export function isEven(ranges: readonly BucketRange[]): boolean {
  const sizes = ranges.map(sizeOf);
  const end = endOf(ranges);
  const isWhole = gapsOf(ranges).every(([from]) => from >= end);
  return isWhole && Math.max(...sizes) - Math.min(...sizes) <= 1;
}

/** The first bucket behind all of them; 0 without any. */
function endOf(ranges: readonly BucketRange[]): number {
  return Math.max(0, ...ranges.map(([, to]) => to + 1));
}

/**
 * Buckets for one more variant, behind the others: all of them share the buckets up to the last one in equal parts.
 * @returns null when no bucket is left
 */
export function makeEvenRoom(
  ranges: readonly BucketRange[],
): { readonly ranges: BucketRange[]; readonly added: BucketRange } | null {
  const total = endOf(ranges) || bucketCount;
  if (total <= ranges.length) return null;
  const parts = splitEvenly([...ranges, [bucketCount, bucketCount]], total);
  const added = parts.at(-1);
  return added === undefined ? null : { ranges: parts.slice(0, -1), added };
}

function largest(ranges: readonly BucketRange[]): BucketRange | null {
  let found: BucketRange | null = null;
  for (const range of ranges) if (found === null || sizeOf(range) > sizeOf(found)) found = range;
  return found;
}

interface NamedRange {
  readonly name: string;
  readonly groups: BucketRange | null;
}

/** How many buckets change their variant, join or leave. */
export function bucketsMoved(before: readonly NamedRange[], after: readonly NamedRange[]): number {
  const [old, now] = [ownersOf(before), ownersOf(after)];
  return old.reduce((count, owner, bucket) => count + (owner === now[bucket] ? 0 : 1), 0);
}

function ownersOf(variants: readonly NamedRange[]): (string | null)[] {
  const owners: (string | null)[] = new Array(bucketCount).fill(null);
  for (const { name, groups } of variants) {
    if (groups !== null) owners.fill(name, groups[0], groups[1] + 1);
  }
  return owners;
}

/** Such as `49.5 %`. */
export function formatShare(buckets: number): string {
  return `${(buckets / 10).toFixed(1)} %`;
}
