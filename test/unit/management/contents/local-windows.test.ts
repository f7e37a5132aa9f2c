/** Rules in the player's time and such as repeat, over the admin API: their hash, and which servers may write beside them. */
import { describe, expect, it } from 'vitest';
import { writersStepOf } from '../../../../src/management/store/contents/mapping-writers.js';
import { type Harness, ownerToken, startApi, startMs, tester } from '../harness.js';

const text = '{"a":1}';
const rule = { segment: 's', when: {}, merge: { a: 2 } };
const repeat = { days: ['fri'], from: '18:00', until: '23:00' };
const local = { ...rule, from: '2026-11-27T18:00:00' };

async function writersMin(api: Harness): Promise<number> {
  const { writersMin: step } = await api.store.read((db) =>
    db.selectFrom('storeState').select('writersMin').executeTakeFirstOrThrow(),
  );
  return step;
}

async function startBesideOlder(): Promise<Harness> {
  const api = await startApi();
  const node = { address: '', version: '1.0.0', sequence: 0, serving: 1, startedAt: startMs };
  await api.store.write(tester, async ({ db }) => {
    const older = { ...node, id: 'old', name: 'old-1', seenAt: startMs, schema: 8 };
    await db.insertInto('nodes').values(older).execute();
  });
  return api;
}

async function bring(api: Harness, mapping: readonly unknown[]) {
  const state = { lines: [{ appVersion: '0.0.0', text }], mapping: JSON.stringify(mapping) };
  const about = { id: 'brought', description: '', tags: [], schema: null };
  const response = await fetch(`${api.url}/admin/v1/environments/dev/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ kind: 'content', ...about, live: true, ...state })}\n`,
  });
  return { status: response.status, body: await response.json() };
}

describe('a rule in local time, and one that repeats', () => {
  it.each([
    ['local', local],
    ['repeating', { ...rule, from: '2026-11-27T18:00:00Z', repeat }],
  ])('is not saved while a server lives that cannot read it: %s', async (_name, timed) => {
    const api = await startBesideOlder();
    const saves = [
      () => api.dev('PUT', '/contents/shop', { text, mapping: [timed] }),
      () => api.dev('PUT', '/contents/shop', { text, mapping: [timed], publish: false }),
      () => bring(api, [timed]),
    ];
    for (const save of saves) {
      const early = await save();
      expect([early.status, early.body.code]).toEqual([503, 'upgrade_in_progress']);
      expect(early.body.detail).toContain('old-1');
    }
    expect(await writersMin(api)).toBe(5);
    await api.store.write(tester, ({ db }) => db.deleteFrom('nodes').execute());
    for (const save of saves) expect((await save()).status).toBeLessThan(300);
    expect(await writersMin(api)).toBe(9);
  });

  it('is distinguished from rules that every server reads', async () => {
    const api = await startBesideOlder();
    const plain = [
      { ...rule, from: '2026-11-27T18:00:00+01:00', until: '2026-11-27T23:00:00.5Z' },
      { ...rule, merge: { repeat: 'at 18:00', opens: '2026-11-27T18:00:00' } },
    ];
    expect((await api.dev('PUT', '/contents/shop', { text, mapping: plain })).status).toBe(201);
    expect((await bring(api, plain)).status).toBe(200);
    expect(await writersMin(api)).toBe(5);
    const needs = (mapping: string) => writersStepOf(Buffer.from(mapping));
    expect(
      needs('[{"segment":"s","\\u0072epeat":{"days":["fri"],"from":"18:00","until":"19:00"}}]'),
    ).toBe(9);
    expect(needs('[{"segment":"s","from":"2026-11-27T18:00:0\\u0030"}]')).toBe(9);
    expect(needs('[{"segment":"s","from":"2026-11-27T18:00:00.25"/* local */}]')).toBe(9);
    expect(needs('[{"segment":"s","until":"2026-11-27T18:00:00-23:59"}]')).toBe(0);
    expect(needs('[{"segment":"s","h\\u006fldout":true}]')).toBe(10);
    expect(needs('[{"segment":"holdout"}]')).toBe(0);
  });

  it('changes the hash exactly when what it says does', async () => {
    const api = await startApi();
    const put = async (mapping: readonly unknown[], note = ''): Promise<string> =>
      (await api.dev('PUT', '/contents/shop', { text, mapping, note })).body.hash;
    const hash = await put([{ ...local, repeat }]);
    const spaced = JSON.stringify([{ ...local, repeat }], null, 2);
    const raw = await fetch(`${api.url}/admin/v1/environments/dev/contents/shop`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ownerToken}`, 'content-type': 'application/json' },
      body: `{"mapping":${spaced},"note":"spaced"}`,
    });
    expect(((await raw.json()) as { hash: string }).hash).toBe(hash);
    const others = [
      [{ ...local }],
      [{ ...local, from: '2026-11-27T18:00:00Z', repeat }],
      [{ ...local, from: '2026-11-27T18:00:01', repeat }],
      [{ ...local, repeat: { ...repeat, plusDays: 1 } }],
      [{ ...local, repeat: { ...repeat, everyWeeks: 2 } }],
    ];
    const hashes = [hash];
    for (const mapping of others) hashes.push(await put(mapping));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(await put([{ ...local, repeat }], 'as it was')).toBe(hash);
  });

  it('is rejected with its place where a save cannot take it', async () => {
    const api = await startApi();
    const mapping = [
      { ...local, until: '2026-12-01T00:00:00Z' },
      { ...rule, repeat: { ...repeat, everyWeeks: 2, every: 1 } },
    ];
    const { status, body } = await api.dev('PUT', '/contents/shop', { text, mapping });
    expect([status, body.code]).toEqual([400, 'invalid_mapping']);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'mapping[0].until',
      'mapping[1].repeat.everyWeeks',
      'mapping[1].repeat.every',
    ]);
  });
});
