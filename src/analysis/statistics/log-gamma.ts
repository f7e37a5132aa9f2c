/** Coefficients of 1/x, 1/x³, … in Stirling's series. */
const stirling = [1 / 12, -1 / 360, 1 / 1_260, -1 / 1_680, 1 / 1_188, -691 / 360_360, 1 / 156];

/**
 * The logarithm of the gamma function; test/statistics compares it with SciPy.
 *
 * @param x above 0
 */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  for (; shifted < 15; shifted++) product *= shifted;
  let power = 1 / shifted;
  let series = 0;
  for (const coefficient of stirling) {
    series += coefficient * power;
    power /= shifted * shifted;
  }
  const stirlingSum = (shifted - 0.5) * Math.log(shifted) - shifted + Math.log(2 * Math.PI) / 2;
  return stirlingSum + series - Math.log(product);
}
