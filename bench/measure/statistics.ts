/** Medians and their spread: what a handful of rounds can honestly say. */

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Of at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: medianOfSorted(sorted), min: sorted[0]!, max: sorted.at(-1)! };
}

export function median(values: readonly number[]): number {
  return spreadOf(values).median;
}

function medianOfSorted(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Of two contenders whose rounds were interleaved: the median of the ratios within each round, with their
 * spread. What slows a whole round down (a neighbour on the machine) cancels out.
 */
export function ratioOf(of: readonly number[], to: readonly number[]): Spread {
  const rounds = Math.min(of.length, to.length);
  return spreadOf(Array.from({ length: rounds }, (_, round) => of[round]! / to[round]!));
}

/**
 * An interval that has the true median with a probability of 95 % or more, whatever the distribution (the sign test's). Null: of
 * fewer than six values there is none.
 */
export function medianIntervalOf(
  values: readonly number[],
): readonly [least: number, most: number] | null {
  const sorted = [...values].sort((a, b) => a - b);
  let [below, term] = [0, 0.5 ** sorted.length];
  let outside = -1;
  for (let at = 0; at < sorted.length && 2 * (below + term) <= 0.05; at += 1) {
    below += term;
    term *= (sorted.length - at) / (at + 1);
    outside = at;
  }
  return outside < 0 ? null : [sorted[outside]!, sorted.at(-1 - outside)!];
}

/** By how much `y` grows with one `x`: the slope of the line with the least squares. Of at least two points. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  let [covariance, variance] = [0, 0];
  for (const [x, y] of points) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return covariance / variance;
}
