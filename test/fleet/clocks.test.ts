/** Two nodes whose clocks differ: what a stream of one of them says of a window holds on the other. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startNode } from '../support/fleet/fleet.js';
import { freshDatabase, hasPostgres } from '../support/postgres/postgres.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { OpenStreams } from '../support/stream/open-stream.js';
import { StreamClient, type Wake } from '../support/stream/stream-client.js';

const behindMs = 4_000;
const streams = new OpenStreams();
afterEach(() => streams.closeAll());

describe.skipIf(!hasPostgres)('a node whose clock is four seconds behind', () => {
  let right: LoadoutServer;
  let behind: LoadoutServer;
  let game: Environment;
  let url: string;
  beforeAll(async () => {
    url = await freshDatabase();
    right = await startNode({ name: 'right', url });
    behind = await startNode({ name: 'behind', url, clockAheadMs: -behindMs });
    game = await makeEnvironment(right);
  });
  afterAll(async () => {
    await Promise.all([right.stop(), behind.stop()]);
  });

  it('says so in its log and its metrics; the other one does not', async () => {
    await eventually('the clocks were compared', 10_000, async () =>
      behind.stderr.includes('"event":"clock_skew"'),
    );
    expect(right.stderr).not.toContain('clock_skew');
    const ahead = async (node: LoadoutServer) => {
      const { text } = await node.admin('GET', '/metrics');
      return Number(/^loadout_clock_ahead_seconds (\S+)$/m.exec(text)?.[1]);
    };
    const figure = async (node: LoadoutServer) =>
      (await node.admin('GET', '/metrics.json')).json.clockAheadSeconds;
    for (const read of [ahead, figure]) {
      expect(await read(behind)).toBeCloseTo(-behindMs / 1_000, 0);
      expect(await read(right)).toBeCloseTo(0, 0);
    }
  });

  it('evaluates for the instant that a stream of the other one has told the client of', async () => {
    const edge = new Date(Date.now() + 2_000);
    const { sequence } = await game.put('offer', '{"price":2}', {
      mapping: [{ segment: 'sale', when: {}, from: edge.toISOString(), merge: { price: 1 } }],
    });
    const wakes: Wake[] = [];
    const client = new StreamClient(
      { origin: () => right.deliveryUrl, key: game.key, context: {}, random: Math.random },
      (wake) => wakes.push(wake),
    );
    client.open();
    await client.until(() => wakes.length === 2);
    const { have } = client.held;
    client.close();
    expect(client.violations).toEqual([]);
    const at = wakes[1]?.at ?? '';
    expect(Date.parse(at)).toBe(edge.getTime());

    const there = game.on(behind);
    const known = { 'x-min-sequence': String(sequence) };
    expect((await there.wrapped('offer')).json.data).toEqual({ price: 2 });
    const refreshed = (await there.refresh({ at }, '', known)).json;
    expect(refreshed.contents.offer.data).toEqual({ price: 1 });
    expect((await there.refresh({ at, have }, '', known)).json.contents).toEqual({});
    const late = new Date(edge.getTime() + 60_000).toISOString();
    expect((await there.refresh({ at: late }, '', known)).json.contents.offer.data).toEqual({
      price: 2,
    });
  });

  it('keeps to that instant in all that a stream of its own says', async () => {
    const edge = new Date();
    const mapping = [{ segment: 'sale', when: {}, from: edge.toISOString(), merge: { price: 1 } }];
    const { sequence } = await game.put('offer', '{"price":3}', { mapping });
    const there = game.on(behind);
    const stream = await streams.open(
      there,
      { at: edge.toISOString() },
      { headers: { 'x-min-sequence': String(sequence) } },
    );
    expect((await stream.next()).contents.offer.data).toEqual({ price: 1 });
    // What is evaluated for an edit is not what held before the instant that the client knows of.
    await game.put('offer', '{"price":4,"name":"x"}', { mapping });
    expect((await stream.next()).contents.offer.data).toEqual({ price: 1, name: 'x' });
    expect(stream.rest()).toEqual([]);
  });

  it('tells the client of a token that ends soon to evaluate again', async () => {
    const epochMs = 6 * 3_600_000;
    const endsAtMs = (Math.floor(Date.now() / epochMs) + 4) * epochMs;
    const late = await startNode({
      ...{ name: 'late', url },
      clockAheadMs: endsAtMs - Date.now() - 3_600_000,
    });
    try {
      await game.put('flags', '1', { flags: [''] });
      const { json } = await game.ask('POST', '/ofrep/v1/evaluate/flags', {
        context: { targetingKey: 'a' },
      });
      const path = json.eventStreams[0].endpoint.requestUri;
      const { sequence } = json.metadata;
      const headers = {
        ...{ 'last-event-id': String(sequence), 'x-min-sequence': String(sequence) },
      };
      const options = { method: 'GET', path, headers };
      const stream = await streams.open(game.on(late), '', options);
      expect(stream.status).toBe(200);
      expect(await stream.next()).toMatchObject({ type: 'refetchEvaluation' });
    } finally {
      await late.stop();
    }
  });
});
