/** Aligns two sequences: the longest common subsequence, found by Myers' greedy algorithm. Pure. */

/** Beyond this many differences the rest counts as replaced: the memory of the search grows with their square. */
const differencesMax = 1_000;

/**
 * @returns for each entry of `before` the index of the same entry in `after`, ascending; -1 where it has none
 */
export function alignSequences(before: readonly string[], after: readonly string[]): Int32Array {
  const partners = new Int32Array(before.length).fill(-1);
  let start = 0;
  let endBefore = before.length;
  let endAfter = after.length;
  while (start < endBefore && start < endAfter && before[start] === after[start]) {
    partners[start] = start++;
  }
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    partners[--endBefore] = --endAfter;
  }
  const middle = alignMiddle(before.slice(start, endBefore), after.slice(start, endAfter));
  for (const [from, to] of middle) partners[start + from] = start + to;
  return partners;
}

/**
 * `reach[k]` is the furthest entry of `before` on diagonal `k` (entries of `before` less those of `after`); a copy of it for
 * each number of differences leads back from the end.
 */
function alignMiddle(before: readonly string[], after: readonly string[]): [number, number][] {
  const zero = Math.min(before.length + after.length, differencesMax) + 1;
  const reach = new Int32Array(2 * zero + 1);
  const trace: Int32Array[] = [];
  for (let differences = 0; differences < zero; differences++) {
    trace.push(reach.slice(zero - differences - 1, zero + differences + 2));
    for (let k = -differences; k <= differences; k += 2) {
      let x = isInsertion(reach, zero, k, differences)
        ? (reach[zero + k + 1] as number)
        : (reach[zero + k - 1] as number) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      reach[zero + k] = x;
      if (x >= before.length && x - k >= after.length) {
        return pairsOf(trace, before.length, after.length);
      }
    }
  }
  return [];
}

/** Whether the furthest path to diagonal `k` comes from the one above, by an entry of `after`. */
function isInsertion(reach: Int32Array, zero: number, k: number, differences: number): boolean {
  if (k === -differences) return true;
  return k !== differences && (reach[zero + k - 1] as number) < (reach[zero + k + 1] as number);
}

function pairsOf(trace: readonly Int32Array[], beforeEnd: number, afterEnd: number) {
  const pairs: [number, number][] = [];
  let x = beforeEnd;
  let y = afterEnd;
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const reach = trace[differences] as Int32Array;
    const zero = differences + 1;
    const k = x - y;
    const isFirst = differences === 0;
    const from = isInsertion(reach, zero, k, differences) ? k + 1 : k - 1;
    const startX = isFirst ? 0 : (reach[zero + from] as number);
    const startY = isFirst ? 0 : startX - from;
    while (x > startX && y > startY) pairs.push([--x, --y]);
    x = startX;
    y = startY;
  }
  return pairs;
}
