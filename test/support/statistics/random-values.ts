/** Draws from distributions, by random numbers from 0 to 1. */
export type Random = () => number;

/** Standard normal, by Box and Muller. */
export function normalValue(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Log-normal with median 1: purchases, with the heavy tail of few who pay much. */
export function logNormalValue(random: Random, sigma: number): number {
  return Math.exp(sigma * normalValue(random));
}

/** Poisson, by counting arrivals: for small means. */
export function poissonValue(random: Random, mean: number): number {
  const end = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > end; product *= random()) count += 1;
  return count;
}

export function integerBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Between `low` and `high`, each order of magnitude as probable as the next. */
export function magnitudeBetween(random: Random, low: number, high: number): number {
  return low * (high / low) ** random();
}
