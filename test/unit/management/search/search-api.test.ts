import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Work } from '../../../../src/management/jobs/work.js';
import { type Harness, ownerToken, startApi, tester, workHere } from '../harness.js';
import { saveRows } from '../store/stored-contents.js';

/** Follows `next` to the end. */
async function searchAll(api: Harness, query: string, limit: number): Promise<unknown[]> {
  const all: unknown[] = [];
  let after: string | null = '';
  while (after !== null) {
    const page: { status: number; body: { hits: unknown[]; next: string | null } } = await api.dev(
      'GET',
      `/search?q=${encodeURIComponent(query)}&limit=${limit}${after && `&after=${after}`}`,
    );
    expect(page.status).toBe(200);
    expect(page.body.hits.length).toBeLessThanOrEqual(limit);
    all.push(...page.body.hits);
    after = page.body.next;
  }
  return all;
}

/** Live contents with these texts. */
async function saveMany(api: Harness, count: number, text: (index: number) => string) {
  const ids = Array.from({ length: count }, (_, index) => `item-${index}`);
  const contents = new Map(ids.map((id, index) => [id, [text(index)]]));
  await api.store.write(tester, (write) => saveRows(write, contents));
}

describe('a search of the texts of an environment', () => {
  it('finds what is live and what is in drafts, in texts and rules, with its place', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/Shop', {
      text: '{\n  // The lamp of the harbour.\n  "lamp": {"price": 4.99}\n}',
      mapping: [
        { segment: 'everybody', when: {}, merge: { a: 1 } },
        { segment: 'lamps', when: { item: 'LAMP' }, patch: [{ op: 'add', path: '/b', value: 1 }] },
      ],
    });
    await api.dev('PUT', '/contents/Shop', { text: '{"lamp": {"price": 5}}', publish: false });
    await api.dev('PUT', '/contents/arena', { text: '["no lamp here"]', publish: false });
    const { status, body } = await api.dev('GET', '/search?q=LaMp');
    expect([status, body.next, body.timedOut]).toEqual([200, null, false]);
    const place = ({ content, state, revision, part, appVersion, path, match, line }: never) =>
      [content, state, revision, part, appVersion, path, match, line].join(' ');
    expect(body.hits.map(place)).toEqual([
      'arena draft 1 text 0.0.0 /0 value 1',
      'Shop live 1 text 0.0.0 /lamp key 3',
      'Shop both 1 mapping  /1/segment value 1',
      'Shop both 1 mapping  /1/when/item value 1',
      'Shop draft 2 text 0.0.0 /lamp key 1',
    ]);
    expect(body.hits[0]).toMatchObject({ snippet: 'no lamp here', at: 3, length: 4, rule: null });
    expect(body.hits[3].rule).toEqual({ rule: 1, segment: 'lamps' });
  });

  it('comes in pages that together are all of it, whichever their size', async () => {
    const api = await startApi();
    await saveMany(api, 40, (index) =>
      JSON.stringify({ lamp: index, list: ['lamp', index % 3 === 0 ? 'lamps' : 'none'] }),
    );
    const whole = await searchAll(api, 'lamp', 1_000);
    expect(whole).toHaveLength(40 * 2 + 14);
    for (const limit of [1, 7, 40]) expect(await searchAll(api, 'lamp', limit)).toEqual(whole);
  });

  it('shows nothing of other environments, nor to users of others', async () => {
    const api = await startApi();
    await api.call('POST', '/admin/v1/environments', { id: 'secret' });
    await api.call('PUT', '/admin/v1/environments/secret/contents/plan', { text: '["lamp"]' });
    await api.dev('PUT', '/contents/shop', { text: '{"a": 1}' });
    expect((await api.dev('GET', '/search?q=lamp')).body.hits).toEqual([]);
    expect((await api.dev('GET', '/names')).body.contents).toMatchObject([{ id: 'shop' }]);
    const { body } = await api.call('POST', '/admin/v1/users', {
      ...{ name: 'vic', role: 'viewer', environments: ['dev'] },
    });
    for (const path of ['search?q=lamp', 'names']) {
      const there = await api.call(
        'GET',
        `/admin/v1/environments/secret/${path}`,
        undefined,
        body.token,
      );
      expect([path, there.status, there.body.code]).toEqual([path, 404, 'environment_not_found']);
      expect((await api.dev('GET', `/${path}`, undefined, body.token)).status).toBe(200);
    }
  });

  it('finds nothing in what is deleted, and in old revisions', async () => {
    const api = await startApi();
    await api.dev('PUT', '/contents/old', { text: '["lamp"]' });
    await api.dev('PUT', '/contents/old', { text: '["none"]' });
    await api.dev('PUT', '/contents/gone', { text: '["lamp"]' });
    await api.dev('DELETE', '/contents/gone');
    expect((await api.dev('GET', '/search?q=lamp')).body.hits).toEqual([]);
  });

  it('rejects no text, too long a text, and an `after` of no search', async () => {
    const api = await startApi();
    const wrong = [
      'q=',
      `q=${'x'.repeat(201)}`,
      'q=a&after=nonsense',
      'q=%00',
      'q=a&limit=1001',
      '',
    ];
    for (const query of wrong) {
      const { status, body } = await api.dev('GET', `/search?${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_request']);
    }
    const unknown = await api.call('GET', '/admin/v1/environments/none/search?q=a');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'environment_not_found']);
  });

  it('ends with its request', async () => {
    const begun = new AbortController();
    const release = new AbortController();
    let looked = 0;
    const run: Work['run'] = (name, input) => {
      looked++;
      begun.abort();
      return aborted(release.signal).then(() => workHere.run(name, input));
    };
    const api = await startApi({}, { work: { ...workHere, run } });
    // Large enough for a worker each.
    await saveMany(api, 3, (index) => JSON.stringify([`lamp ${index}`, 'x'.repeat(100_000)]));
    const gone = new AbortController();
    const headers = { authorization: `Bearer ${ownerToken}` };
    const url = `${api.url}/admin/v1/environments/dev/search?q=lamp`;
    const asked = fetch(url, { headers, signal: gone.signal }).catch(() => 'gone');
    await aborted(begun.signal);
    gone.abort();
    expect(await asked).toBe('gone');
    // Its connection is closed by the time that a later request is responded to.
    await api.dev('GET', '/names');
    release.abort();
    await api.dev('GET', '/search?q=nothing');
    expect(looked).toBe(1);
  });
});

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}

describe('the names of an environment', () => {
  it('are those of contents with their rules, segments, experiments and releases', async () => {
    const api = await startApi();
    await api.dev('PUT', '/segments/whales', {
      ...{ when: { spend: { $gt: 100 } }, description: 'They pay' },
    });
    await api.dev('PUT', '/contents/Shop', {
      ...{ text: '{}', tags: ['economy'] },
      mapping: [
        { segment: 'whales', info: 'w1', merge: { a: 1 } },
        {
          segment: 'prices',
          when: { $and: [{ country: 'DE' }, { level: { $gt: 3 } }] },
          ...{ salt: 's1' },
          variants: [
            { name: 'a', groups: [0, 499] },
            { name: 'b', groups: [500, 999], merge: { a: 2 } },
          ],
        },
      ],
    });
    await api.dev('PUT', '/contents/plain', { text: '{}', publish: false });
    await api.dev('POST', '/experiments', {
      ...{ id: 'prices-1', name: 'Prices', content: 'shop', segment: 'prices', control: 'a' },
    });
    await api.dev('POST', '/releases', { title: 'Weekend' });
    const { status, body } = await api.dev('GET', '/names');
    const whales = { rule: 0, segment: 'whales', saved: true, info: 'w1', attributes: [] };
    const prices = { rule: 1, segment: 'prices', saved: false, info: null };
    expect([status, body]).toEqual([
      200,
      {
        contents: [
          { id: 'plain', tags: [], newest: 1, live: null, rules: [] },
          {
            ...{ id: 'Shop', tags: ['economy'], newest: 1, live: 1 },
            rules: [whales, { ...prices, attributes: ['country', 'level'] }],
          },
        ],
        segments: [{ name: 'whales', description: 'They pay' }],
        experiments: [{ id: 'prices-1', name: 'Prices', state: 'draft' }],
        releases: [{ release: 1, title: 'Weekend', state: 'draft' }],
        truncated: [],
      },
    ]);
  });

  it('name all pages of many contents, and are 404 of an unknown environment', async () => {
    const api = await startApi();
    await saveMany(api, 1_201, () => '{}');
    expect((await api.dev('GET', '/names')).body.contents).toHaveLength(1_201);
    const unknown = await api.call('GET', '/admin/v1/environments/none/names');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'environment_not_found']);
  });
});
