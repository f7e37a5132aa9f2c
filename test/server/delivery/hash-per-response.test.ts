/**
 * Goal: contents with equal texts share rendered bodies, and each response still has its own content's hash, from the first
 * one after an edit on. Method: 500 contents of one text and mappings of their own, asked in turn in every form; the cache's
 * own counters say whether a body was made anew.
 */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import type { Answer } from '../../support/wire/exchange.js';
import { mappedHash } from '../../support/xxhash.js';

const text = JSON.stringify({ price: 2, pad: 'x'.repeat(3_000) });
const ids = Array.from({ length: 500 }, (_, at) => `c${at}`);
const body = { u: 'ada', p: { level: 3 } };
const gzip = { 'accept-encoding': 'gzip' };

let server: Awaited<ReturnType<typeof startServer>>;
let game: Environment;
let vip: object = { level: 3 };

/** All have the same selected rule; what the others do nobody sees. */
const mappingOf = (id: string, unselected = 0) => [
  { segment: 'vip', merge: { price: 1 } },
  { segment: `not-${id}`, when: { level: 99 }, merge: { price: unselected } },
];

const hashOf = (id: string, unselected?: number): string =>
  mappedHash(text, mappingOf(id, unselected), [['vip', vip]]);

/** The hash of each of some contents in every form. */
async function hashesOf(asked: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = Object.fromEntries(asked.map((id) => [id, []]));
  const add = (id: string, json: { hash: string }): void => void found[id]?.push(json.hash);
  const unpacked = (answer: Answer) =>
    JSON.parse(
      (answer.header('content-encoding') === 'gzip'
        ? gunzipSync(answer.bytes)
        : answer.bytes
      ).toString(),
    );
  for (const id of asked) {
    const path = `/api/v1/config/${id}/dynamic`;
    add(id, (await game.ask('POST', path, body)).json);
    add(id, (await game.ask('POST', `${path}?responseType=serialized`, body)).json);
    add(id, unpacked(await game.ask('POST', path, body, gzip)));
  }
  const combined = `/api/v1/combine/?c=${JSON.stringify(asked)}&dynamic=true`;
  for (const headers of [{}, gzip]) {
    const json = unpacked(await game.ask('POST', combined, body, headers));
    for (const id of asked) add(id, json[id]);
  }
  return found;
}

/** Bodies that were not there, and those that were made at once. */
async function made(): Promise<number> {
  const { text: metrics } = await server.admin('GET', '/metrics');
  const counters = metrics.matchAll(
    /^loadout_rendered_(?:cache_misses|inline)_total\{.*\} (\d+)$/gm,
  );
  return [...counters].reduce((sum, [, count]) => sum + Number(count), 0);
}

beforeAll(async () => {
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server);
  await game.putSegment('vip', vip);
  for (const id of ids) await game.put(id, text, { mapping: mappingOf(id) });
}, 120_000);

afterAll(() => server.stop());

describe('the hash of a response whose body many contents share', () => {
  const some = [0, 1, 250, 499].map((at) => ids[at] as string);
  const wanted = (unselected?: number) =>
    Object.fromEntries(some.map((id) => [id, Array(5).fill(hashOf(id, unselected))]));

  it('is its own in every form', async () => {
    expect(await hashesOf(some)).toEqual(wanted());
    expect(await hashesOf([...some].reverse())).toEqual(wanted());
  });

  it('is another one right after an edit of a rule that is not selected, with the body as it was', async () => {
    await hashesOf(some);
    const before = await made();
    expect(before).toBeGreaterThan(0);
    for (const id of some) await game.putMapping(id, mappingOf(id, 7));
    expect(await hashesOf(some)).toEqual(wanted(7));
    expect(await made()).toBe(before);
    for (const id of some) await game.putMapping(id, mappingOf(id));
    expect(await hashesOf(some)).toEqual(wanted());
  });

  it('is another one right after an edit of a saved segment that 500 contents use, with the body as it was', async () => {
    await hashesOf(some);
    const before = await made();
    expect(before).toBeGreaterThan(0);
    vip = { level: { $gte: 3 } };
    await game.putSegment('vip', vip);
    expect(await hashesOf(some)).toEqual(wanted());
    expect(await made()).toBe(before);
    const { catalog } = (await game.catalog()).json;
    for (const id of ids) expect(catalog[id].h).toBe(hashOf(id));
  });
});
