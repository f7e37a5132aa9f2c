import { describe, expect, it } from 'vitest';
import {
  countByFilter,
  describeChange,
  keptChoice,
  movedSince,
  proposedChoice,
  segmentsOf,
  syncItems,
} from '../../../src/console/sync/sync-items.js';
import type {
  SyncedContent,
  SyncedSegment,
  SyncReport,
} from '../../../src/contract/operations/sync.js';

const change = (id: string, given: Partial<SyncedContent> = {}): SyncedContent => ({
  id,
  fromRevision: 2,
  toRevision: 1,
  about: [],
  lines: [],
  mapping: 'same',
  flags: 'same',
  segments: [],
  conflict: false,
  edited: null,
  ...given,
});

const segment = (name: string, given: Partial<SyncedSegment> = {}): SyncedSegment => ({
  name,
  change: 'changed',
  before: '{"a":1}',
  after: '{"a":2}',
  conflict: false,
  edited: null,
  ...given,
});

const report = (given: Partial<SyncReport> = {}): SyncReport => ({
  added: [],
  changed: [],
  unchanged: [],
  onlyHere: [],
  release: null,
  warnings: [],
  segments: [],
  layers: [],
  plan: 'p',
  dryRun: true,
  sequence: 1,
  ...given,
});

const line = (
  given: Partial<SyncedContent['lines'][number]> = {},
): SyncedContent['lines'][number] => ({
  appVersion: '0.0.0',
  change: 'changed',
  oldHash: 'a',
  newHash: 'b',
  pointers: [],
  pointersCut: false,
  ...given,
});

describe('the items of a sync', () => {
  const dryRun = report({
    added: [change('shop', { toRevision: null })],
    changed: [change('events', { conflict: true }), change('banner')],
    unchanged: ['zoo'],
    onlyHere: ['ads'],
    warnings: [],
  });
  const items = syncItems(dryRun);

  it('are of both sides, by id', () => {
    expect(items.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'ads only-here',
      'banner changed',
      'events changed',
      'shop added',
      'zoo unchanged',
    ]);
  });

  it('are counted by filter', () => {
    expect(countByFilter(items)).toEqual({
      changes: 3,
      added: 1,
      changed: 2,
      conflicts: 1,
      unchanged: 1,
      'only-here': 1,
    });
  });

  it('are proposed when they change and overwrite no edit', () => {
    expect([...proposedChoice(items)]).toEqual(['banner', 'shop']);
  });

  it('keep what was chosen, as far as it still changes', () => {
    expect([...keptChoice(new Set(['events', 'zoo', 'gone']), items)]).toEqual(['events']);
  });
});

describe('the segments that are included', () => {
  it('are those of the chosen contents', () => {
    const uses = (name: string) => ({ segments: [{ name, change: 'changed' as const }] });
    const dryRun = report({
      changed: [change('a', uses('whales')), change('b', uses('new'))],
      segments: [segment('new'), segment('whales')],
    });
    expect(segmentsOf(dryRun, new Set(['a'])).map(({ name }) => name)).toEqual(['whales']);
    expect(segmentsOf(dryRun, new Set())).toEqual([]);
  });
});

describe('what moved since it was looked at', () => {
  const looked = report({ changed: [change('a'), change('b')], segments: [segment('s')] });

  it('is nothing when the chosen ones are as they were', () => {
    const now = report({ changed: [change('a')], segments: [segment('s')] });
    expect(movedSince(looked, now)).toEqual([]);
  });

  it('is what has another revision, on either side, or another condition', () => {
    const now = report({
      changed: [change('a', { fromRevision: 3 }), change('b', { toRevision: 2 })],
      segments: [segment('s', { after: '{"a":3}' })],
    });
    expect(movedSince(looked, now)).toEqual(['a', 'b', 's']);
  });

  it('does not mind that more differences are listed for fewer contents', () => {
    const few = report({ changed: [change('a', { lines: [line({ pointersCut: true })] })] });
    const all = report({ changed: [change('a', { lines: [line()] })] });
    expect(movedSince(few, all)).toEqual([]);
  });
});

describe('a change in words', () => {
  it('names version lines, targeting, facts and segments', () => {
    const words = describeChange(
      change('a', {
        lines: [line(), line({ appVersion: '1.0.0' })],
        mapping: 'changed',
        about: ['tags'],
        segments: [{ name: 'whales', change: 'changed' }],
      }),
    );
    expect(words).toBe('2 version lines, targeting changed, tags, segment whales');
  });

  it('says when only comments differ', () => {
    expect(describeChange(change('a', { lines: [line({ newHash: 'a' })] }))).toBe(
      '1 version line (comments only)',
    );
  });

  it('does not list the facts of a content that is new here', () => {
    const added = change('a', { toRevision: null, mapping: 'added', about: ['description'] });
    expect(describeChange(added)).toBe('targeting');
  });
});
