/** Turns any version text into a key whose string order is version order: what the version operators compare. */

/** GrowthBook's SDKs, whose order this keeps, pad a numeric part to five characters. */
const padWidth = 5;
const numeric = /^[0-9]+$/;
const separator = /[-.]/;
const leadingZeros = /^0+(?=[0-9])/;

/**
 * The key of a version such as `1.10.2`, `v1.4`, `2.0.0-rc.1` or `1.2.3+build7`: a leading `v` and the build are left
 * off, the parts between dots and hyphens follow one another, and a release comes after its pre-releases. A numeric
 * part of up to five digits is padded with spaces, as the SDKs do; a longer one, which they compare wrongly, gets one
 * `:` (the character after `9`) for each digit more, so that it comes after every shorter number.
 */
export function versionKey(text: string): string {
  return keyOf(text, false);
}

/** The key of an app version: as `versionKey`, but its parts are numbers, so that `1.04.0` is `1.4.0`. */
export function appVersionKey(text: string): string {
  return keyOf(text, true);
}

/** The text that a JSON value has as a version: a number is read as text, what is no version counts as `0`. */
export function versionTextOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : '0';
}

/** `text` without a leading `v` and without its build part. */
export function coreVersion(text: string): string {
  const start = text.startsWith('v') ? 1 : 0;
  const build = text.indexOf('+');
  return build === -1 ? text.slice(start) : text.slice(start, Math.max(start, build));
}

function keyOf(text: string, asNumbers: boolean): string {
  const parts = coreVersion(text).split(separator);
  let key = '';
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (i > 0) key += '-';
    key += numeric.test(part) ? numberKey(part, asNumbers) : part;
  }
  // Three parts are a release. `~` is the last printable ASCII character: a release comes after `-beta`.
  return parts.length === 3 ? `${key}-~` : key;
}

function numberKey(digits: string, asNumber: boolean): string {
  if (digits.length <= padWidth) {
    return (asNumber ? digits.replace(leadingZeros, '') : digits).padStart(padWidth, ' ');
  }
  const significant = digits.replace(leadingZeros, '');
  if (significant.length <= padWidth) return significant.padStart(padWidth, ' ');
  return `9${':'.repeat(significant.length - padWidth)}${significant}`;
}
