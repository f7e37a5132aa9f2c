/** What the activity makes of the events of the audit. */
import { describe, expect, it } from 'vitest';
import {
  exportPath,
  filterOf,
  paramsOf,
  queryOf,
} from '../../../../src/console/activity/activity-filter.js';
import { actionGroups } from '../../../../src/console/activity/audit-actions.js';
import { changedContents } from '../../../../src/console/activity/changed-contents.js';
import {
  comparedRevisions,
  comparedSegmentRevisions,
} from '../../../../src/console/activity/compared-revisions.js';
import { placeOf } from '../../../../src/console/activity/event-place.js';
import { sentenceOf, tell } from '../../../../src/console/activity/event-words.js';
import type { AuditEvent } from '../../../../src/contract/operations/audit.js';

const event = (action: string, details: Record<string, unknown> = {}, name = 'shop') => ({
  action,
  environment: 'staging',
  name,
  details,
});
const sentence = (...args: Parameters<typeof event>) => sentenceOf('ana', tell(event(...args)));

describe('tell', () => {
  it('tells a save that is live from a draft, and a first one from others', () => {
    const put = (before: unknown, live: number | null) =>
      sentence('content.put', { revision: 13, before, after: { revision: 13, live } });
    expect(put({ revision: 12, live: 12 }, 13)).toBe('ana published shop r13');
    expect(put({ revision: 12, live: 12 }, 12)).toBe('ana saved a draft of shop r13');
    expect(put(null, 13)).toBe('ana created and published shop r13');
    expect(put(null, null)).toBe('ana created a draft of shop r13');
  });

  it('says what changed and why', () => {
    const { more } = tell(
      event('content.put', { changed: ['line 0.0.0', 'mapping'], note: 'Sale', revision: 2 }),
    );
    expect(more).toBe('Sale · Changed: line 0.0.0, mapping');
  });

  it('names what a sync and an import did', () => {
    const details = {
      added: { count: 2, contents: [] },
      changed: { count: 1, contents: [] },
      segments: ['whales'],
    };
    const synced = tell({ ...event('environment.sync', details), name: 'dev' });
    expect(sentenceOf('ben', synced)).toBe('ben synced dev into staging');
    expect(synced.more).toBe('2 added, 1 changed, 1 segment');
  });

  it('says first what a sync or an import did to the content that is filtered by', () => {
    const more = (action: string, content: object): string =>
      tell({
        ...event(action, { changed: { count: 2 } }),
        content: {
          id: 'shop',
          change: 'changed',
          before: 1,
          after: 2,
          newest: 2,
          from: 7,
          ...content,
        },
      }).more;
    expect(more('environment.sync', {})).toBe(
      'shop changed: live r1 → r2, from r7 of the source · 2 changed',
    );
    expect(more('environment.import', { before: null, after: null, newest: 3, from: null })).toBe(
      'shop changed: draft r3 · 2 changed',
    );
    expect(more('environment.import', { change: 'removed', after: null, from: null })).toBe(
      'shop removed: live r1 → none · 2 changed',
    );
    // Older events do not say what was live afterwards.
    expect(more('environment.sync', { after: null, newest: null })).toBe(
      'shop changed: live before r1, from r7 of the source · 2 changed',
    );
    const nothing = { before: null, after: null, newest: null, from: null };
    expect(more('environment.import', nothing)).toBe('shop changed · 2 changed');
  });

  it('names the revision that a segment got', () => {
    const put = (before: unknown, after: unknown, action = 'segment.put') =>
      sentence(action, { before, after }, 'vip');
    const [first, second] = [
      { revision: 1, condition: 'a', description: '' },
      { revision: 2, condition: 'b', description: '' },
    ];
    expect(put(null, first)).toBe('ana created segment vip as r1');
    expect(put(first, second)).toBe('ana changed segment vip as r2');
    expect(put(first, { ...first, description: 'Big.' })).toBe(
      'ana changed the description of segment vip',
    );
    expect(put(second, { ...first, revision: 3 }, 'segment.rollback')).toBe(
      'ana rolled back segment vip as r3',
    );
    expect(put(null, { ...first, revision: 3 }, 'segment.rollback')).toBe(
      'ana brought back segment vip as r3',
    );
    // From before segments had revisions.
    expect(put({ condition: 'a' }, { condition: 'b' })).toBe('ana changed segment vip');
    const note = { before: first, after: second, note: 'Only the big ones.' };
    expect(tell(event('segment.put', note, 'vip')).more).toBe('Only the big ones.');
  });

  it('leaves out what an import did not do', () => {
    const more = (details: Record<string, unknown>) =>
      tell(event('environment.import', details)).more;
    expect(more({ removed: { count: 3, ids: [] } })).toBe('3 removed');
    expect(more({})).toBe('Nothing changed');
  });

  it('knows protection from a new name', () => {
    const update = (before: object, after: object) =>
      sentence('environment.update', { before, after }, 'staging');
    expect(update({ name: 'S', protected: false }, { name: 'S', protected: true })).toBe(
      'ana protected environment staging',
    );
    expect(update({ name: 'S', protected: true }, { name: 'S', protected: false })).toBe(
      'ana took away the protection of environment staging',
    );
    expect(update({ name: 'S', protected: true }, { name: 'T', protected: true })).toBe(
      'ana renamed environment staging from “S” to “T”',
    );
  });

  it('names a key by its label, a user by name and rights, a webhook by its origin', () => {
    expect(sentence('key.revoke', { prefix: 'lo_Abc', after: { label: 'ci' } }, 'key_1')).toBe(
      'ana revoked key ci (lo_Abc…)',
    );
    expect(sentence('key.create', { prefix: 'lo_Abc', after: { label: '' } }, 'key_1')).toBe(
      'ana created key lo_Abc…',
    );
    const after = { role: 'editor', environments: ['staging', 'qa'] };
    expect(sentence('user.create', { name: 'eve', before: null, after }, 'user_1')).toBe(
      'ana created user eve as editor of staging, qa',
    );
    const before = { origin: 'https://a.example', enabled: true };
    expect(
      sentence('webhook.update', { before, after: { ...before, enabled: false } }, 'webhook_1'),
    ).toBe('ana switched off webhook https://a.example');
  });

  it('shows what it does not know by its name, and does not fail on odd details', () => {
    expect(sentence('planet.explode', { before: 7, after: 'x', note: 3 }, 'mars')).toBe(
      'ana did "explode" to planet mars',
    );
    for (const { items } of actionGroups) {
      for (const { value } of items) expect(() => tell(event(value))).not.toThrow();
    }
  });

  it('has words of its own for every action that the filter offers', () => {
    const actions = actionGroups.flatMap(({ items }) => items.map(({ value }) => value));
    for (const action of actions.filter((value) => value.includes('.'))) {
      expect(tell(event(action)).verb).not.toContain('did "');
    }
  });
});

describe('comparedRevisions', () => {
  it('compares a save with what it went on from, and a publish with what was live', () => {
    const before = { revision: 12, live: 9 };
    const compared = (action: string) =>
      comparedRevisions(event(action, { revision: 13, before }))?.from;
    expect(compared('content.put')).toBe(12);
    expect(compared('content.remove-line')).toBe(12);
    expect(compared('content.publish')).toBe(9);
    expect(compared('content.rollback')).toBe(9);
  });

  it('compares a first revision with nothing, and knows what made none', () => {
    expect(comparedRevisions(event('content.put', { revision: 1, before: null }))).toEqual({
      env: 'staging',
      id: 'shop',
      from: null,
      to: 1,
    });
    expect(comparedRevisions(event('content.delete', { before: { revision: 3 } }))).toBeNull();
    expect(comparedRevisions(event('segment.put', { revision: 3 }))).toBeNull();
  });
});

describe('changedContents', () => {
  it('lists what a sync and an import named', () => {
    const synced = event('environment.sync', {
      added: { count: 1, contents: [{ id: 'a', before: null, from: 3 }] },
      changed: { count: 1, contents: [{ id: 'b', before: 2, from: 5 }] },
    });
    expect(changedContents(synced)).toEqual([
      { content: 'a', change: 'added', words: ': r3 of the source' },
      { content: 'b', change: 'changed', words: ': r5 of the source, before r2' },
    ]);
    const imported = event('environment.import', { removed: { count: 1, ids: ['c'] } });
    expect(changedContents(imported)).toEqual([{ content: 'c', change: 'removed', words: '' }]);
    expect(changedContents(event('content.put', { added: 3 }))).toEqual([]);
  });
});

describe('the filter', () => {
  it('survives the address bar', () => {
    const params = new URLSearchParams(
      'environment=staging&action=content.put&user=ana&name=shop&period=custom&from=2026-11-20T10%3A00',
    );
    expect(paramsOf(filterOf(params)).toString()).toBe(params.toString());
    expect(paramsOf(filterOf(new URLSearchParams('period=nonsense&other=1'))).size).toBe(0);
  });

  it('asks for nothing that does not narrow, and forgets times of another period', () => {
    const filter = filterOf(new URLSearchParams('period=24h&from=2026-11-20T10:00'));
    const now = Date.parse('2026-11-21T12:00:00Z');
    expect(queryOf(filter, now)).toEqual({ from: '2026-11-20T12:00:00.000Z' });
    expect(paramsOf(filter).toString()).toBe('period=24h');
    expect(queryOf(filterOf(new URLSearchParams()), now)).toEqual({});
  });

  it('leaves out a time that is none', () => {
    const filter = filterOf(new URLSearchParams('period=custom&from=soon&until=2026-11-20T10:00Z'));
    expect(queryOf(filter, 0)).toEqual({ until: '2026-11-20T10:00:00.000Z' });
  });

  it('exports the same events', () => {
    expect(exportPath({})).toBe('/admin/v1/audit/export');
    expect(exportPath({ user: 'ana b', action: 'content' })).toBe(
      '/admin/v1/audit/export?user=ana+b&action=content',
    );
  });
});

describe('comparedSegmentRevisions', () => {
  const compared = (action: string, before: unknown, after: unknown) =>
    comparedSegmentRevisions(event(action, { before, after }, 'vip'));

  it('compares a save and a rollback with what they went on from', () => {
    const pair = { env: 'staging', id: 'vip', from: 1, to: 2 };
    expect(compared('segment.put', { revision: 1 }, { revision: 2 })).toEqual(pair);
    expect(compared('segment.rollback', { revision: 1 }, { revision: 2 })).toEqual(pair);
    expect(compared('segment.put', null, { revision: 1 })).toEqual({ ...pair, from: null, to: 1 });
  });

  it('has nothing to compare where no revision was made or it has no number', () => {
    expect(compared('segment.put', { revision: 2 }, { revision: 2 })).toBeNull();
    expect(compared('segment.put', { condition: 'a' }, { condition: 'b' })).toBeNull();
    expect(compared('segment.delete', { revision: 2 }, null)).toBeNull();
    expect(compared('content.put', { revision: 1 }, { revision: 2 })).toBeNull();
  });
});

describe('placeOf', () => {
  it('leads from an event of a segment to its history, deleted or not', () => {
    const known = { environments: new Set(['staging']), webhooks: new Map() };
    const place = (action: string, environment: string) =>
      placeOf({ action, environment, name: 'vip' } as AuditEvent, known);
    for (const action of ['segment.put', 'segment.rollback', 'segment.delete']) {
      expect(place(action, 'staging')).toBe('/env/staging/segments/vip/history');
      expect(place(action, 'gone')).toBeNull();
    }
  });
});
