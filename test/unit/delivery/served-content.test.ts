/** A content item that a release ramps: which caller is given which state, and what is said of it to all. */
import { describe, expect, it } from 'vitest';
import {
  type EvaluationContext,
  makeEvaluationContext,
} from '../../../src/content/evaluation-context.js';
import { SelectionBudget } from '../../../src/content/selection-budget.js';
import { FlaggedContents } from '../../../src/delivery/published/flagged-contents.js';
import { Coding, Form } from '../../../src/delivery/render/render-task.js';
import { ServedContent } from '../../../src/delivery/render/served-content.js';
import { ServedSegment } from '../../../src/delivery/render/served-segment.js';
import type { CandidateRow, DeliveryRow } from '../../../src/published/reader.js';

const hashOf = (name: string) => name.padEnd(16, '0');

/** One version line whose text is its name. */
function delivery(
  name: string,
  rules: readonly object[] = [],
  flags: readonly string[] = [],
): DeliveryRow {
  const mapping = rules.length === 0 ? null : Buffer.from(JSON.stringify(rules));
  const lines = [{ version: '0.0.0', digest: name, hash: hashOf(name), bytes: 2 }];
  return { lines, mapping, mappingDigest: mapping === null ? '' : `${name}-rules`, flags };
}

const nothing: DeliveryRow = { lines: [], mapping: null, mappingDigest: '', flags: [] };

function candidate(content: DeliveryRow | null, permille = 500): CandidateRow {
  return { release: 'r', run: 1, salt: 'salt', permille, step: 0, receipts: false, content };
}

interface Parts {
  readonly live?: DeliveryRow;
  readonly ramp?: CandidateRow | null;
  readonly segments?: Readonly<Record<string, ServedSegment>>;
}

function contentOf({ live = delivery('live'), ramp = null, segments = {} }: Parts): ServedContent {
  const row = { environment: 'e', id: 'Shop', ...live, candidate: ramp };
  return new ServedContent(row, (name) => segments[name], new SelectionBudget(1e6, true));
}

const caller = (u: string, p = {}) => makeEvaluationContext(u, p, null);
const users = Array.from({ length: 1_000 }, (_, at) => `user-${at}`);

/** A user in the lower half of the buckets, and one in the upper half. */
const memberU = users.find((u) => caller(u).bucketUnder('salt') < 500) as string;
const outsiderU = users.find((u) => caller(u).bucketUnder('salt') >= 500) as string;

/** Name of what the caller is given; null: nothing. */
function given(content: ServedContent, who: EvaluationContext, form: Form = Form.Plain) {
  return content.stateFor(who)?.slot(who, form, Coding.Identity, 0)?.line.digest ?? null;
}

describe('a content item that a release changes', () => {
  const content = contentOf({ ramp: candidate(delivery('next')) });

  it.each(Object.entries(Form))('is the candidate to members and live to others, %s', (_, form) => {
    expect(given(content, caller(memberU), form)).toBe('next');
    expect(given(content, caller(outsiderU), form)).toBe('live');
    expect(given(content, caller(''), form)).toBe('live');
  });

  it('has the hash of what is live in the catalog, and says that it depends on the caller', () => {
    expect(content.catalogEntry).toBe(`"Shop":{"h":"${hashOf('live')}","d":true}`);
    expect(contentOf({}).catalogEntry).toBe(`"Shop":{"h":"${hashOf('live')}","d":false}`);
  });

  it('says which slice a caller is in, and of which release', () => {
    const small = contentOf({ ramp: candidate(delivery('next'), 100) });
    const slices = users.map((u) => [caller(u).bucketUnder('salt'), small.sliceFor(caller(u))]);
    const slicesOf = (from: number, until: number) =>
      new Set(slices.filter(([at]) => Number(at) >= from && Number(at) < until).map(([, s]) => s));
    expect(slicesOf(0, 100)).toEqual(new Set(['candidate']));
    expect(slicesOf(100, 200)).toEqual(new Set(['control']));
    expect(slicesOf(200, 1000)).toEqual(new Set([null]));
    expect(small.ramp).toMatchObject({ release: 'r', run: 1, step: 0, receipts: false });
    expect(contentOf({}).sliceFor(caller(memberU))).toBe(null);
  });
});

it('a content item that a release deletes is not there for members', () => {
  const content = contentOf({ ramp: candidate(null) });
  expect(given(content, caller(memberU))).toBe(null);
  expect(given(content, caller(outsiderU))).toBe('live');
  expect(content.catalogEntry).toContain(hashOf('live'));
});

it('a content item that only a release has is there for members alone, and not in the catalog', () => {
  const content = contentOf({ live: nothing, ramp: candidate(delivery('next')) });
  expect(given(content, caller(memberU))).toBe('next');
  expect(given(content, caller(outsiderU))).toBe(null);
  expect(content.catalogEntry).toBe('');
});

describe('a segment that a release changes', () => {
  const rules = [{ segment: 'whales', merge: { n: 1 } }];
  const where = { environment: 'e', name: 'whales' };
  const both = delivery('both', rules);
  const appliesTo = (segment: ServedSegment, u: string, level: number) => {
    const segments = { whales: segment };
    const content = contentOf({ live: both, ramp: candidate(both), segments });
    const who = caller(u, { level });
    const slot = content.stateFor(who)?.slot(who, Form.Wrapped, Coding.Identity, 0);
    return (slot?.mutations.length ?? 0) > 0;
  };

  it('has its new condition for members, and the live one for others', () => {
    const segment = new ServedSegment({
      ...where,
      condition: '{"level":1}',
      candidate: '{"level":2}',
    });
    expect([1, 2].map((level) => appliesTo(segment, memberU, level))).toEqual([false, true]);
    expect([1, 2].map((level) => appliesTo(segment, outsiderU, level))).toEqual([true, false]);
  });

  it('that is not live applies to members alone', () => {
    const segment = new ServedSegment({ ...where, condition: null, candidate: '{"level":2}' });
    expect(appliesTo(segment, memberU, 2)).toBe(true);
    expect(appliesTo(segment, outsiderU, 2)).toBe(false);
  });

  it('that the release does not change is the live one for members too', () => {
    const segment = new ServedSegment({ ...where, condition: '{"level":1}', candidate: null });
    expect([1, 2].map((level) => appliesTo(segment, memberU, level))).toEqual([true, false]);
  });
});

describe('the flags of content items that a release changes', () => {
  const flagged = (name: string, ...flags: string[]) => delivery(name, [], flags);
  const listed = (contents: readonly ServedContent[], u: string) =>
    new FlaggedContents(contents).for(caller(u)).map(({ flags }) => flags);

  it('are those of what the caller is given', () => {
    const contents = [
      contentOf({ live: flagged('a', '/a') }),
      contentOf({ live: flagged('b', '/b'), ramp: candidate(flagged('b2', '/b', '/b2')) }),
      contentOf({ live: flagged('c', '/c'), ramp: candidate(null) }),
      contentOf({ live: delivery('d'), ramp: candidate(flagged('d2', '/d2')) }),
      contentOf({ live: nothing, ramp: candidate(flagged('e2', '/e2')) }),
      contentOf({ live: flagged('f', '/f'), ramp: candidate(delivery('f2')) }),
    ];
    expect(listed(contents, memberU)).toEqual([['/a'], ['/b', '/b2'], ['/d2'], ['/e2']]);
    expect(listed(contents, outsiderU)).toEqual([['/a'], ['/b'], ['/c'], ['/f']]);
  });

  it('are looked up once for all callers where nothing ramps', () => {
    const contents = new FlaggedContents([contentOf({ live: flagged('a', '/a') })]);
    expect(contents.for(caller(memberU))).toBe(contents.for(caller(outsiderU)));
  });
});

describe('the windows of a content item that a release changes', () => {
  const until = (day: string) => [{ segment: 's', when: {}, until: `2030-01-${day}T00:00:00Z` }];
  const content = contentOf({
    live: delivery('live', until('02')),
    ramp: candidate(delivery('next', until('05'))),
  });

  it('are those of what the caller is given, and the first of both where the caller is not known', () => {
    const end = (u: string) => content.stateFor(caller(u))?.changesAtMs(caller(u), 0);
    expect(end(memberU)).toBe(Date.UTC(2030, 0, 5));
    expect(end(outsiderU)).toBe(Date.UTC(2030, 0, 2));
    expect(content.nextEdgeMs(0)).toBe(Date.UTC(2030, 0, 2));
    expect(content.nextEdgeMs(Date.UTC(2030, 0, 2))).toBe(Date.UTC(2030, 0, 5));
  });
});
