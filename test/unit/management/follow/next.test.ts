/** The question for what comes next, with real files and sockets: what a follower says with it, and what it gets. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeLiveMs } from '../../../../src/management/limits/fleet.js';
import {
  followNextChangesMax,
  followNextTextBytesMax,
  followStateBytesMax,
} from '../../../../src/management/limits/follow.js';
import { noSettings } from '../../../../src/published/environment-settings.js';
import { eventually } from '../../../support/eventually.js';
import { contentOf, TestFollower, TestParent } from '../../../support/fleet/follow-pair.js';

const here = { sequence: 2, mark: 'm2' };
const state = {
  ...{ id: 'one', name: 'one', address: '', version: '1', upMs: 1, serving: 1 },
  ...{ served: here, tree: here, live: 0, away: 0, names: [], run: 'first', said: 0 },
};

describe('the question for what comes next', () => {
  let parent: TestParent;
  let follower: TestFollower | null = null;
  let way: Server | null = null;
  /** Methods and paths that went over the way to the parent. */
  let passed: string[];
  /** Of a request that goes no further, and is never responded to. */
  let swallowed: string | null;
  beforeEach(async () => {
    await begin(new TestParent());
  });
  afterEach(async () => {
    await follower?.end();
    follower = null;
    way?.closeAllConnections();
    way?.close();
    way = null;
    parent.end();
  });

  async function begin(started: TestParent): Promise<void> {
    parent = started;
    await parent.listen();
    parent.publish({ kind: 'environment', environment: 'game', settings: noSettings });
    parent.publish(contentOf('a', '"a1"'));
    passed = [];
    swallowed = null;
  }

  /** A follower whose requests are seen. */
  async function follow(): Promise<TestFollower> {
    way = createServer((asked, response) => {
      const { method, headers, url } = asked;
      passed.push(`${method} ${url}`);
      if (url === swallowed) return;
      const onward = request(`${parent.url}${url}`, { method, headers }, (of) => {
        response.writeHead(of.statusCode ?? 500, of.headers);
        of.pipe(response);
      });
      onward.on('error', () => response.destroy());
      asked.pipe(onward);
    });
    await new Promise<void>((resolve) => way?.listen(0, '127.0.0.1', resolve));
    const { port } = way.address() as AddressInfo;
    follower = new TestFollower(parent.folder, `http://127.0.0.1:${port}`);
    await follower.publisher.start();
    follower.session.start();
    await eventually('the parent holds the question', 5_000, async () => asked() === 1);
    return follower;
  }

  const asked = (): number => passed.filter((each) => each === 'POST /follow/v1/next').length;

  function ask(body: unknown): Promise<Response> {
    return fetch(`${parent.url}/follow/v1/next`, {
      method: 'POST',
      headers: { authorization: `Bearer ${parent.token}`, 'x-loadout-follow': '1' },
      body: JSON.stringify(body),
    });
  }

  it('is all that an edit costs a follower, and says that it is served', async () => {
    const of = await follow();
    for (let n = 2; n < 12; n += 1) {
      passed = [];
      const sequence = parent.publish(contentOf('a', `"a${n}"`));
      await parent.hub.followers.settled(sequence, 5_000);
      expect(parent.hub.followers.tree.sequence).toBe(sequence);
      expect(of.texts(['a'])).toEqual([`"a${n}"`]);
      expect(passed).toEqual(['POST /follow/v1/next']);
    }
  });

  it('gets no changes that are long when they are decompressed, for which the follower asks', async () => {
    const of = await follow();
    const long = contentOf('a', '"a2"', followNextTextBytesMax / 100);
    const sequence = parent.publish(long);
    const response = await ask({ ...state, known: here });
    expect(response.headers.get('content-encoding')).toBe(null);
    expect(await response.json()).toMatchObject({ sequence });
    await parent.hub.followers.settled(sequence, 30_000);
    expect(of.texts(['a'])).toEqual(['"a2"']);
    expect(passed).toContain('GET /follow/v1/changes?sequence=2&mark=m2');
  });

  it('has a report beside it where it is swallowed, so that edits wait for a follower that lives', async () => {
    await follow();
    swallowed = '/follow/v1/next';
    parent.publish(contentOf('a', '"a2"'));
    await eventually('the question is asked in vain', 5_000, async () => asked() > 1);
    passed = [];
    await eventually('a report says that it lives', nodeLiveMs, async () =>
      passed.includes('POST /follow/v1/report'),
    );
    expect(parent.hub.followers.below).toMatchObject({ live: 1, away: 0 });
  }, 20_000);

  it('gets no changes that are many, nor everything: only where the parent is', async () => {
    const many = Array.from({ length: followNextChangesMax + 1 }, (_, n) =>
      contentOf(`c${n}`, '1'),
    );
    parent.publish(...many);
    expect((await ask({ ...state, known: here })).headers.get('content-encoding')).toBe(null);
    const last = { sequence: 3, mark: 'm3' };
    parent.publish(...many.slice(1));
    expect((await ask({ ...state, known: last })).headers.get('content-encoding')).toBe('gzip');
  });

  it('is responded to although edits do not wait for the follower, and says so', async () => {
    parent.end();
    await begin(new TestParent(1));
    const elsewhere = { sequence: 1, mark: 'other' };
    expect((await ask({ ...state, known: elsewhere })).status).toBe(200);
    const response = await ask({ ...state, id: 'two', known: elsewhere });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-loadout-follow-not-waited-for')).toBe('yes');
    expect(await response.json()).toMatchObject(here);
  });

  it.each([
    ['no known position', { ...state }, 400],
    ['a state that is none', { ...state, known: here, served: 'all' }, 400],
    ['too much', { ...state, known: here, name: 'x'.repeat(followStateBytesMax) }, 413],
  ])('is refused with %s', async (_, body, status) => {
    expect((await ask(body)).status).toBe(status);
    expect(parent.hub.followers.below.live).toBe(0);
  });
});
