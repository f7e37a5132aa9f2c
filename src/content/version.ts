/** Owns app versions: text of the form X.Y.Z, packed so that comparing two is comparing two pairs of numbers. */

/** More digits than any shipped version has; three parts of nine still pack exactly into two doubles. */
const partDigitsMax = 9;

const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * A version as two integers, both below 2^53:
 *
 *     major.minor.patch      high = major * 10^6 + the upper six digits of minor
 *                            low  = the lower three digits of minor * 10^9 + patch
 */
export class Version {
  readonly high: number;
  readonly low: number;

  constructor(high: number, low: number) {
    this.high = high;
    this.low = low;
  }
}

/** The version of a caller that sent none. It lies above every other, so that such a caller gets the highest line. */
export const NO_VERSION: Version = new Version(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

/** Reads `X.Y.Z`, three runs of one to nine ASCII digits (leading zeros allowed); null for any other text. */
export function parseVersion(text: string): Version | null {
  let major = 0;
  let minor = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      if (++digits > partDigitsMax) return null;
      part = part * 10 + (code - ZERO);
      continue;
    }
    if (code !== DOT || digits === 0) return null;
    dots++;
    if (dots === 1) major = part;
    else if (dots === 2) minor = part;
    else return null;
    part = 0;
    digits = 0;
  }
  if (dots !== 2 || digits === 0) return null;
  return new Version(major * 1e6 + Math.floor(minor / 1e3), (minor % 1e3) * 1e9 + part);
}

/** Below zero, zero or above zero as `a` is lower than, equal to or higher than `b`. */
export function compareVersions(a: Version, b: Version): number {
  if (a.high !== b.high) return a.high < b.high ? -1 : 1;
  if (a.low !== b.low) return a.low < b.low ? -1 : 1;
  return 0;
}
