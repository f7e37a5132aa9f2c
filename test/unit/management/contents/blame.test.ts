/*
 * Goal: blame says which revision set a value, by whom and why, and where it stopped looking.
 * Method: the admin API over a real store with a history whose changes are known.
 */
import { describe, expect, it } from 'vitest';
import type { ValueChange } from '../../../../src/contract/operations/history/blame.js';
import { type Harness, openStore, startApi, startMs } from '../harness.js';

const shop = (price: number, title: string) => `{"packs":[{"price":${price}}],"title":"${title}"}`;

async function startHistory(): Promise<Harness> {
  let nowMs = startMs;
  const store = await openStore(undefined, () => nowMs++);
  const api = await startApi({}, { store });
  const saves: [string, string][] = [
    [shop(1, 'a'), 'first'],
    [shop(2, 'a'), 'LIVE-231'],
    [shop(2, 'b'), 'title'],
    [`// as it was\n${shop(2, 'b')}`, 'a comment'],
    ['{"title":"b"}', 'no packs'],
    [shop(3, 'b'), 'packs again'],
  ];
  for (const [text, note] of saves) await api.dev('PUT', '/contents/shop', { text, note });
  return api;
}

const price = encodeURIComponent('/packs/0/price');

describe('blame', () => {
  it('names the revision that set a value, its author and its note', async () => {
    const api = await startHistory();
    const { body } = await api.dev('GET', `/contents/shop/blame?path=${price}`);
    expect(body).toMatchObject({
      ...{ id: 'shop', appVersion: '0.0.0', path: '/packs/0/price', value: '3', next: 6 },
      changes: [{ revision: 6, before: null, after: '3', author: 'owner', note: 'packs again' }],
    });
    const all = await api.dev('GET', `/contents/shop/blame?path=${price}&limit=50`);
    expect(
      all.body.changes.map(({ revision, before, after }: ValueChange) => [revision, before, after]),
    ).toEqual([
      [6, null, '3'],
      [5, '2', null],
      [2, '1', '2'],
      [1, null, '1'],
    ]);
    expect([all.body.next, all.body.isOldest]).toEqual([null, false]);
    expect(all.body.changes[2]).toMatchObject({ note: 'LIVE-231', liveAt: expect.any(String) });
  });

  it('goes on page by page', async () => {
    const api = await startHistory();
    const pages: number[] = [];
    for (let before: number | null = 7; before !== null; ) {
      const path = `/contents/shop/blame?path=${price}&limit=1&before=${before}`;
      const { body } = await api.dev('GET', path);
      pages.push(...body.changes.map(({ revision }: ValueChange) => revision));
      before = body.next;
    }
    expect(pages).toEqual([6, 5, 2, 1]);
  });

  it('explains a whole object, another version line, and a value that is not there', async () => {
    const api = await startHistory();
    const whole = await api.dev('GET', '/contents/shop/blame?limit=50');
    expect(whole.body.changes.map(({ revision }: ValueChange) => revision)).toEqual([
      6, 5, 3, 2, 1,
    ]);
    await api.dev('PUT', '/contents/shop', { appVersion: '2.0.0', text: '{"x":1}' });
    const line = await api.dev('GET', '/contents/shop/blame?appVersion=2.0.0&path=/x');
    expect(line.body.changes).toMatchObject([{ revision: 7, before: null, after: '1' }]);
    const never = await api.dev('GET', '/contents/shop/blame?path=/never');
    expect(never.body).toMatchObject({ value: null, changes: [], next: null });
  });

  it('names the release that brought it', async () => {
    const api = await startHistory();
    await api.dev('PUT', '/contents/shop', { text: shop(9, 'b'), publish: false });
    await api.dev('POST', '/releases', {
      title: 'Winter',
      changes: [{ kind: 'content', id: 'shop', revision: 7 }],
    });
    const open = await api.dev('GET', `/contents/shop/blame?path=${price}`);
    expect(open.body.changes[0]).toMatchObject({
      liveAt: null,
      releases: [{ release: 1, title: 'Winter', state: 'draft' }],
    });
    await api.dev('POST', '/releases/1/live', {});
    const live = await api.dev('GET', `/contents/shop/blame?path=${price}`);
    expect(live.body.changes[0]).toMatchObject({
      liveAt: expect.any(String),
      releases: [{ state: 'live' }],
    });
  });

  it('refuses what is no pointer, and contents that there are not', async () => {
    const api = await startApi();
    const wrong = await api.dev('GET', '/contents/shop/blame?path=price');
    expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_request']);
    const none = await api.dev('GET', '/contents/none/blame');
    expect([none.status, none.body.code]).toEqual([404, 'content_not_found']);
  });
});
