/** The chi-squared distribution. Pure arithmetic; test/statistics compares it with SciPy. */
import { normalCdf } from './normal.js';

/**
 * @param degreesOfFreedom a whole number, 1 or more
 * @returns the probability of a value above `x`
 */
export function chiSquaredTail(x: number, degreesOfFreedom: number): number {
  if (x <= 0) return 1;
  const half = x / 2;
  const isOdd = degreesOfFreedom % 2 === 1;
  // Q(a + 1, y) = Q(a, y) + y^a e^-y / Γ(a + 1), from a = ½ or a = 1 upwards: positive terms only.
  let tail = isOdd ? 2 * normalCdf(-Math.sqrt(x)) : Math.exp(-half);
  let logTerm = isOdd ? Math.log(half / Math.PI) / 2 + Math.LN2 - half : Math.log(half) - half;
  for (let a = isOdd ? 0.5 : 1; a < degreesOfFreedom / 2; a++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(half) - Math.log(a + 1);
  }
  return tail;
}
