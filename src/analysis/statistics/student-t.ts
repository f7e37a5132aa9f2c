/** Student's t distribution. Pure arithmetic; test/statistics compares it with SciPy. */
import { normalQuantile } from './normal.js';

/** @returns the probability of a value farther from 0 than `t` */
export function twoSidedTail(t: number, degreesOfFreedom: number): number {
  const distance = Math.abs(t);
  if (distance * distance >= degreesOfFreedom) return farTail(distance, degreesOfFreedom);
  return distance < 2
    ? 1 - centralPart(distance, degreesOfFreedom)
    : nearTail(distance, degreesOfFreedom);
}

/** @returns the distance from 0 that a value exceeds with this probability (above 0, below 1) */
export function twoSidedQuantile(probability: number, degreesOfFreedom: number): number {
  const density = densityOf(degreesOfFreedom);
  // Tails are heavier than those of the normal distribution and convex: from its quantile, Newton's steps come from below.
  let t = -normalQuantile(probability / 2);
  for (let round = 0; round < 500; round++) {
    const step = (twoSidedTail(t, degreesOfFreedom) - probability) / (2 * density(t));
    t += step;
    // Below that, and backwards, there are only errors of rounding.
    if (step <= 1e-14 * t) break;
  }
  return t;
}

function densityOf(degreesOfFreedom: number): (t: number) => number {
  const half = degreesOfFreedom / 2;
  const logAtZero = logGammaRatio(half) - Math.log(Math.PI * degreesOfFreedom) / 2;
  return (t) => Math.exp(logAtZero - (half + 0.5) * Math.log1p((t * t) / degreesOfFreedom));
}

/**
 * ln Γ(a + ½) - ln Γ(a). The difference of two logarithms of gamma functions would lose nine digits at a million degrees of
 * freedom; this expansion in 1/a loses none.
 */
function logGammaRatio(a: number): number {
  let shifted = a;
  let product = 1;
  for (; shifted < 20; shifted++) product *= shifted / (shifted + 0.5);
  const inverse = 1 / shifted;
  const square = inverse * inverse;
  const series =
    inverse *
    (-1 / 8 +
      square * (1 / 192 + square * (-1 / 640 + square * (17 / 14_336 - square * (31 / 18_432)))));
  return Math.log(shifted) / 2 + series + Math.log(product);
}

/** The probability between -t and t, as a series in t² / (ν + t²) whose terms are all positive. Of small t. */
function centralPart(t: number, degreesOfFreedom: number): number {
  const y = (t * t) / (degreesOfFreedom + t * t);
  let term = 1;
  let sum = 1;
  for (let step = 0; term > sum * 1e-17; step++) {
    term *= ((degreesOfFreedom / 2 + 0.5 + step) / (1.5 + step)) * y;
    sum += term;
  }
  return 2 * densityOf(degreesOfFreedom)(t) * t * sum;
}

/** Steps of x per unit, and where they end, in {@link nearTail}: 13 digits. */
const stepsPerUnit = 16;
const firstStep = -4 * stepsPerUnit;
const lastStep = 12 * stepsPerUnit;

/**
 * The integral of the density beyond t, whose digits a subtraction from 1 would lose. With u = exp(x - exp(-x)) it falls
 * doubly exponentially to both sides, so the trapezoidal rule is exact (Takahasi and Mori, 1974).
 */
function nearTail(t: number, degreesOfFreedom: number): number {
  const density = densityOf(degreesOfFreedom);
  const scale = (degreesOfFreedom + t * t) / (t * (degreesOfFreedom + 1));
  let sum = 0;
  for (let step = firstStep; step <= lastStep; step++) {
    const x = step / stepsPerUnit;
    const u = Math.exp(x - Math.exp(-x));
    sum += density(t + u * scale) * u * (1 + Math.exp(-x));
  }
  return (2 * sum * scale) / stepsPerUnit;
}

/** The incomplete beta function of x = ν / (ν + t²), which is ½ at most here, by its series in x. */
function farTail(t: number, degreesOfFreedom: number): number {
  const x = degreesOfFreedom / (degreesOfFreedom + t * t);
  const half = degreesOfFreedom / 2;
  let term = 1;
  let sum = 1;
  for (let step = 0; term > sum * 1e-17; step++) {
    term *= ((half + 0.5 + step) / (half + 1 + step)) * x;
    sum += term;
  }
  return (2 * densityOf(degreesOfFreedom)(t) * t * sum) / degreesOfFreedom;
}
