/** Puts the tests of an environment together by what they draw their groups with, and finds which overlap. Pure. */
import { xxh32 } from '../../content/xxh32.js';
import type { AbTest } from '../../contract/operations/tests.js';
import { groupCount } from './groups/group-ranges.js';
import { instantMs, windowState } from './rules/time-window.js';

export type MapVariant = Pick<AbTest['variants'][number], 'name' | 'groups'>;

export interface MapTest extends Omit<AbTest, 'saved' | 'info' | 'variants'> {
  readonly variants: readonly MapVariant[];
}

/** Tests that split players along the same line. */
export interface SharedLine {
  /** Null: without a salt, the group is that of `meta.mod`. */
  readonly salt: string | null;
  readonly tests: readonly MapTest[];
  /** Those that have groups in common with another one at some time; the rest keeps out of each other's way. */
  readonly overlapping: ReadonlySet<MapTest>;
}

export interface TestsMap {
  readonly shared: readonly SharedLine[];
  /** Nobody else has their salt. */
  readonly alone: readonly MapTest[];
}

export function mapOf(tests: readonly MapTest[]): TestsMap {
  const bySalt = new Map<string | null, MapTest[]>();
  for (const test of tests) {
    const known = bySalt.get(test.salt);
    if (known === undefined) bySalt.set(test.salt, [test]);
    else known.push(test);
  }
  const shared: SharedLine[] = [];
  const alone: MapTest[] = [];
  for (const [salt, together] of bySalt) {
    if (together.length === 1) alone.push(...together);
    else shared.push({ salt, tests: together, overlapping: overlapsIn(together) });
  }
  // Those without a salt first: that is seldom meant.
  const rank = ({ salt }: SharedLine): number => (salt === null ? 0 : 1);
  shared.sort((one, other) => rank(one) - rank(other) || other.tests.length - one.tests.length);
  return { shared, alone };
}

// Comparing each with each takes the square; beyond, only the groups are looked at and not the times.
const comparedMax = 500;

function overlapsIn(tests: readonly MapTest[]): Set<MapTest> {
  const found = new Set<MapTest>();
  if (tests.length > comparedMax) {
    const counts = new Uint32Array(groupCount);
    for (const test of tests)
      for (const group of groupsOf(test)) counts[group] = (counts[group] ?? 0) + 1;
    for (const test of tests)
      if (groupsOf(test).some((group) => (counts[group] ?? 0) > 1)) found.add(test);
    return found;
  }
  for (const [index, one] of tests.entries()) {
    for (const other of tests.slice(index + 1)) {
      if (!shareTime(one, other) || !shareGroups(one, other)) continue;
      found.add(one);
      found.add(other);
    }
  }
  return found;
}

function groupsOf({ variants }: MapTest): number[] {
  return variants.flatMap(({ groups: [from, to] }) =>
    Array.from({ length: to - from + 1 }, (_, at) => from + at),
  );
}

function shareGroups(one: MapTest, other: MapTest): boolean {
  return one.variants.some(({ groups: [from, to] }) =>
    other.variants.some(({ groups }) => from <= groups[1] && groups[0] <= to),
  );
}

function shareTime(one: MapTest, other: MapTest): boolean {
  const start = (test: MapTest): number => instantMs(test.from) ?? Number.NEGATIVE_INFINITY;
  const end = (test: MapTest): number => instantMs(test.until) ?? Number.POSITIVE_INFINITY;
  return start(one) < end(other) && start(other) < end(one);
}

export function isOpenNow({ from, until }: MapTest, nowMs: number): boolean {
  const state = windowState(from, until, nowMs);
  return state === 'always' || state === 'running';
}

/** The variant that a group sees; null: the group is not in the test. */
export function variantOf({ variants }: MapTest, group: number): MapVariant | null {
  return variants.find(({ groups: [from, to] }) => from <= group && group <= to) ?? null;
}

const encoder = new TextEncoder();

/** The group of a user, as delivery draws it; without a user id it is 0 in every test. */
export function groupOfUser(user: string, salt: string | null): number {
  if (user === '') return 0;
  const bytes = encoder.encode(salt === null ? user : `${salt}:${user}`);
  return xxh32(bytes, bytes.length) % groupCount;
}

/** Whether a test is one that somebody searches for. */
export function matches({ content, segment, salt, variants }: MapTest, wanted: string): boolean {
  const text = [content, segment, salt ?? '', ...variants.map(({ name }) => name)].join('\n');
  return text.toLowerCase().includes(wanted.trim().toLowerCase());
}
