/** Arithmetic of the 1,000 groups: boundaries that are moved, room that is made. Pure; ranges include both ends. */

export const groupCount = 1000;

export type GroupRange = readonly [number, number];

/** Where a variant begins, ends, or both: two that stand side by side share it. */
export interface Boundary {
  /** The first group to its right, 0 to 1000. */
  readonly at: number;
  /** Places of the variants in the list; null: groups of no variant, or the end. */
  readonly left: number | null;
  readonly right: number | null;
  /** How far it can be moved: every variant keeps a group, none overlaps another. */
  readonly min: number;
  readonly max: number;
}

interface Placed {
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

function placed(ranges: readonly GroupRange[]): Placed[] {
  return ranges
    .map(([from, to], index) => ({ index, from, to }))
    .sort((one, other) => one.from - other.from);
}

export function hasOverlap(ranges: readonly GroupRange[]): boolean {
  return placed(ranges).some(({ to }, place, all) => (all[place + 1]?.from ?? groupCount) <= to);
}

/** From left to right. Asks for ranges that do not overlap. */
export function boundariesOf(ranges: readonly GroupRange[]): Boundary[] {
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
      const max = after?.from ?? groupCount;
      boundaries.push({ at: to + 1, left: index, right: null, min: from + 1, max });
    }
  }
  return boundaries;
}

export function moveBoundary(
  ranges: readonly GroupRange[],
  { left, right, min, max }: Boundary,
  wanted: number,
): GroupRange[] {
  const at = Math.min(max, Math.max(min, Math.round(wanted)));
  return ranges.map(([from, to], index) => {
    if (index === left) return [from, at - 1];
    if (index === right) return [at, to];
    return [from, to];
  });
}

/**
 * Gives a variant another first or last group. Growing takes groups from its neighbour, who keeps at least one;
 * shrinking leaves groups to nobody.
 */
export function setEnd(
  ranges: readonly GroupRange[],
  index: number,
  end: 'from' | 'to',
  wanted: number,
): GroupRange[] {
  const all = placed(ranges);
  const place = all.findIndex((one) => one.index === index);
  const own = all[place];
  if (own === undefined) return [...ranges];
  const neighbour = end === 'from' ? all[place - 1] : all[place + 1];
  const [low, high] =
    end === 'from'
      ? [neighbour === undefined ? 0 : neighbour.from + 1, own.to]
      : [own.from, neighbour === undefined ? groupCount - 1 : neighbour.to - 1];
  const value = Math.min(Math.max(low, high), Math.max(low, Math.round(wanted)));
  return ranges.map(([from, to], at) => {
    if (at === index) return end === 'from' ? [value, to] : [from, value];
    if (at !== neighbour?.index) return [from, to];
    return end === 'from' ? [from, Math.min(to, value - 1)] : [Math.max(from, value + 1), to];
  });
}

/** Ranges of groups that no variant takes, from left to right. */
export function gapsOf(ranges: readonly GroupRange[]): GroupRange[] {
  const gaps: GroupRange[] = [];
  let next = 0;
  for (const { from, to } of placed(ranges)) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next < groupCount) gaps.push([next, groupCount - 1]);
  return gaps;
}

export function sizeOf([from, to]: GroupRange): number {
  return to - from + 1;
}

/** The first `total` groups in equal parts, in the order in which the variants stand on the bar. */
export function splitEvenly(
  ranges: readonly GroupRange[],
  total: number = groupCount,
): GroupRange[] {
  return inParts(ranges, total, () => 1);
}

/** The first `total` groups, each variant in proportion to what it has; the rest takes no part. */
export function scaleTo(ranges: readonly GroupRange[], total: number): GroupRange[] {
  return inParts(ranges, total, ({ from, to }) => to - from + 1);
}

function inParts(
  ranges: readonly GroupRange[],
  total: number,
  weightOf: (range: Placed) => number,
): GroupRange[] {
  const all = placed(ranges);
  const weights = all.reduce((sum, range) => sum + weightOf(range), 0);
  const result: GroupRange[] = [...ranges];
  let [weight, start] = [0, 0];
  for (const [place, range] of all.entries()) {
    weight += weightOf(range);
    // Everyone who comes later keeps a group, too.
    const latest = total - (all.length - 1 - place);
    const end = Math.min(latest, Math.max(start + 1, Math.round((total * weight) / weights)));
    result[range.index] = [start, end - 1];
    start = end;
  }
  return result;
}

/**
 * Groups for one more variant: the largest range that nobody has, else the upper half of the largest variant.
 * @returns null when there is no group left
 */
export function makeRoom(
  ranges: readonly GroupRange[],
): { readonly ranges: GroupRange[]; readonly added: GroupRange } | null {
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

function largest(ranges: readonly GroupRange[]): GroupRange | null {
  let found: GroupRange | null = null;
  for (const range of ranges) if (found === null || sizeOf(range) > sizeOf(found)) found = range;
  return found;
}

interface NamedRange {
  readonly name: string;
  readonly groups: GroupRange | null;
}

/** How many groups see another variant than before (or take part, or no longer). */
export function groupsMoved(before: readonly NamedRange[], after: readonly NamedRange[]): number {
  const [old, now] = [ownersOf(before), ownersOf(after)];
  return old.reduce((count, owner, group) => count + (owner === now[group] ? 0 : 1), 0);
}

function ownersOf(variants: readonly NamedRange[]): (string | null)[] {
  const owners: (string | null)[] = new Array(groupCount).fill(null);
  for (const { name, groups } of variants) {
    if (groups !== null) owners.fill(name, groups[0], groups[1] + 1);
  }
  return owners;
}

/** Such as `49.5 %`. */
export function shareText(groups: number): string {
  return `${(groups / 10).toFixed(1)} %`;
}
