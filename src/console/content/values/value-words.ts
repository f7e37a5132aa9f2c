/** The values of a path for people. Pure. */
import type { EnvelopeBound, EnvelopePath } from '../../../contract/operations/envelope.js';

/** More are counted. */
const valuesShown = 3;
/** A longer text is cut: the Text tab has it. */
const valueCharsMax = 40;

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 17 });
/** From here on an exponent is easier to read. */
const plainMax = 1e15;

/** `4,990 … 50,000`, `true, false`, `"a" or null`, `object`. */
export function formatValues({ types, min, max, values }: EnvelopePath): string {
  if (min === null || max === null) {
    return values === null || values.length === 0 ? types.join(' or ') : formatList(values);
  }
  const range =
    min.value === max.value ? formatBound(min) : `${formatBound(min)} … ${formatBound(max)}`;
  return [range, ...types.filter((type) => type !== 'number')].join(' or ');
}

function formatList(values: readonly string[]): string {
  const shown = values
    .slice(0, valuesShown)
    .map((text) => (text.length > valueCharsMax ? `${text.slice(0, valueCharsMax)}…` : text));
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

function formatBound({ value }: EnvelopeBound): string {
  if (value === null) return 'beyond all numbers';
  return Math.abs(value) >= plainMax ? String(value) : plain.format(value);
}

/** `version 0.0.0`, or `0: version 0.0.0 · 50: rule whales, version 2.1.0`; '' where there is no number. */
export function formatSources({ min, max }: EnvelopePath, appVersion: string): string {
  if (min === null || max === null) return '';
  const [low, high] = [min, max].map((bound) => formatSource(bound, appVersion));
  if (low === high) return low ?? '';
  return `${formatBound(min)}: ${low} · ${formatBound(max)}: ${high}`;
}

function formatSource({ rule, segment, variant }: EnvelopeBound, appVersion: string): string {
  if (rule === null) return `version ${appVersion}`;
  const name = `rule ${segment ?? rule + 1}`;
  return `${variant === null ? name : `${name} (${variant})`}, version ${appVersion}`;
}
