/** The setting `flags` of contents over the admin API: what it takes, where it travels, and what publishing carries. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagsMax } from '../../../../src/contract/limits.js';
import { bulkFlagsMax } from '../../../../src/delivery/limits.js';
import { type Harness, ownerToken, positionAt, startApi } from '../harness.js';

const text =
  '{"title":"Shop","starter":{"price":4.99,"items":["gem"],"gift":null},"a/b":{"~":true}}';
const flags = ['/title', '/starter/price', '', '/a~1b/~0'];
const shop = '/contents/shop';

async function startWithShop(): Promise<Harness> {
  const api = await startApi();
  expect((await api.dev('PUT', shop, { text, flags })).body.warnings).toEqual([]);
  return api;
}

async function flagsOf(api: Harness, path = shop): Promise<unknown> {
  return (await api.dev('GET', path)).body.flags;
}

/** Of each content that changed after a sequence. */
async function publishedFlags(api: Harness, after: number): Promise<unknown> {
  const found = await api.store.readChanges(await positionAt(api.store, after));
  if (typeof found === 'string') throw new Error(`The log of changes is ${found}.`);
  return found.changes.flatMap((change) => (change.kind === 'content' ? [change.flags] : []));
}

describe('flags of a content', () => {
  it('are published in their order, under a sequence of their own, with the same hash', async () => {
    const api = await startWithShop();
    const before = (await api.dev('GET', shop)).body;
    expect(before.flags).toEqual(flags);
    const sequence = await api.store.sequence();
    const other = ['/starter', '/title'];
    const saved = (await api.dev('PUT', shop, { flags: other })).body;
    expect(saved).toMatchObject({
      revision: 2,
      live: 2,
      hash: before.hash,
      sequence: sequence + 1,
    });
    expect(await publishedFlags(api, sequence)).toEqual([other]);
    const same = (await api.dev('PUT', shop, { flags: other })).body;
    expect(same).toMatchObject({ revision: 2, sequence: sequence + 1 });
    const order = (await api.dev('PUT', shop, { flags: other.toReversed() })).body;
    expect(order).toMatchObject({ revision: 3, sequence: sequence + 2 });
  });

  it('stay when an edit does not name them, and go with an empty list', async () => {
    const api = await startWithShop();
    await api.dev('PUT', shop, { text: '{"title":"Other"}' });
    await api.dev('PUT', shop, { mapping: [{ segment: 's', when: {}, merge: { title: 'x' } }] });
    await api.dev('PUT', shop, { lines: [{ appVersion: '1.0.0', text }] });
    expect(await flagsOf(api)).toEqual(flags);
    await api.dev('PUT', shop, { flags: [] });
    expect(await flagsOf(api)).toEqual([]);
    await api.dev('PUT', '/contents/plain', { text: '1' });
    expect(await flagsOf(api, '/contents/plain')).toEqual([]);
  });

  it('are part of revisions: drafts, diff, rollback and restore', async () => {
    const api = await startWithShop();
    const sequence = await api.store.sequence();
    await api.dev('PUT', shop, { flags: ['/title', '/starter'], publish: false });
    expect(await api.store.sequence()).toBe(sequence);
    const diff = (await api.dev('GET', `${shop}/diff`)).body;
    expect(diff).toMatchObject({
      lines: [],
      mapping: { change: 'same' },
      flags: {
        change: 'changed',
        added: ['/starter'],
        removed: ['/starter/price', '', '/a~1b/~0'],
      },
    });
    const first = (await api.dev('GET', `${shop}/diff?from=0&to=1`)).body;
    expect(first.flags).toEqual({ change: 'added', added: flags, removed: [] });
    await api.dev('POST', `${shop}/publish`, {});
    expect(await publishedFlags(api, sequence)).toEqual([['/title', '/starter']]);
    await api.dev('POST', `${shop}/rollback`, { revision: 1 });
    expect(await flagsOf(api)).toEqual(flags);
    expect(await flagsOf(api, `${shop}/revisions/2`)).toEqual(['/title', '/starter']);
    await api.dev('DELETE', shop);
    await api.dev('POST', `${shop}/restore`);
    expect(await publishedFlags(api, sequence)).toEqual([flags]);
  });

  it('are named in the audit', async () => {
    const api = await startWithShop();
    await api.dev('PUT', shop, { flags: [] });
    const { events } = (await api.call('GET', '/admin/v1/audit?name=shop')).body;
    expect(events[0]).toMatchObject({ action: 'content.put', details: { changed: ['flags'] } });
  });

  it('come along with a sync, which says how they change', async () => {
    const api = await startWithShop();
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    const sync = (dryRun: boolean) =>
      api.call('POST', '/admin/v1/environments/live/sync', { from: 'dev', dryRun });
    expect((await sync(false)).body.added).toMatchObject([{ id: 'shop', flags: 'added' }]);
    const path = '/admin/v1/environments/live/contents/shop';
    expect((await api.call('GET', path)).body.flags).toEqual(flags);
    expect((await sync(true)).body.unchanged).toEqual(['shop']);
    await api.dev('PUT', shop, { flags: [''] });
    const changed = (await sync(true)).body.changed;
    expect(changed).toMatchObject([{ lines: [], mapping: 'same', flags: 'changed' }]);
    await sync(false);
    expect((await api.call('GET', path)).body.flags).toEqual(['']);
  });

  it('survive an export and an import byte for byte, drafts included', async () => {
    const api = await startWithShop();
    await api.dev('PUT', shop, { flags: ['/starter'], publish: false });
    await api.dev('PUT', '/contents/plain', { text: '1' });
    await api.call('POST', '/admin/v1/environments', { id: 'copy' });
    const file = await exported(api, 'dev');
    const contents = file.split('\n').filter((line) => line.startsWith('{"kind":"content"'));
    // Files without flags are what earlier versions write and read.
    expect(contents.map((line) => 'flags' in JSON.parse(line))).toEqual([false, true]);
    expect((await importInto(api, 'copy', file)).counts).toMatchObject({ added: 2 });
    const body = (text: string): string => text.slice(text.indexOf('\n'));
    expect(body(await exported(api, 'copy'))).toBe(body(file));
    const without = file.replaceAll(/,"flags":\[[^\]]*\]/g, '');
    const report = await importInto(api, 'copy', without);
    expect(report.contents).toMatchObject([{ id: 'shop', lines: [], flags: 'removed' }]);
  });

  it.each([
    [['title'], 'flags[0]', 'must be empty or begin with "/"'],
    [['/a', '/b~2'], 'flags[1]', '"~0" (for "~") nor "~1" (for "/")'],
    [['/a', '', '/a'], 'flags[2]', 'repeats flags[0]'],
    [[`/${'x'.repeat(1_024)}`], 'flags[0]', '1024'],
    [['/\u0000'], 'flags[0]', 'U+0000'],
    [[1], 'flags[0]', 'string'],
    [Array.from({ length: 1_001 }, (_, n) => `/${n}`), 'flags', '1000'],
    [Array.from({ length: 300 }, (_, n) => `/${'x'.repeat(1_000)}${n}`), 'flags', '262144 bytes'],
  ])(
    'are rejected where they are no list of different JSON Pointers (%#)',
    async (bad, path, why) => {
      const api = await startApi();
      const rejected = await api.dev('PUT', shop, { text, flags: bad });
      expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
      expect(rejected.body.errors[0].path).toBe(path);
      expect(rejected.body.errors[0].message).toContain(why);
      const line = {
        kind: 'content',
        id: 'shop',
        lines: [{ appVersion: '0.0.0', text }],
        flags: bad,
      };
      const report = await importInto(api, 'dev', `${JSON.stringify(line)}\n`);
      expect(report).toMatchObject({ code: 'invalid_import', errors: [{ line: 1 }] });
      expect((await api.dev('GET', shop)).status).toBe(404);
    },
  );

  it('are warned of, in a dry run as in a save, where a text has no value for them', async () => {
    const api = await startApi();
    const misses = ['/none', '/starter/gift', '/starter/items', '/title/x', '/starter/items/0'];
    const edit = { text, flags: misses };
    const needed = '; a flag is a boolean, a string, a number or an object';
    const expected = [
      { path: 'flags[0]', message: `"/none" names nothing${needed}` },
      { path: 'flags[1]', message: `"/starter/gift" names null${needed}` },
      { path: 'flags[2]', message: `"/starter/items" names a list${needed}` },
      { path: 'flags[3]', message: `"/title/x" names nothing${needed}` },
    ];
    expect((await api.dev('PUT', shop, { ...edit, dryRun: true })).body.warnings).toEqual(expected);
    expect((await api.dev('PUT', shop, edit)).body.warnings).toEqual(expected);
    const lines = [{ appVersion: '0.0.0' }, { appVersion: '2.0.0', text: '{"none":1}' }];
    const both = await api.dev('PUT', shop, { lines, flags: ['/none', '/title'] });
    expect(both.body.warnings).toEqual([
      { path: 'flags[0]', appVersion: '0.0.0', message: expected[0]?.message },
      { path: 'flags[1]', appVersion: '2.0.0', message: `"/title" names nothing${needed}` },
    ]);
    const imported = { kind: 'content', id: 'other', lines: [{ appVersion: '0.0.0', text }] };
    const line = { ...imported, flags: ['/none'] };
    const report = await importInto(api, 'dev', `${JSON.stringify(line)}\n`);
    expect(report.warnings).toEqual([{ ...expected[0], line: 1 }]);
  });

  it('are warned of exactly where no pointer of the document is equal, whatever the document', async () => {
    const api = await startApi();
    const names = fc.constantFrom('a', 'b', '', '0', '1', '-', 'a/b', '~', '__proto__', 'length');
    const pointer = fc
      .array(names, { maxLength: 3 })
      .map((tokens) =>
        tokens.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 'text'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const given = fc.uniqueArray(pointer, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(tree, given, async (value, pointers) => {
        const json = JSON.stringify(value);
        const edit = { text: json, flags: pointers, dryRun: true };
        const { warnings } = (await api.dev('PUT', '/contents/any', edit)).body;
        const known = new Set(pointersIn(JSON.parse(json)));
        const missed = pointers.flatMap((flag, index) => {
          return known.has(flag) ? [] : [`flags[${index}]`];
        });
        expect(warnings.map(({ path }: { path: string }) => path)).toEqual(missed);
      }),
      { numRuns: 150 },
    );
  });
});

describe('more flags in an environment than a bulk evaluation has', () => {
  const many = Array.from({ length: 600 }, (_, n) => `/${n}`);
  const wide = JSON.stringify(Object.fromEntries(many.map((flag, n) => [flag.slice(1), n])));
  /** Lists of odd shapes: the store counts them by their JSON. */
  const odd = ['', '/title', '/a~1b/~0', '/","', '/"', '/,', '/[]', '/\\'];
  const oddText = '{"title":1,"a/b":{"~":1},"\\",\\"":1,"\\"":1,",":1,"[]":1,"\\\\":1}';

  /** 600 flags, 8 of odd shapes, and 900 that are not live. */
  async function startNearLimit(): Promise<Harness> {
    const api = await startApi();
    await api.dev('PUT', '/contents/wide', { text: wide, flags: many });
    await api.dev('PUT', '/contents/odd', { text: oddText, flags: odd });
    await api.dev('PUT', '/contents/Draft', { text: wide, flags: many, publish: false });
    await api.dev('PUT', '/contents/gone', { text: wide, flags: many.slice(0, 300) });
    await api.dev('DELETE', '/contents/gone');
    return api;
  }

  const totals = (warnings: readonly { path: string; message: string }[]): unknown =>
    warnings.map(({ path, message }) => {
      expect(message).toMatch(/ at most 1000: .+too_many_flags/);
      return [path, Number(/lists (\d+) flags/.exec(message)?.[1])];
    });

  it('are as many as the limit of delivery says', () => {
    expect(flagsMax).toBe(bulkFlagsMax);
  });

  it('are warned of by a dry run and a save, with their total, and by none without flags', async () => {
    const api = await startNearLimit();
    const path = '/contents/Third';
    const save = async (count: number, more: object = {}) => {
      const edit = { text: wide, flags: many.slice(0, count), ...more };
      return (await api.dev('PUT', path, edit)).body;
    };
    expect((await save(392)).warnings).toEqual([]);
    expect(totals((await save(393, { dryRun: true })).warnings)).toEqual([['flags', 1_001]]);
    expect((await save(392, { dryRun: true })).warnings).toEqual([]);
    expect(totals((await save(393)).warnings)).toEqual([['flags', 1_001]]);
    expect(totals((await save(600, { publish: false })).warnings)).toEqual([['flags', 1_208]]);
    expect((await api.dev('PUT', '/contents/plain', { text: '1' })).body.warnings).toEqual([]);
    expect(await flagsOf(api, path)).toHaveLength(600);
  });

  it('are warned of by publishing, rolling back and restoring', async () => {
    const api = await startNearLimit();
    const published = (await api.dev('POST', '/contents/draft/publish', {})).body;
    expect(totals(published.warnings)).toEqual([['flags', 1_208]]);
    const restored = (await api.dev('POST', '/contents/gone/restore')).body;
    expect(totals(restored.warnings)).toEqual([['flags', 1_508]]);
    await api.dev('PUT', '/contents/draft', { flags: [] });
    const back = (await api.dev('POST', '/contents/draft/rollback', { revision: 1 })).body;
    expect(totals(back.warnings)).toEqual([['flags', 1_508]]);
  });

  it('are warned of by the deletion of a version line, live or as a draft', async () => {
    const api = await startNearLimit();
    const lines = [
      { appVersion: '0.0.0', text: wide },
      { appVersion: '2.0.0', text: wide },
    ];
    const third = (count: number) =>
      api.dev('PUT', '/contents/third', { lines, flags: many.slice(0, count) });
    const line = '/contents/third/lines/2.0.0';
    await third(392);
    expect((await api.dev('DELETE', line)).body.warnings).toEqual([]);
    await third(393);
    const draft = (await api.dev('DELETE', `${line}?publish=false`)).body;
    expect(draft.revision).not.toBe(draft.live);
    expect(totals(draft.warnings)).toEqual([['flags', 1_001]]);
    await third(393);
    const live = (await api.dev('DELETE', line)).body;
    expect(live.revision).toBe(live.live);
    expect(totals(live.warnings)).toEqual([['flags', 1_001]]);
  });

  it('are warned of by a sync and its dry run, also of one content', async () => {
    const api = await startNearLimit();
    const live = '/admin/v1/environments/live';
    await api.call('POST', '/admin/v1/environments', { id: 'live' });
    const put = (id: string, edit: object) => api.call('PUT', `${live}/contents/${id}`, edit);
    await put('here', { text: wide, flags: many.slice(0, 393) });
    await put('odd', { text: oddText, flags: odd });
    for (const ids of [['wide'], ['wide', 'odd'], undefined]) {
      const { body } = await api.call('POST', `${live}/sync`, { from: 'dev', ids, dryRun: true });
      expect(totals(body.warnings)).toEqual([['flags', 1_001]]);
    }
    const one = { from: 'dev', ids: ['odd'] };
    expect((await api.call('POST', `${live}/sync`, one)).body.warnings).toEqual([]);
    const all = await api.call('POST', `${live}/sync`, { from: 'dev' });
    expect(totals(all.body.warnings)).toEqual([['flags', 1_001]]);
    await put('here', { flags: many.slice(0, 392) });
    const again = await api.call('POST', `${live}/sync`, { from: 'dev' });
    expect(again.body.warnings).toEqual([]);
  });

  it('are warned of by an import and its dry run, merged or in place of the rest', async () => {
    const api = await startNearLimit();
    const line = (id: string, count: number, more: object = {}) => {
      const lines = [{ appVersion: '0.0.0', text: wide }];
      const flags = many.slice(0, count);
      return `${JSON.stringify({ kind: 'content', id, lines, flags, ...more })}\n`;
    };
    const end = `${JSON.stringify({ kind: 'end', segments: 0, contents: 2 })}\n`;
    const file = line('WIDE', 500) + line('new', 493) + end;
    const beyond = line('wide', 500) + line('new', 501) + end;
    const bring = async (text: string, query: string) => importInto(api, `dev`, text, query);
    expect((await bring(file, '?dryRun=true')).warnings).toHaveLength(1);
    expect((await bring(file, '?dryRun=true&mode=replace')).warnings).toEqual([]);
    const replaced = (await bring(beyond, '?dryRun=true&mode=replace')).warnings;
    expect(totals(replaced)).toEqual([['flags', 1_001]]);
    const unpublished = line('wide', 500) + line('new', 501, { live: false }) + end;
    expect((await bring(unpublished, '?dryRun=true')).warnings).toEqual([]);
    expect(totals((await bring(file, '')).warnings)).toEqual([['flags', 1_001]]);
    expect(totals((await bring(beyond, '?mode=replace')).warnings)).toEqual([['flags', 1_001]]);
    expect((await bring(file, '?mode=replace')).warnings).toEqual([]);
  });
});

describe('a store that has flags', () => {
  it('rejects writes of servers that would lose them, and only then', async () => {
    const api = await startApi();
    const writersMin = async (): Promise<number> =>
      api.store.read(async (db) => {
        const state = db.selectFrom('storeState').select('writersMin');
        return (await state.executeTakeFirstOrThrow()).writersMin;
      });
    await api.dev('PUT', shop, { text, flags: [] });
    expect(await writersMin()).toBe(5);
    await api.dev('PUT', shop, { flags: [''] });
    expect(await writersMin()).toBe(7);
  });

  it('has a secret of 32 bytes, which no response and no log of changes shows', async () => {
    const api = await startWithShop();
    const { streamKey } = api.store;
    expect(Buffer.from(streamKey, 'base64url')).toHaveLength(32);
    for (const path of ['/environments/dev/export', '/environments', '/audit', '/health']) {
      const response = await fetch(`${api.url}/admin/v1${path}`, {
        headers: { authorization: `Bearer ${ownerToken}` },
      });
      expect(await response.text()).not.toContain(streamKey);
    }
  });
});

/** Of all values that are flags, by walking the document instead of the pointers. */
function pointersIn(value: unknown, pointer = ''): string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [pointer];
  const below = Object.entries(value).flatMap(([name, member]) =>
    pointersIn(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return Array.isArray(value) ? below : [pointer, ...below];
}

async function exported(api: Harness, env: string): Promise<string> {
  const headers = { authorization: `Bearer ${ownerToken}` };
  return (await fetch(`${api.url}/admin/v1/environments/${env}/export`, { headers })).text();
}

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
async function importInto(api: Harness, env: string, body: string, query = ''): Promise<any> {
  const response = await fetch(`${api.url}/admin/v1/environments/${env}/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body,
  });
  return response.json();
}
