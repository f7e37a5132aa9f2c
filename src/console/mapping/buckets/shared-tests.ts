/** Groups the A/B tests of an environment by salt, and finds those that overlap. Pure. */
import type { Span } from '../../../content/mapping/window.js';
import { xxh32 } from '../../../content/xxh32.js';
import type { AbTest } from '../../../contract/operations/tests.js';
import { readWindowSource, type WindowSource } from '../window/read-window.js';
import { earliestMs, latestMs, windowNow } from '../window/window-state.js';
import { bucketCount } from './bucket-ranges.js';

/** Tests that assign players to the same buckets. */
export interface SharedSalt {
  /** Null: without a salt, the bucket is `meta.mod`. */
  readonly salt: string | null;
  readonly tests: readonly AbTest[];
  /** Tests that have buckets in common with another one at some time. */
  readonly overlapping: ReadonlySet<AbTest>;
}

export interface TestsMap {
  readonly shared: readonly SharedSalt[];
  /** No other test has their salt. */
  readonly alone: readonly AbTest[];
}

export function mapOf(tests: readonly AbTest[]): TestsMap {
  const bySalt = new Map<string | null, AbTest[]>();
  for (const test of tests) {
    const known = bySalt.get(test.salt);
    if (known === undefined) bySalt.set(test.salt, [test]);
    else known.push(test);
  }
  const shared: SharedSalt[] = [];
  const alone: AbTest[] = [];
  for (const [salt, together] of bySalt) {
    if (together.length === 1) alone.push(...together);
    else shared.push({ salt, tests: together, overlapping: overlapsIn(together) });
  }
  // Tests without a salt first: that is seldom intended.
  const rank = ({ salt }: SharedSalt): number => (salt === null ? 0 : 1);
  shared.sort((one, other) => rank(one) - rank(other) || other.tests.length - one.tests.length);
  return { shared, alone };
}

// Comparing all pairs is quadratic; beyond this many tests, times are not compared.
const comparedMax = 500;

function overlapsIn(tests: readonly AbTest[]): Set<AbTest> {
  const found = new Set<AbTest>();
  if (tests.length > comparedMax) {
    const counts = new Uint32Array(bucketCount);
    for (const test of tests)
      for (const bucket of bucketsOf(test)) counts[bucket] = (counts[bucket] ?? 0) + 1;
    for (const test of tests)
      if (bucketsOf(test).some((bucket) => (counts[bucket] ?? 0) > 1)) found.add(test);
    return found;
  }
  for (const [index, one] of tests.entries()) {
    for (const other of tests.slice(index + 1)) {
      if (!shareTime(one, other) || !shareBuckets(one, other)) continue;
      found.add(one);
      found.add(other);
    }
  }
  return found;
}

function bucketsOf({ variants }: AbTest): number[] {
  return variants.flatMap(({ groups: [from, to] }) =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at),
  );
}

function shareBuckets(one: AbTest, other: AbTest): boolean {
  return one.variants.some(({ groups: [from, to] }) =>
    other.variants.some(({ groups }) => from <= groups[1] && groups[0] <= to),
  );
}

function shareTime(one: AbTest, other: AbTest): boolean {
  const [a, b] = [spanOf(one), spanOf(other)];
  return a.startMs < b.endMs && b.startMs < a.endMs;
}

/** In which it may be open for some player in the world. */
function spanOf(test: AbTest): Span {
  const window = readWindowSource(windowOf(test));
  if (window === null)
    return { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
  return { startMs: window.fromMs - earliestMs(window), endMs: window.untilMs + latestMs(window) };
}

/** A fixed repeat is left out: the list does not say in which zone its hours are. */
export function windowOf({ from, until, local, repeat }: AbTest): WindowSource {
  return { from, until, repeat: local && repeat !== null ? JSON.stringify(repeat) : null };
}

export function isOpenNow(test: AbTest, nowMs: number): boolean {
  const { state } = windowNow(windowOf(test), nowMs);
  return state === 'always' || state === 'running';
}

/** The variant of a bucket; null: the bucket is not in the test. */
export function variantOf({ variants }: AbTest, bucket: number): AbTest['variants'][number] | null {
  return variants.find(({ groups: [from, to] }) => from <= bucket && bucket <= to) ?? null;
}

const encoder = new TextEncoder();

/** The bucket of a user, as delivery computes it; without a user id it is 0 in every test. */
export function bucketOfUser(user: string, salt: string | null): number {
  if (user === '') return 0;
  const bytes = encoder.encode(salt === null ? user : `${salt}:${user}`);
  return xxh32(bytes, bytes.length) % bucketCount;
}

/** Whether a test matches a search. */
export function matches({ content, segment, salt, variants }: AbTest, wanted: string): boolean {
  const text = [content, segment, salt ?? '', ...variants.map(({ name }) => name)].join('\n');
  return text.toLowerCase().includes(wanted.trim().toLowerCase());
}
