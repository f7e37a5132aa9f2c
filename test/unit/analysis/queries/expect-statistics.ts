/** Compares statistics: integers and texts exactly, sums as sums of floating-point numbers can be. */
import { expect } from 'vitest';
import type { QueriedStatistics } from '../../../../src/analysis/queries/analyse.js';

const tolerance = 1e-9;

/** @param about what is compared, for a failure's message */
export function expectStatistics(
  found: QueriedStatistics,
  wanted: QueriedStatistics,
  about: string,
): void {
  const scale = largestSums(wanted);
  // Part by part: of the whole a failure would show too little.
  for (const key of Object.keys(wanted) as (keyof QueriedStatistics)[])
    expect(rounded(found[key], wanted[key], scale), `${about}: ${key}`).toEqual(wanted[key]);
}

/** `found` with each number that is near enough to that of `wanted` in its place. */
function rounded(
  found: unknown,
  wanted: unknown,
  scale: ReadonlyMap<string, number>,
  name = '',
): unknown {
  if (typeof found === 'number' && typeof wanted === 'number') {
    const off = tolerance * (scale.get(name) ?? 0);
    return Math.abs(found - wanted) <= off ? wanted : found;
  }
  if (Array.isArray(found) && Array.isArray(wanted))
    return found.map((each, place) => rounded(each, wanted[place], scale, name));
  if (!isObject(found) || !isObject(wanted)) return found;
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => [key, rounded(value, wanted[key], scale, key)]),
  );
}

/** By the name of the sum: of what is added up, part may have cancelled out. */
function largestSums(statistics: QueriedStatistics): Map<string, number> {
  const largest = new Map<string, number>();
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'number' && (name.startsWith('sum') || name === 'winsorisedAt'))
      largest.set(name, Math.max(largest.get(name) ?? 0, Math.abs(value)));
    if (Array.isArray(value)) for (const each of value) visit(each, name);
    if (isObject(value)) for (const [key, each] of Object.entries(value)) visit(each, key);
  };
  visit(statistics, '');
  return largest;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
