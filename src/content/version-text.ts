/** App versions of lines in their one spelling. */
import { compareVersions, NO_VERSION, parseVersion } from './version.js';

/** The line for every version. */
export const lowestVersion = '0.0.0';

/** `01.2.3` is the line `1.2.3`. Null: not of the form X.Y.Z. */
export function canonicalVersion(text: string): string | null {
  if (parseVersion(text) === null) return null;
  return text.split('.').map(Number).join('.');
}

/** For sorting lines, ascending. Both texts are canonical. */
export function compareVersionTexts(a: string, b: string): number {
  return compareVersions(parseVersion(a) ?? NO_VERSION, parseVersion(b) ?? NO_VERSION);
}
