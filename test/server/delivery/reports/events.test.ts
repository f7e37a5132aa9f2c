/** Events over the wire: which are taken and what is kept of them, who may send them, and what clients are told. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventLine } from '../../../../src/published/event-line.js';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../../../support/server/environment.js';
import {
  eventLines,
  keepEventFiles,
  linesOfUser,
  openEventFiles,
} from '../../../support/server/event-files.js';
import { startServer } from '../../../support/server/server.js';
import type { LoadoutServer } from '../../../support/server/server-process.js';
import { OpenStreams } from '../../../support/stream/open-stream.js';
import type { Answer } from '../../../support/wire/exchange.js';
import { expectRefusal } from '../../../support/wire/refusal.js';

const path = '/api/v1/events';
let server: LoadoutServer;
let game: Environment;
/** Takes no events. */
let plain: Environment;
let eventsKey: string;
let nextUser = 0;

const streams = new OpenStreams();
afterAll(() => streams.closeAll());

beforeAll(async () => {
  server = await startServer({
    flags: [...keepEventFiles, '--event-attributes', 'country,level,note'],
  });
  game = await makeEnvironment(server);
  plain = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
  await plain.put('shop', '{"price":1}');
  await takeEvents(game);
  eventsKey = (await makeKey(server, game.id, { purpose: 'events' })).key;
});

async function takeEvents({ path: at }: Environment): Promise<void> {
  const metric = { kind: 'count', event: 'purchase' };
  expectDone(await server.admin('PUT', `${at}/metrics/purchases`, metric));
}

function user(): string {
  nextUser += 1;
  return `player-${nextUser}`;
}
const metric = (eid: string, more: object = {}): object => ({
  ...{ t: 'metric', n: 'purchase', x: 4.99, at: new Date().toISOString(), eid },
  ...more,
});

function report(u: unknown, events: unknown, more: object = {}, key = game.key): Promise<Answer> {
  return game.ask('POST', path, { u, events, ...more }, { 'x-api-key': key });
}

describe('events', () => {
  it('are taken with 202, and each is a line of an event file within moments', async () => {
    const u = user();
    const at = new Date(Date.now() - 60_000);
    const exposure = {
      ...{ t: 'exposure', id: 'shop', tag: '0123456789abcdef', eid: 'b' },
      ...{ seg: [{ n: 'price-test', v: 'high' }], at: at.toISOString() },
    };
    const answer = await report(u, [metric('a', { at: at.toISOString() }), exposure]);
    expect(answer.status).toBe(202);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json).toEqual({ taken: 2, rejected: [] });
    const lines = await linesOfUser(server, u, 2);
    const line = { r: expect.any(Number), env: game.id, u, k: 0 };
    expect(lines).toEqual([
      { ...line, e: { t: 'metric', n: 'purchase', x: 4.99, at: at.getTime(), eid: 'a' } },
      { ...line, e: { ...exposure, at: at.getTime() } },
    ]);
    expect(Math.abs((lines[0] as EventLine).r - Date.now())).toBeLessThan(20_000);
  });

  it('that are refused do not keep out the others, and are listed', async () => {
    const u = user();
    const answer = await report(u, [
      metric('good'),
      metric('old', { at: '2020-01-01T00:00:00Z' }),
      metric('ahead', { at: new Date(Date.now() + 2 * 3_600_000).toISOString() }),
      { t: 'metric', n: 'purchase', x: 1, at: new Date().toISOString() },
    ]);
    expect(answer.json).toEqual({
      taken: 1,
      rejected: [
        { eid: 'old', reason: 'too_old' },
        { eid: 'ahead', reason: 'in_future' },
        { eid: null, reason: 'eid_invalid' },
      ],
    });
    expect(await linesOfUser(server, u, 1)).toHaveLength(1);
  });

  it('of nobody are refused for good', async () => {
    for (const u of [undefined, '']) {
      const { status, json } = await report(u, [metric('a')]);
      expect([status, json]).toEqual([
        ...[202, { taken: 0, rejected: [{ eid: 'a', reason: 'user_missing' }] }],
      ]);
    }
    for (const u of ['x'.repeat(257), 'a\0b']) {
      expect((await report(u, [metric('a')])).json.rejected[0].reason).toBe('user_invalid');
    }
  });

  it('that come twice are both written: whoever reads them drops what has the same eid', async () => {
    const u = user();
    const events = [metric('same')];
    await report(u, events);
    await report(u, events);
    const lines = await linesOfUser(server, u, 2);
    expect(lines.map(({ e }) => e.eid)).toEqual(['same', 'same']);
  });

  it('have the listed attributes of the request, where they are plain values, and no others', async () => {
    const u = user();
    const p = { country: 'DE', level: 7, secret: 'x', note: { deep: true } };
    await report(u, [metric('a')], { p });
    await report(u, [metric('b')], { p: { country: 'x'.repeat(2_000), level: 8, note: null } });
    const lines = await linesOfUser(server, u, 2);
    // Two requests may have come to two processes, each with a file of its own.
    expect(Object.fromEntries(lines.map(({ e, p }) => [e.eid, p]))).toEqual({
      a: { country: 'DE', level: 7 },
      b: { level: 8, note: null },
    });
  });

  it('may be none', async () => {
    expect((await report(user(), [])).json).toEqual({ taken: 0, rejected: [] });
  });
});

describe('a request with events', () => {
  it.each([
    ['{"u":"a"}', 'invalid_body'],
    ['{"u":"a","events":{}}', 'invalid_body'],
    ['{"u":5,"events":[]}', 'invalid_body'],
    ['{"u":"a","p":[],"events":[]}', 'invalid_body'],
    ['[]', 'invalid_body'],
    ['', 'invalid_body'],
    ['{"u":"a","events":[', 'invalid_body'],
  ])('%s is rejected', async (body, code) => {
    expectRefusal(await game.ask('POST', path, body), 400, code);
  });

  it('has at most 64 KiB', async () => {
    const body = JSON.stringify({ u: user(), events: [metric('a')] });
    expect((await game.ask('POST', path, body.padEnd(65_536))).status).toBe(202);
    expectRefusal(await game.ask('POST', path, body.padEnd(65_537)), 413, 'body_too_large');
  });

  it('needs a key and a content type, and is a POST', async () => {
    expectRefusal(await report('a', [], {}, 'unknown'), 401, 'invalid_api_key');
    const text = { 'content-type': 'text/plain' };
    expectRefusal(await game.ask('POST', path, '{}', text), 400, 'invalid_content_type');
    const get = await game.ask('GET', path);
    expectRefusal(get, 405, 'method_not_allowed');
    expect(get.headers['allow']).toBe('POST, OPTIONS');
  });

  it('may come from a page of another origin', async () => {
    const origin = { origin: 'https://game.example' };
    const preflight = await game.ask('OPTIONS', path, undefined, {
      ...{ ...origin, 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'content-type,x-api-key',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    const answer = await game.ask('POST', path, { u: user(), events: [metric('a')] }, origin);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([202, '*']);
  });

  it('of one address too many are rejected with 429, before they count for the key', async () => {
    // Its own environment: what this key has sent counts on.
    const other = await makeEnvironment(server);
    const body = { u: 'a', events: [] };
    let limited: Answer | null = null;
    for (let sent = 0; limited === null && sent < 20_000; sent += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => other.ask('POST', path, body)),
      );
      limited = answers.find(({ status }) => status === 429) ?? null;
    }
    expectRefusal(limited as Answer, 429, 'rate_limited');
    expect(Number((limited as Answer).headers['retry-after'])).toBeGreaterThan(0);
    // Servers of the studio are few addresses.
    const own = { 'x-api-key': eventsKey };
    expect((await game.ask('POST', path, body, own)).status).toBe(202);
  });
});

describe('an events key', () => {
  it('makes events trusted', async () => {
    const u = user();
    expect((await report(u, [metric('a')], {}, eventsKey)).json.taken).toBe(1);
    expect((await linesOfUser(server, u, 1))[0]?.k).toBe(1);
  });

  it('opens nothing else', async () => {
    const key = { 'x-api-key': eventsKey };
    const requests = [
      game.ask('POST', '/api/v1/config/shop', {}, key),
      game.ask('POST', '/api/v1/config/shop/dynamic', {}, key),
      game.ask('POST', '/api/v1/combine?c=["shop"]', {}, key),
      game.ask('POST', '/api/v1/refresh', {}, key),
      game.ask('POST', '/api/v1/stream', {}, key),
      game.ask('POST', '/api/v1/receipts', {}, key),
      game.ask('GET', '/api/v1/env/catalog', undefined, key),
    ];
    for (const answer of await Promise.all(requests)) {
      expectRefusal(answer, 401, 'invalid_api_key');
    }
    const flag = { 'x-api-key': eventsKey };
    const answer = await game.ask('POST', '/ofrep/v1/evaluate/flags/shop', { context: {} }, flag);
    expect(answer.status).toBe(401);
  });

  it('is listed as one, and is rejected when it is revoked', async () => {
    const made = await makeKey(server, game.id, { purpose: 'events' });
    const { json } = await server.admin('GET', `${game.path}/keys`);
    const purposes = Object.fromEntries(
      json.keys.map((key: { id: string; purpose: string }) => [key.id, key.purpose]),
    );
    expect(purposes).toMatchObject({ [made.id]: 'events', [game.keyId]: 'game' });
    expectDone(await server.admin('DELETE', `${game.path}/keys/${made.id}`));
    expectRefusal(await report(user(), [metric('a')], {}, made.key), 401, 'invalid_api_key');
  });
});

describe('whether a server takes events', () => {
  it('is said by the last page of a refresh and by a stream', async () => {
    const { text } = await game.refresh({ ids: ['shop'] });
    expect(text).toMatch(/"gone":\[\],"more":false,"takes":\["events"\]\}$/);
    const stream = await streams.open(game, { ids: ['shop'] });
    expect(await stream.next()).toMatchObject({ takes: ['events'] });
  });

  it('is not said by an environment without metrics and experiments, which refuses them for good', async () => {
    const { text } = await plain.refresh({ ids: ['shop'] });
    expect(text).toMatch(/"more":false\}$/);
    const body = { u: user(), events: [metric('a')] };
    const { status, json } = await plain.ask('POST', path, body);
    expect([status, json]).toEqual([
      ...[202, { taken: 0, rejected: [{ eid: 'a', reason: 'not_taken' }] }],
    ]);
    await takeEvents(plain);
    expect((await plain.ask('POST', path, body)).json.taken).toBe(1);
    expect((await plain.refresh({ ids: ['shop'] })).json.takes).toEqual(['events']);
  });

  it('is counted', async () => {
    const { text } = await server.admin('GET', '/metrics');
    expect(text).toMatch(/^loadout_events_taken_total\{.*purpose="game".*\} [1-9]/m);
    expect(text).toMatch(/^loadout_events_refused_total\{.*reason="too_old".*\} [1-9]/m);
    expect(text).toMatch(/^loadout_requests_total\{.*endpoint="events",status="202".*\} [1-9]/m);
  });
});

it('a server that is started with --events-to off takes none, and says so to nobody', async () => {
  const off = await startServer({ flags: ['--events-to', 'off'] });
  const quiet = await makeEnvironment(off);
  await quiet.put('shop', '1');
  const at = `${quiet.path}/metrics/purchases`;
  expectDone(await off.admin('PUT', at, { kind: 'count', event: 'purchase' }));
  expect((await quiet.refresh({ ids: ['shop'] })).json).not.toHaveProperty('takes');
  const { json } = await quiet.ask('POST', path, { u: 'a', events: [metric('a')] });
  expect(json).toEqual({ taken: 0, rejected: [{ eid: 'a', reason: 'not_taken' }] });
  await off.stop();
});

it('SIGTERM loses nothing, and leaves sealed files only', async () => {
  const before = eventLines(server).length;
  const users = Array.from({ length: 300 }, user);
  const answers = await Promise.all(
    users.map((u) => report(u, [metric('a'), metric('b')], {}, eventsKey)),
  );
  expect(answers.every(({ status }) => status === 202)).toBe(true);
  await server.stop();
  expect(openEventFiles(server)).toEqual([]);
  expect(eventLines(server)).toHaveLength(before + 600);
});
