/**
 * Corrections for several comparisons. Each gives one level for all comparisons of a family: a comparison is decided if its
 * p-value is at most the level, and intervals are drawn at the level, so an interval excludes 0 exactly where its comparison
 * is decided.
 */

/**
 * Holm's procedure: among all comparisons without an effect, any is decided with probability alpha at most.
 *
 * @param pValues of the family
 * @returns the level of its intervals and decisions
 */
export function holmLevel(pValues: readonly number[], alpha: number): number {
  const sorted = pValues.toSorted((a, b) => a - b);
  const count = sorted.length;
  const firstKept = sorted.findIndex((pValue, rank) => pValue > alpha / (count - rank));
  // If all are decided, the last step's level is alpha itself.
  return firstKept === -1 ? alpha : alpha / (count - firstKept);
}

/**
 * Benjamini and Hochberg's procedure: of the comparisons that are decided, a share of alpha at most is expected to have no
 * effect. Intervals at its level are those of Benjamini and Yekutieli (2005) for what was selected.
 *
 * @param pValues of the family
 * @returns the level of its intervals and decisions
 */
export function benjaminiHochbergLevel(pValues: readonly number[], alpha: number): number {
  const sorted = pValues.toSorted((a, b) => a - b);
  const count = sorted.length;
  const decided =
    sorted.findLastIndex((pValue, rank) => pValue <= (alpha * (rank + 1)) / count) + 1;
  return (alpha * Math.max(1, decided)) / Math.max(1, count);
}
