/**
 * Whether some player can meet two conditions at once (D92). A no is proven; a yes is a possibility.
 *
 * A list as the value of an attribute meets `$in` with any of its elements, so `{"$in": ["US"]}` and `{"$in": ["DE"]}` share a
 * player whose country is `["US", "DE"]`. Few games send such, so the attributes that would have to be lists are named.
 */
import type { Bounds } from './attribute-bounds.js';
import type { BoundTest, ValueTest, VersionTest } from './bound-test.js';
import { attributeSamples, bucketSamples, textSamples } from './sample-values.js';
import { canBeVersion } from './version-bounds.js';

/** What comparing conditions may still cost, in sample values that are tested: about a microsecond each. */
export interface ComparisonBudget {
  left: number;
}

/** The name under which bounds hold the bucket of a test: `@mod` without a salt, which conditions can ask for, too. */
export function bucketName(salt: string | null): string {
  return salt === null ? '@mod' : `${saltedBucket}${salt}`;
}

/** No attribute of a condition is called so. */
const saltedBucket = '@mod ';

/**
 * Exact, and free of a budget: it looks at a thousand buckets at most.
 *
 * @param name as `bucketName` gives it
 * @returns whether some bucket satisfies all that the bounds ask of this one
 */
export function hasBucket(bounds: Bounds, name: string): boolean {
  const tests = (bounds.get(name) ?? []).filter(isValueTest);
  return bucketSamples.some((bucket) => tests.every(({ holds }) => holds(bucket)));
}

/**
 * @param a alternatives, of which one holds for each player of the first condition
 * @param budget once it is spent, all conditions share players
 * @returns attributes that must be lists for a player to meet both; null: no player can
 */
export function sharedPlayers(
  a: readonly Bounds[],
  b: readonly Bounds[],
  budget: ComparisonBudget,
): readonly string[] | null {
  let fewest: readonly string[] | null = null;
  for (const one of a) {
    for (const other of b) {
      const lists = listsNeeded(one, other, budget);
      if (lists?.length === 0) return lists;
      if (lists !== null && (fewest === null || lists.length < fewest.length)) fewest = lists;
    }
  }
  return fewest;
}

function listsNeeded(a: Bounds, b: Bounds, budget: ComparisonBudget): readonly string[] | null {
  const lists: string[] = [];
  for (const [name, tests] of a) {
    const others = b.get(name);
    if (others === undefined) continue;
    const all = [...tests, ...others];
    if (!canBeVersion(all.filter(isVersionTest))) return null;
    const values = all.filter(isValueTest);
    if (values.length === 0 || canBeScalar(name, values, budget)) continue;
    if (name.startsWith('@') || !canBeList(values)) return null;
    lists.push(name);
  }
  return lists;
}

function canBeScalar(name: string, tests: readonly ValueTest[], budget: ComparisonBudget): boolean {
  if (budget.left <= 0) return true;
  const samples = samplesOf(name, tests);
  if (samples === null) return true;
  const found = samples.findIndex((value) => tests.every(({ holds }) => holds(value)));
  budget.left -= found === -1 ? samples.length : found + 1;
  // Making the samples costs as much as testing some.
  budget.left -= samples.length / 4;
  return found !== -1;
}

function samplesOf(name: string, tests: readonly ValueTest[]): readonly unknown[] | null {
  if (name === '@mod' || name.startsWith(saltedBucket)) return bucketSamples;
  return name === '@u' ? textSamples(tests) : attributeSamples(tests);
}

/** Certain only in a no, as for all of this module. */
function canBeList(tests: readonly ValueTest[]): boolean {
  const wanted: (readonly unknown[])[] = [];
  const unwanted = new Set<unknown>();
  for (const { operand } of tests) {
    if (operand === null || operand === false) return false;
    if (typeof operand !== 'object') continue;
    if ('$eq' in operand) return false;
    if ('$type' in operand && operand['$type'] !== 'array') return false;
    if ('$exists' in operand && !operand['$exists']) return false;
    if ('$in' in operand) wanted.push(operand['$in'] as readonly unknown[]);
    if ('$nin' in operand) for (const value of operand['$nin'] as unknown[]) unwanted.add(value);
  }
  const text = tests.find(({ operand }) => typeof operand === 'string')?.operand;
  const isHeld = (value: unknown): boolean =>
    !unwanted.has(value) && (typeof text !== 'string' || holdsText(text, value));
  return canBeTextOfList(tests.filter(isOfText)) && wanted.every((list) => list.some(isHeld));
}

/** By order, and with a plain text or number, a list is compared as its text. */
function isOfText({ operand, order }: ValueTest): boolean {
  if (typeof operand === 'object')
    return order !== null && operand !== null && !('$not' in operand);
  return typeof operand !== 'boolean';
}

function canBeTextOfList(tests: readonly ValueTest[]): boolean {
  if (tests.length === 0) return true;
  const texts = textSamples(tests);
  return texts === null || texts.some((text) => tests.every(({ holds }) => holds(text)));
}

/** The text of a list holds that of each of its elements; of null it is empty. */
function holdsText(text: string, element: unknown): boolean {
  return element === null || text.includes(String(element));
}

function isValueTest(test: BoundTest): test is ValueTest {
  return test.kind === 'value';
}

function isVersionTest(test: BoundTest): test is VersionTest {
  return test.kind === 'version';
}
