/** Finds what somebody who mistyped a name may have meant. */

/**
 * The candidate that contains what was typed, or that is the fewest insertions, deletions and replacements away; '' when
 * none is near.
 * @param {string} typed
 * @param {readonly string[]} candidates
 */
export function nearest(typed, candidates) {
  let best = candidates.find((candidate) => candidate.includes(typed)) ?? '';
  if (best !== '') return best;
  let least = Math.max(3, Math.ceil(typed.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const away = distance(typed, candidate);
    if (away >= least) continue;
    best = candidate;
    least = away;
  }
  return best;
}

/**
 * Levenshtein's distance.
 * @param {string} from
 * @param {string} to
 */
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let other = 1; other <= to.length; other += 1) {
      const replaced =
        /** @type {number} */ (row[other - 1]) + Number(from[at - 1] !== to[other - 1]);
      const removed = /** @type {number} */ (row[other]) + 1;
      const added = /** @type {number} */ (next[other - 1]) + 1;
      next.push(Math.min(replaced, removed, added));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
