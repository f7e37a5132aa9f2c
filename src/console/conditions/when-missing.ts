/** What a condition makes of a player who does not have the attribute. Pure; docs/targeting.md has the same by operator. */
import { elementSources } from '../api/raw-json.js';
import { plainOperator } from './condition-operators.js';
import { kindOfSource, textOfSource } from './operand-source.js';

/** @returns a sentence if players without the attribute match, and no reader of the row would expect it; else null */
export function describeWhenMissing(
  field: string,
  operator: string,
  source: string,
): string | null {
  // The server knows these of every request: a missing app version never matches.
  if (field === '' || field.startsWith('@')) return null;
  if (countsAsZero(operator, source)) {
    return `Players without ${field} match as well: what is missing counts as 0.`;
  }
  return admitsMissing(operator, source) ? `Players without ${field} match as well.` : null;
}

function admitsMissing(operator: string, source: string): boolean {
  switch (operator) {
    case plainOperator:
      return source === '"null"';
    case '$ne':
      return source !== 'null';
    case '$nin':
    case '$nini':
      return elementSources(source)?.includes('null') === false;
    case '$notRegex':
      return kindOfSource(source) === 'text' && !mayMatchNull(textOfSource(source), 'u');
    case '$notRegexi':
      return kindOfSource(source) === 'text' && !mayMatchNull(textOfSource(source), 'iu');
    default:
      return false;
  }
}

/** The text of a missing attribute is `null`. */
function mayMatchNull(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).test('null');
  } catch {
    return true;
  }
}

function countsAsZero(operator: string, source: string): boolean {
  const compare = comparisons.get(operator);
  if (compare !== undefined && kindOfSource(source) === 'number') return compare(0, Number(source));
  const compareVersions = versionComparisons.get(operator);
  if (compareVersions === undefined || kindOfSource(source) !== 'text') return false;
  const version = plainVersion.exec(textOfSource(source));
  // The version `0` is below all others, `0.0` included.
  return version !== null && compareVersions(0, version[1] === '0' ? 0 : 1);
}

type Compare = (zero: number, operand: number) => boolean;

const comparisons: ReadonlyMap<string, Compare> = new Map([
  [plainOperator, (zero, operand) => zero === operand],
  ['$lt', (zero, operand) => zero < operand],
  ['$lte', (zero, operand) => zero <= operand],
  ['$gt', (zero, operand) => zero > operand],
  ['$gte', (zero, operand) => zero >= operand],
]);

const versionComparisons: ReadonlyMap<string, Compare> = new Map([
  ['$veq', (zero, operand) => zero === operand],
  ['$vne', (zero, operand) => zero !== operand],
  ['$vlt', (zero, operand) => zero < operand],
  ['$vlte', (zero, operand) => zero <= operand],
  ['$vgt', (zero, operand) => zero > operand],
  ['$vgte', (zero, operand) => zero >= operand],
]);

const plainVersion = /^v?(\d+(?:\.\d+)*)$/;
