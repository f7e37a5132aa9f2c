/** Percentiles of a histogram that counts cumulatively: by straight line within the bucket that holds them. */

/**
 * @param counts answers by the upper bound of their bucket; each bound counts the lower ones too
 * @param quantile from 0 to 1
 * @returns null: nothing was counted
 */
export function quantileOf(counts: ReadonlyMap<number, number>, quantile: number): number | null {
  const bounds = [...counts.keys()].sort((one, other) => one - other);
  const total = counts.get(Number.POSITIVE_INFINITY) ?? counts.get(bounds.at(-1) ?? 0) ?? 0;
  if (total <= 0) return null;
  const rank = quantile * total;
  let [lower, below] = [0, 0];
  for (const bound of bounds) {
    const count = counts.get(bound) ?? 0;
    // Beyond the last bound nothing is known but that it was more.
    if (count >= rank && bound === Number.POSITIVE_INFINITY) return lower;
    if (count >= rank && count > below) {
      return lower + ((bound - lower) * (rank - below)) / (count - below);
    }
    [lower, below] = [bound, count];
  }
  return lower;
}
