/** Three levels of servers, of which the second is far from the first: each byte between them is late, and few fit. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { contentPath, keptConnection } from '../../support/fleet/fleet.js';
import { FollowTree } from '../../support/fleet/follow-tree.js';
import { freshDatabase, hasPostgres } from '../../support/postgres/postgres.js';
import { expectDone } from '../../support/server/environment.js';
import type { LoadoutServer } from '../../support/server/server-process.js';
import type { Answer } from '../../support/wire/exchange.js';
import { expectRefusal } from '../../support/wire/refusal.js';
import { TcpProxy } from '../../support/wire/tcp-proxy.js';

/** Between continents, over a link that others use as well. */
const far = { delayMs: 300, bytesPerSecond: 500_000 };
/** Longer than a pause of a busy machine: what is over before a byte arrives did not wait for it. */
const veryFar = { delayMs: 4_000 };
const edits = 30;
const readsPerEdit = 12;
const largeBytes = 3_000_000;

describe.skipIf(!hasPostgres)(
  'a tree of servers with a slow way between the first and the second',
  () => {
    let tree: FollowTree;
    let proxy: TcpProxy;
    beforeAll(async () => {
      tree = await FollowTree.start(await freshDatabase(), async (name, url) => {
        if (name === 'leaf') return [url];
        proxy = await TcpProxy.start(Number(new URL(url).port));
        return [`http://${proxy.address}`];
      });
    });
    afterAll(async () => {
      await tree?.stop();
      await proxy?.close();
    });
    beforeEach(() => proxy.slow(far));
    afterEach(async () => {
      await proxy.mend();
      await tree.served(60_000);
    });

    /** What the third level serves, as soon as it has the number. Any rejection but one for being late is a fault. */
    async function readFrom(sequence: number, agent: ReturnType<typeof keptConnection>) {
      return eventually('the third level has the number', 60_000, async () => {
        const answer = await askFrom(sequence, agent);
        if (answer.status === 503) expectRefusal(answer, 503, 'sequence_not_reached');
        return answer.status === 503 ? null : expectDone(answer);
      });
    }

    function askFrom(sequence: number, agent?: ReturnType<typeof keptConnection>): Promise<Answer> {
      const headers = { 'x-min-sequence': String(sequence) };
      return tree.game.on(tree.leaf).ask('POST', contentPath, {}, headers, agent);
    }

    it('responds to ?wait=fleet when the third level serves the edit, and names nobody as missing', async () => {
      for (let edit = 0; edit < 5; edit += 1) {
        const { fleet } = await tree.edit('?wait=fleet');
        // The root, and the middle with the leaf.
        expect([await tree.read(tree.leaf), fleet]).toEqual([
          tree.written,
          { acknowledged: 2, missing: [] },
        ]);
      }
    }, 120_000);

    it('serves nothing older than X-Min-Sequence on its third level', async () => {
      const agents = Array.from({ length: readsPerEdit }, keptConnection);
      const counts = { fresh: 0, stale: 0 };
      for (let edit = 0; edit < edits; edit += 1) {
        const { sequence } = await tree.edit();
        const answers = await Promise.all(agents.map((agent) => readFrom(sequence, agent)));
        for (const { json, headers } of answers) {
          expect(Number(headers['x-sequence'])).toBeGreaterThanOrEqual(sequence);
          counts[json.number < tree.written ? 'stale' : 'fresh'] += 1;
        }
      }
      for (const agent of agents) agent.destroy();
      expect(counts).toEqual({ fresh: edits * readsPerEdit, stale: 0 });
    }, 300_000);

    it('rejects what asks for a number that the third level has not got within two seconds', async () => {
      proxy.slow(veryFar);
      const before = tree.written;
      const { sequence } = await tree.edit();
      const startedMs = performance.now();
      const answer = await askFrom(sequence);
      expectRefusal(answer, 503, 'sequence_not_reached');
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_900);
      expect(await tree.read(tree.leaf)).toBe(before);
      await proxy.mend();
      const agent = keptConnection();
      expect((await readFrom(sequence, agent)).json.number).toBe(tree.written);
      agent.destroy();
    }, 120_000);

    it('acknowledges edits that wait for nobody before the second level has the first of them', async () => {
      proxy.slow(veryFar);
      const before = tree.written;
      for (let edit = 0; edit < 5; edit += 1) await tree.edit();
      const [atRoot, atMiddle] = [await tree.read(tree.root), await tree.read(tree.middle)];
      expect([atRoot, atMiddle]).toEqual([before + 5, before]);
    }, 120_000);

    it('takes a large text whole, while edits of something else go on', async () => {
      const text = JSON.stringify(randomBytes(largeBytes).toString('base64'));
      const [before, losses] = [tree.written, parentsLost()];
      await tree.game.put('large', text);
      for (let edit = 0; edit < 5; edit += 1) await tree.edit();
      const leaf = tree.game.on(tree.leaf);
      expect([(await leaf.plain('large')).status, await tree.read(tree.leaf)]).toEqual([
        404,
        before,
      ]);
      const servers = [tree.middle, tree.leaf];
      await eventually('the third level serves the last edit', 60_000, async () => {
        const numbers = await Promise.all(servers.map((server) => tree.read(server)));
        return numbers.every((number) => number === tree.written);
      });
      const served = await Promise.all(servers.map((server) => wholeText(server, 'large')));
      expect(served.map((each) => each === text)).toEqual([true, true]);
      expect(parentsLost()).toBe(losses);
    }, 180_000);

    it('has everything when the way is fast again, by what changed alone', async () => {
      for (let edit = 0; edit < 5; edit += 1) await tree.edit();
      await proxy.mend();
      await tree.served();
      await tree.waited();
      for (const { stderr } of [tree.middle, tree.leaf]) {
        expect(stderr).not.toContain('everything was read again');
      }
    }, 120_000);

    async function wholeText(server: LoadoutServer, id: string): Promise<string> {
      return expectDone(await tree.game.on(server).plain(id)).text;
    }

    /** How often the second level has taken the first for lost. */
    function parentsLost(): number {
      return tree.middle.stderr.split('the parent is away').length - 1;
    }
  },
);
