/** A parent and a follower in one process, with their real files and sockets: what is refused, cut off, or unknown. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FollowTexts } from '../../../../src/management/follow/follow-texts.js';
import type { FollowerReport } from '../../../../src/management/follow/wire.js';
import { noSettings } from '../../../../src/published/environment-settings.js';
import {
  contentOf,
  storeOf,
  TestFollower,
  TestParent,
} from '../../../support/fleet/follow-pair.js';

const report: FollowerReport = {
  ...{ id: 'one', name: 'one', address: '', version: '1', upMs: 1, serving: 1 },
  served: { sequence: 1, mark: 'm1' },
  tree: { sequence: 1, mark: 'm1' },
  ...{ live: 0, away: 0, names: [], run: 'first', said: 0, leaves: false },
  relayed: { used: [], traffic: [], receipts: [], assigned: [], requests: [] },
};

describe('a server that is followed', () => {
  let parent: TestParent;
  let follower: TestFollower | null = null;
  let other: Server | null = null;
  beforeEach(async () => {
    parent = new TestParent();
    await parent.listen();
    parent.publish({ kind: 'environment', environment: 'game', settings: noSettings });
    parent.publish(contentOf('a', '"a1"'), contentOf('b', '"b1"'));
  });
  afterEach(async () => {
    await follower?.end();
    other?.closeAllConnections();
    other?.close();
    parent.end();
    follower = null;
    other = null;
  });

  function send(body: unknown): Promise<Response> {
    return fetch(`${parent.url}/follow/v1/report`, {
      method: 'POST',
      headers: { authorization: `Bearer ${parent.token}`, 'x-loadout-follow': '1' },
      body: JSON.stringify(body),
    });
  }

  it('gives everything, then what changed, then a text of any length', async () => {
    follower = new TestFollower(parent.folder, parent.url);
    await follower.publisher.start();
    expect(follower.publisher.served).toEqual({ sequence: 2, mark: 'm2' });
    expect(follower.file.storeId).toBe('store-1');
    const long = JSON.stringify('x'.repeat(300_000));
    parent.publish(contentOf('a', '"a2"'), contentOf('c', long));
    parent.publish({ kind: 'content-removed', environment: 'game', id: 'b' });
    await follower.publisher.publish(4);
    expect(follower.texts(['a', 'b', 'c'])).toEqual(['"a2"', null, long]);
  });

  it('has nothing of an environment that was removed and made again under its name', async () => {
    follower = new TestFollower(parent.folder, parent.url);
    await follower.publisher.start();
    parent.publish({ kind: 'environment-removed', environment: 'game' });
    parent.publish({ kind: 'environment', environment: 'game', settings: noSettings });
    parent.publish(contentOf('b', '"b2"'));
    await follower.publisher.publish(5);
    expect(follower.texts(['a', 'b'])).toEqual([null, '"b2"']);
  });

  it('gives a follower of another history everything, and one that is ahead nothing', async () => {
    follower = new TestFollower(parent.folder, parent.url);
    await follower.publisher.start();
    follower.file.writer.apply({ sequence: 2, mark: 'other' }, [contentOf('a', '"other"')]);
    await expect(follower.publisher.publish(9)).rejects.toThrow('Nothing older is taken from it');
    expect(follower.texts(['a'])).toEqual(['"other"']);
    parent.publish(contentOf('b', '"b3"'));
    await follower.publisher.publish(3);
    expect(follower.texts(['a', 'b'])).toEqual(['"a1"', '"b3"']);
  });

  it.each([
    ['a kind that is not known', '{"kind":"planet","name":"x"}', 'upgrade this server'],
    [
      'a member that is not known',
      '{"kind":"segment-removed","environment":"game","name":"x","colour":1}',
      'upgrade this server',
    ],
    [
      'settings that are not known',
      '{"kind":"environment","environment":"game","settings":"{\\"planets\\":1}"}',
      'settings of an environment that this version does not know',
    ],
    ['an end too early', '', 'fewer lines'],
  ])('is not understood by half: %s', async (_, line, words) => {
    follower = new TestFollower(parent.folder, parent.url);
    await follower.publisher.start();
    const head = JSON.stringify({
      ...{ sequence: 3, mark: 'm3', storeId: 'store-1', servesNothing: false },
      ...{ streamKey: storeOf.streamKey, form: 'changes' },
    });
    const removed = '{"kind":"content-removed","environment":"game","id":"a"}';
    const lines = [head, removed, ...(line === '' ? [] : [line]), '{"kind":"end","lines":2}'];
    other = createServer((_request, response) => response.end(`${lines.join('\n')}\n`));
    await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const strange = new TestFollower(parent.folder, `http://127.0.0.1:${port}`);
    try {
      await expect(strange.publisher.publish(3)).rejects.toThrow(words);
      expect(strange.texts(['a'])).toEqual(['"a1"']);
    } finally {
      await strange.end();
    }
  });

  it('refuses one more follower than it takes, and reports that are none', async () => {
    const few = new TestParent(1);
    await few.listen();
    parent.end();
    parent = few;
    parent.publish({ kind: 'environment', environment: 'game', settings: noSettings });
    expect((await send(report)).status).toBe(200);
    const refused = await send({ ...report, id: 'two' });
    expect(await refused.json()).toMatchObject({ status: 409, code: 'limit_reached' });
    expect((await send({ ...report, relayed: { used: 'all' } })).status).toBe(400);
    expect((await send({ ...report, leaves: true })).status).toBe(200);
    expect((await send({ ...report, id: 'two' })).status).toBe(200);
  });

  it('gives everything over a way on which texts are slow', async () => {
    const idleMs = 1_000;
    const ids = Array.from({ length: 3_000 }, (_, n) => `c${n}`);
    parent.publish(...ids.map((id) => contentOf(id, JSON.stringify(`text of ${id}`))));
    let slow = 1;
    other = createServer((asked, response) => {
      const { method, headers, url } = asked;
      const isSlow = method === 'POST' && slow > 0;
      if (isSlow) slow -= 1;
      const passed = request(`${parent.url}${url}`, { method, headers }, async (of) => {
        response.writeHead(of.statusCode ?? 500, of.headers).flushHeaders();
        if (!isSlow) return of.pipe(response);
        const all = await buffer(of);
        const step = Math.ceil(all.byteLength / 12);
        for (let at = 0; at < all.byteLength; at += step) {
          response.write(all.subarray(at, at + step));
          await pause(idleMs / 8);
        }
        return response.end();
      });
      asked.pipe(passed);
    });
    await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    follower = new TestFollower(parent.folder, `http://127.0.0.1:${port}`, idleMs);
    await follower.publisher.start();
    expect(follower.texts(['c0', 'c2999'])).toEqual(['"text of c0"', '"text of c2999"']);
    expect(slow).toBe(0);
  });

  it('makes everything once for all that are at positions of the past that it does not know', async () => {
    const known = { has: ({ mark }: { mark: string }) => mark === 'm1' };
    const texts = new FollowTexts(join(parent.folder, 'parent.db'), parent.file, known);
    const everything = await texts.changes(null);
    expect(await texts.changes({ sequence: 1, mark: 'x' })).toBe(everything);
    expect(await texts.changes({ sequence: 0, mark: 'y' })).toBe(everything);
    const changed = gunzipSync(await texts.changes({ sequence: 1, mark: 'm1' })).toString();
    expect(changed).toMatch(/^[^\n]*"form":"changes"/);
    const ahead = gunzipSync(await texts.changes({ sequence: 3, mark: 'x' })).toString();
    expect(ahead).toMatch(/^[^\n]*"form":"behind"/);
  });

  it('takes nothing of a report with a bad member, and the good one after it', async () => {
    const use = ['ab'.repeat(32), Date.now()];
    const bad = { ...report.relayed, used: [use, ['cd'.repeat(32), 8.64e15 + 1]] };
    const refused = await send({ ...report, relayed: bad });
    expect(await refused.json()).toMatchObject({ status: 400, code: 'invalid_body' });
    expect((await send({ ...report, relayed: { ...report.relayed, used: [use] } })).status).toBe(
      200,
    );
    expect(parent.relayed).toEqual([{ ...report.relayed, used: [use] }]);
  });

  it('counts with the least that its followers serve, and takes a number of another history for none', async () => {
    expect(parent.hub.followers.tree).toEqual({ sequence: 2, mark: 'm2' });
    await send(report);
    expect(parent.hub.followers.tree).toEqual({ sequence: 1, mark: 'm1' });
    await send({ ...report, tree: { sequence: 2, mark: 'm2' } });
    expect(parent.hub.followers.tree).toEqual({ sequence: 2, mark: 'm2' });
    await send({ ...report, tree: { sequence: 2, mark: 'other' } });
    expect(parent.hub.followers.tree.sequence).toBe(0);
  });
});
