import { beforeEach, describe, expect, it } from 'vitest';
import { Releases } from './harness.js';

let releases: Releases;
beforeEach(async () => {
  releases = await Releases.start();
});

const put = (id: string, mapping: unknown[], publish: boolean) =>
  releases.api.dev('PUT', `/contents/${id}`, { text: '{"n":1}', mapping, publish });
const test = (salt: string) => ({
  ...{ segment: 'prices', when: { '@u': { $ne: '' } }, salt },
  variants: [
    { name: 'a', groups: [0, 499] },
    { name: 'b', groups: [500, 999], merge: { n: 2 } },
  ],
});

/** @returns what is warned of in a release with these changes */
async function warnings(changes: unknown[]): Promise<unknown> {
  const made = await releases.api.dev('POST', '/releases', { title: 'Winter', changes });
  expect(made.status).toBe(201);
  const { status, body } = await releases.api.dev('GET', `/releases/${made.body.release}/warnings`);
  expect(status).toBe(200);
  return body;
}

describe('the warnings of a release', () => {
  it('are those of each content and segment that it changes', async () => {
    await put('shop', [test('one')], true);
    await put('shop', [test('two')], false);
    await put('hats', [], true);
    await put('hats', [], false);
    const segment = { when: { plaform: 'ios' }, publish: false };
    expect((await releases.api.dev('PUT', '/segments/ios', segment)).status).toBe(201);
    const changes = [
      { kind: 'content', id: 'shop' },
      { kind: 'content', id: 'hats' },
      { kind: 'segment', name: 'ios' },
    ];
    expect(await warnings(changes)).toEqual({
      cut: false,
      items: [
        {
          kind: 'content',
          id: 'shop',
          warnings: [
            {
              path: 'mapping[0].salt',
              message: expect.stringContaining('live test "prices"'),
            },
          ],
        },
        {
          kind: 'segment',
          id: 'ios',
          warnings: [{ path: 'when', message: expect.stringContaining('"plaform"') }],
        },
      ],
    });
  });

  it('are none of what it deletes, and where there is nothing to warn of', async () => {
    await put('shop', [], true);
    const deletion = { kind: 'content', id: 'shop', revision: null };
    expect(await warnings([deletion])).toEqual({ cut: false, items: [] });
    expect((await releases.api.dev('GET', '/releases/77/warnings')).status).toBe(404);
  });
});
