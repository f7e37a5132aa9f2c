/** Percentiles of a histogram, interpolated within the bucket that holds them. */

/**
 * @param bounds upper bounds of the buckets, ascending
 * @param counts values in each bucket, and last those above all bounds
 * @param quantile from 0 to 1
 * @returns null: nothing was counted
 */
export function quantileOf(
  bounds: readonly number[],
  counts: readonly number[],
  quantile: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= 0) return null;
  const rank = quantile * total;
  let below = 0;
  for (const [at, upper] of bounds.entries()) {
    const count = counts[at] ?? 0;
    const lower = bounds[at - 1] ?? 0;
    if (count > 0 && below + count >= rank) {
      return lower + ((upper - lower) * (rank - below)) / count;
    }
    below += count;
  }
  return bounds.at(-1) ?? 0;
}
