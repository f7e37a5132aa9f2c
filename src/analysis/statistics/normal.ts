/** The normal distribution. Pure arithmetic; test/statistics compares it with SciPy. */

const rootOfTwoPi = Math.sqrt(2 * Math.PI);
/** From here on the continued fraction of the tail is exact with 60 steps, and the series would lose the digits of the tail. */
const tailFrom = 2;

/** @returns the density at `z` */
export function normalDensity(z: number): number {
  return Math.exp((-z * z) / 2) / rootOfTwoPi;
}

/** @returns the probability of a value below `z`, with a relative error of some 1e-14 in the lower tail as well */
export function normalCdf(z: number): number {
  if (z > tailFrom) return 1 - upperTail(z);
  if (z < -tailFrom) return upperTail(-z);
  return 0.5 + normalDensity(z) * centralSeries(z);
}

/** z + z³/3 + z⁵/(3·5) + …: all terms have one sign, so no digit cancels. */
function centralSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let divisor = 3; Math.abs(term) > Math.abs(sum) * 1e-17; divisor += 2) {
    term *= (z * z) / divisor;
    sum += term;
  }
  return sum;
}

/** Laplace's continued fraction of Mills' ratio, evaluated from its far end. */
function upperTail(z: number): number {
  let denominator = z;
  for (let step = 60; step >= 1; step--) denominator = z + step / denominator;
  return normalDensity(z) / denominator;
}

/**
 * @param probability above 0 and below 1
 * @returns the value below which a standard normal value lies with this probability
 */
export function normalQuantile(probability: number): number {
  if (probability === 0.5) return 0;
  const isLower = probability < 0.5;
  const tail = isLower ? probability : 1 - probability;
  // Abramowitz and Stegun 26.2.23 is within 4.5e-4; each of Halley's steps triples the number of correct digits.
  const t = Math.sqrt(-2 * Math.log(tail));
  let z =
    (2.515517 + t * (0.802853 + t * 0.010328)) /
      (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
    t;
  for (let step = 0; step < 3; step++) {
    const newton = (normalCdf(z) - tail) / normalDensity(z);
    z -= newton / (1 + (z * newton) / 2);
  }
  return isLower ? z : -z;
}
