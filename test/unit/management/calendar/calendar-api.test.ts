/*
 * Goal: the calendar shows what is due in an environment, and marks what touches the same of the same players at the same time.
 * Method: the API, with a clock that the test sets: 1 January 2026, 00:00 UTC, a Thursday.
 */
import { describe, expect, it } from 'vitest';
import type {
  Calendar,
  CalendarConflict,
  CalendarEntry,
  CalendarWindow,
} from '../../../../src/contract/operations/calendar.js';
import { tokenOf } from '../harness.js';
import { minuteMs, Releases } from '../releases/harness.js';

const sale = { segment: 'sale', when: {}, merge: { shop: { discount: 20 } } };
const january = { from: '2026-01-10T00:00:00Z', until: '2026-01-20T00:00:00Z' };
const weekend = { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3, everyWeeks: 2 };

const text = '{"shop":{"discount":0,"title":"a"},"gems":1}';

async function calendarOf(releases: Releases, query = ''): Promise<Calendar> {
  const { status, body } = await releases.api.dev('GET', `/calendar${query}`);
  expect(body).toMatchObject({ entries: expect.anything() });
  expect(status).toBe(200);
  return body as Calendar;
}

async function withMapping(mapping: readonly object[], id = 'shop'): Promise<Releases> {
  const releases = await Releases.start();
  await releases.put(id, text, { mapping });
  return releases;
}

const windowsOf = ({ entries }: Calendar): CalendarWindow[] =>
  entries.filter((entry): entry is CalendarWindow => entry.kind === 'window');
const idsOf = ({ entries }: Calendar): string[] => entries.map(({ id }) => id);
const pairsOf = ({ conflicts }: Calendar): string[] =>
  conflicts.map(({ a, b, kind }) => `${a} ${b} ${kind}`);

describe('the calendar of an environment', () => {
  it('shows the windows of live rules that meet four weeks from now', async () => {
    const releases = await withMapping([
      { ...sale, ...january },
      { segment: 'always', when: {}, merge: { gems: 2 } },
      { ...sale, segment: 'later', from: '2026-02-01T00:00:00Z' },
      { ...sale, segment: 'over', until: '2025-12-31T00:00:00Z' },
    ]);
    const calendar = await calendarOf(releases);
    expect(calendar).toMatchObject({
      from: '2026-01-01T00:00:00.000Z',
      until: '2026-01-29T00:00:00.000Z',
      conflicts: [],
      truncated: { entries: false, occurrences: false, conflicts: false },
    });
    const [from, until] = ['2026-01-10T00:00:00.000Z', '2026-01-20T00:00:00.000Z'];
    expect(calendar.entries).toEqual([
      {
        id: 'window:shop:1:0',
        kind: 'window',
        content: 'shop',
        revision: 1,
        rule: 0,
        segment: 'sale',
        variants: null,
        local: false,
        repeat: null,
        from,
        until,
        occurrences: [{ from, until, earliest: from, latest: until }],
        live: true,
        release: null,
      },
    ]);
  });

  it('shows local windows in wall time, and when they are open somewhere in the world', async () => {
    const local = { from: '2026-01-10T18:00:00', until: '2026-01-12T10:00:00' };
    const releases = await withMapping([{ ...sale, ...local }]);
    const [window] = windowsOf(await calendarOf(releases));
    expect(window).toMatchObject({ local: true, ...local });
    expect(window?.occurrences).toEqual([
      { ...local, earliest: '2026-01-10T04:00:00.000Z', latest: '2026-01-12T22:00:00.000Z' },
    ]);
    const edge = (from: string, until: string) =>
      calendarOf(releases, `?from=${from}&until=${until}`);
    expect(idsOf(await edge('2026-01-12T21:59:00Z', '2026-01-13T00:00:00Z'))).toHaveLength(1);
    expect(idsOf(await edge('2026-01-12T22:00:00Z', '2026-01-13T00:00:00Z'))).toEqual([]);
    expect(idsOf(await edge('2026-01-10T00:00:00Z', '2026-01-10T04:00:00Z'))).toEqual([]);
    expect(idsOf(await edge('2026-01-10T00:00:00Z', '2026-01-10T04:01:00Z'))).toHaveLength(1);
  });

  it('lists each occurrence of a window that repeats', async () => {
    const local = { from: '2026-01-01T00:00:00', until: '2026-03-01T00:00:00' };
    const releases = await withMapping([{ ...sale, ...local, repeat: weekend }]);
    const [window] = windowsOf(await calendarOf(releases, '?until=2026-02-01T00:00:00Z'));
    expect(window?.repeat).toEqual(weekend);
    expect(window?.occurrences.map(({ from, until }) => `${from} ${until}`)).toEqual([
      '2026-01-02T18:00:00 2026-01-05T10:00:00',
      '2026-01-16T18:00:00 2026-01-19T10:00:00',
      '2026-01-30T18:00:00 2026-02-02T10:00:00',
    ]);
  });

  it('shows of a draft the windows that are not live', async () => {
    const releases = await withMapping([{ ...sale, ...january }]);
    const mapping = [
      { ...sale, ...january },
      { ...sale, segment: 'new', ...january, merge: { gems: 5 } },
    ];
    await releases.draft('shop', text, { mapping });
    const calendar = await calendarOf(releases);
    expect(
      windowsOf(calendar).map(({ segment, live, revision }) => [segment, live, revision]),
    ).toEqual([
      ['sale', true, 1],
      ['new', false, 2],
    ]);
    expect(calendar.conflicts).toEqual([]);
  });

  it('shows a scheduled release with its steps and when it is live for all', async () => {
    const releases = await withMapping([]);
    await releases.draft('shop', '{"gems":2}');
    const steps = [
      { percent: 1, holdMinutes: 10 },
      { percent: 50, holdMinutes: 60 },
    ];
    const release = await releases.make(['shop'], { steps });
    await releases.act(release, 'schedule', { at: '2026-01-05T12:00:00Z' });
    const { entries } = await calendarOf(releases);
    expect(entries.map(timesOf)).toEqual([
      ['release', '2026-01-05T12:00:00.000Z', '2026-01-05T13:10:00.000Z', true],
      ['step', '2026-01-05T12:00:00.000Z', '2026-01-05T12:10:00.000Z', true],
      ['step', '2026-01-05T12:10:00.000Z', '2026-01-05T13:10:00.000Z', true],
    ]);
    expect(entries[0]).toMatchObject({ release, state: 'scheduled', contents: ['shop'] });
    expect(idsOf(await calendarOf(releases, '?from=2026-01-05T13:00:00Z'))).toEqual([
      'release:1',
      'step:1:1',
    ]);
    expect(idsOf(await calendarOf(releases, '?from=2026-01-06T00:00:00Z'))).toEqual([]);
  });

  it('follows a ramp that is paused, resumed and live', async () => {
    const releases = await withMapping([]);
    await releases.draft('shop', '{"gems":2}');
    const release = await releases.make(['shop'], { steps: [{ percent: 1, holdMinutes: 60 }] });
    await releases.act(release, 'start');
    releases.pass(20 * minuteMs);
    const begin = '2026-01-01T00:00:00.000Z';
    const shown = async () => (await calendarOf(releases, `?from=${begin}`)).entries.map(timesOf);
    expect(await shown()).toEqual([
      ['release', begin, '2026-01-01T01:00:00.000Z', true],
      ['step', begin, '2026-01-01T01:00:00.000Z', true],
    ]);
    await releases.act(release, 'pause');
    expect(await shown()).toEqual([
      ['release', begin, null, true],
      ['step', begin, null, true],
    ]);
    releases.pass(60 * minuteMs);
    await releases.act(release, 'resume');
    expect(await shown()).toEqual([
      ['release', begin, '2026-01-01T02:00:00.000Z', true],
      ['step', begin, '2026-01-01T02:00:00.000Z', true],
    ]);
    await releases.act(release, 'live');
    const live = '2026-01-01T01:20:00.000Z';
    expect(await shown()).toEqual([['release', live, live, false]]);
  });

  it('rejects a range that ends before it begins, or is too long', async () => {
    const releases = await withMapping([]);
    const rejected = async (query: string) =>
      (await releases.api.dev('GET', `/calendar?${query}`)).body;
    expect(await rejected('until=2026-01-01T00:00:00Z')).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'until', message: 'must be after from' }],
    });
    expect(await rejected('from=2026-01-01T00:00:00Z&until=2027-02-06T00:00:00Z')).toMatchObject({
      errors: [{ path: 'until', message: 'must be at most 400 days after from' }],
    });
    expect(await rejected('from=2026-01-01T00:00:00')).toMatchObject({
      errors: [{ path: 'from' }],
    });
    await calendarOf(releases, '?from=2026-01-01T00:00:00Z&until=2027-02-05T00:00:00Z');
  });

  it('is open to viewers of the environment', async () => {
    const releases = await withMapping([]);
    const viewer = await tokenOf(releases.api, 'viewer');
    expect((await releases.api.dev('GET', '/calendar', undefined, viewer)).status).toBe(200);
    const { status } = await releases.api.call('GET', '/admin/v1/environments/nowhere/calendar');
    expect(status).toBe(404);
  });
});

describe('a conflict', () => {
  it('is two windows that change the same values at the same time', async () => {
    const releases = await withMapping([
      { ...sale, ...january },
      { ...sale, segment: 'whales', from: '2026-01-15T00:00:00Z', until: '2026-02-01T00:00:00Z' },
      { ...sale, segment: 'next', from: '2026-02-01T00:00:00Z', until: '2026-02-03T00:00:00Z' },
      { ...sale, segment: 'gems', ...january, merge: { gems: 5 } },
      { segment: 'standing', when: {}, merge: { shop: { discount: 5 } } },
    ]);
    const { conflicts } = await calendarOf(releases, '?until=2026-03-01T00:00:00Z');
    expect(conflicts).toEqual<CalendarConflict[]>([
      {
        a: 'window:shop:1:0',
        b: 'window:shop:1:1',
        content: 'shop',
        kind: 'windows',
        paths: ['/shop/discount'],
        pathsLeftOut: 0,
        lists: [],
        when: { from: '2026-01-15T00:00:00.000Z', until: '2026-01-20T00:00:00.000Z' },
        reason:
          '"sale" and "whales" both change /shop/discount of "shop" for players who can be in both.',
      },
    ]);
  });

  it('is none where conditions or groups share no player', async () => {
    const half = (salt: string | null, groups: readonly number[]) => ({
      ...{ segment: 'test', when: {}, salt, ...january },
      variants: [{ name: 'a', groups, merge: { gems: 3 } }],
    });
    const apart = await withMapping([
      { ...sale, ...january, when: { country: 'US' } },
      { ...sale, ...january, when: { country: 'DE' } },
      half('one', [0, 499]),
      half('one', [500, 999]),
    ]);
    expect((await calendarOf(apart)).conflicts).toEqual([]);
    const together = await withMapping([half('one', [0, 499]), half('two', [500, 999])]);
    expect(pairsOf(await calendarOf(together))).toEqual([
      'window:shop:1:0 window:shop:1:1 windows',
    ]);
  });

  it('follows the saved segments', async () => {
    const releases = await Releases.start();
    const { api } = releases;
    await api.dev('PUT', '/segments/us', { when: { country: 'US' } });
    await api.dev('PUT', '/segments/de', { when: { country: 'DE' } });
    const rules = ['us', 'de'].map((segment) => ({ segment, ...january, merge: { gems: 5 } }));
    await releases.put('shop', text, { mapping: rules });
    expect((await calendarOf(releases)).conflicts).toEqual([]);
    await api.dev('PUT', '/segments/de', { when: { country: { $ne: 'FR' } } });
    expect((await calendarOf(releases)).conflicts).toHaveLength(1);
  });

  it('of two local windows is on one clock, and of a local one and another on any clock', async () => {
    const local = (from: string, until: string) => ({ ...sale, from, until });
    const after = await withMapping([
      local('2026-01-10T10:00:00', '2026-01-10T12:00:00'),
      local('2026-01-10T12:00:00', '2026-01-10T14:00:00'),
    ]);
    expect((await calendarOf(after)).conflicts).toEqual([]);
    const zoned = await withMapping([
      local('2026-01-10T10:00:00', '2026-01-10T12:00:00'),
      local('2026-01-10T23:59:00Z', '2026-01-11T14:00:00Z'),
    ]);
    const [conflict] = (await calendarOf(zoned)).conflicts;
    expect(conflict?.when).toEqual({
      from: '2026-01-10T23:59:00.000Z',
      until: '2026-01-11T00:00:00.000Z',
    });
  });

  it('is a release that removes or changes a rule while its window is open', async () => {
    const releases = await withMapping([{ ...sale, ...january }]);
    await releases.draft('shop', text, { mapping: [{ ...sale, ...january, info: 'x' }] });
    const release = await releases.make(['shop']);
    await releases.act(release, 'schedule', { at: '2026-01-15T00:00:00Z' });
    const calendar = await calendarOf(releases);
    expect(idsOf(calendar)).toEqual(['window:shop:1:0', 'window:shop:2:0:release-1', 'release:1']);
    expect(calendar.conflicts).toMatchObject([
      {
        ...{ a: 'window:shop:1:0', b: 'release:1', kind: 'changed_by_release' },
        paths: ['/shop/discount'],
        when: { from: '2026-01-15T00:00:00.000Z', until: '2026-01-20T00:00:00.000Z' },
      },
    ]);
    await releases.act(release, 'schedule', { at: '2026-01-21T00:00:00Z' });
    expect((await calendarOf(releases)).conflicts).toEqual([]);
  });

  it('is a release that brings a rule for the same values, and none where it leaves the event alone', async () => {
    const releases = await withMapping([{ ...sale, ...january }]);
    const standing = { segment: 'standing', when: {}, merge: { shop: { discount: 1 } } };
    await releases.draft('shop', text, { mapping: [{ ...sale, ...january }, standing] });
    const release = await releases.make(['shop']);
    await releases.act(release, 'schedule', { at: '2026-01-15T00:00:00Z' });
    expect(pairsOf(await calendarOf(releases))).toEqual([
      'window:shop:1:0 release:1 changed_by_release',
    ]);
    await releases.draft('shop', '{"gems":9}', { mapping: [{ ...sale, ...january }] });
    const put = [{ kind: 'content', id: 'shop' }];
    await releases.api.dev('POST', `/releases/${release}/changes`, { put });
    await releases.act(release, 'schedule', { at: '2026-01-15T00:00:00Z' });
    expect((await calendarOf(releases)).conflicts).toEqual([]);
  });

  it('is two releases that change one content', async () => {
    const releases = await withMapping([]);
    await releases.draft('shop', '{"gems":2}');
    for (const day of ['05', '07']) {
      const release = await releases.make(['shop']);
      await releases.act(release, 'schedule', { at: `2026-01-${day}T00:00:00Z` });
    }
    const calendar = await calendarOf(releases);
    expect(pairsOf(calendar)).toEqual(['release:1 release:2 releases']);
    expect(calendar.conflicts[0]?.when).toEqual({ from: '2026-01-07T00:00:00.000Z', until: null });
  });

  it('is looked for in a draft, too', async () => {
    const releases = await withMapping([{ ...sale, ...january }]);
    const mapping = [
      { ...sale, ...january },
      { ...sale, segment: 'new', ...january },
    ];
    await releases.draft('shop', text, { mapping });
    expect(pairsOf(await calendarOf(releases))).toEqual([
      'window:shop:1:0 window:shop:2:1 windows',
    ]);
  });
});

function timesOf(entry: CalendarEntry): unknown[] {
  if (entry.kind === 'window') throw new Error('a window has occurrences');
  return [entry.kind, entry.from, entry.until, entry.projected];
}
