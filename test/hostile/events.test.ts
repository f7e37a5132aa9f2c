/**
 * Events from whoever has the key of a game: any JSON, clocks that are years off, replays, floods.
 * Method: a real server; what it responds, and every line that is then on its disk.
 */
import {
  anything,
  array,
  assert,
  asyncProperty,
  constantFrom,
  double,
  integer,
  oneof,
  option,
  record,
  string,
} from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  eventAgeMsMax,
  eventIdCharsMax,
  eventNameCharsMax,
  eventUserCharsMax,
  eventValueMax,
} from '../../src/delivery/limits.js';
import {
  type Environment,
  expectDone,
  makeEnvironment,
  makeKey,
} from '../support/server/environment.js';
import { eventLines, keepEventFiles, linesOfUser } from '../support/server/event-files.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import type { Answer } from '../support/wire/exchange.js';

const path = '/api/v1/events';
let server: LoadoutServer;
let game: Environment;
/** Without a limit for its network: all that a test sends comes from one address. */
let eventsKey: string;

beforeAll(async () => {
  server = await startServer({
    listeners: 1,
    flags: [...keepEventFiles, '--event-attributes', 'country,level'],
  });
  game = await makeEnvironment(server);
  await game.put('shop', '1');
  const metric = { kind: 'count', event: 'purchase' };
  expectDone(await server.admin('PUT', `${game.path}/metrics/purchases`, metric));
  eventsKey = (await makeKey(server, game.id, { purpose: 'events' })).key;
});
afterAll(() => server.stop());

const report = (body: string | object): Promise<Answer> =>
  game.ask('POST', path, body as string, { 'x-api-key': eventsKey });

const now = () => new Date().toISOString();
const metric = (more: object = {}) => ({ t: 'metric', n: 'a', x: 1, at: now(), eid: 'e', ...more });

/** Whole lines, each with members of the right types and sizes. */
function expectSoundLines(): void {
  for (const { r, env, u, k, e, p, ...rest } of eventLines(server)) {
    expect(rest).toEqual({});
    expect(env).toBe(game.id);
    expect([0, 1]).toContain(k);
    expect(u.length).toBeGreaterThan(0);
    expect(u.length).toBeLessThanOrEqual(eventUserCharsMax);
    expect(e.eid.length).toBeLessThanOrEqual(eventIdCharsMax);
    expect(e.at).toBeLessThanOrEqual(r);
    expect(e.at).toBeGreaterThanOrEqual(r - eventAgeMsMax);
    expect(Object.keys(p ?? {}).every((name) => ['country', 'level'].includes(name))).toBe(true);
    if (e.t === 'metric') {
      expect(Math.abs(e.x)).toBeLessThanOrEqual(eventValueMax);
      expect(e.n.length).toBeLessThanOrEqual(eventNameCharsMax);
    } else {
      expect(e.seg.length).toBeGreaterThan(0);
    }
  }
}

const anyText = oneof(string({ unit: 'binary', maxLength: 80 }), string({ maxLength: 300 }));
const anyTime = oneof(
  integer({ min: -40_000, max: 40_000 }).map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  ),
  anyText,
);
const nearlyEvent = record(
  {
    t: oneof(constantFrom('metric', 'exposure'), anything()),
    n: oneof(anyText, anything()),
    x: oneof(double(), integer(), anything()),
    id: oneof(constantFrom('shop', '__proto__', '..'), anyText),
    tag: option(anyText),
    seg: oneof(array(record({ n: anyText, v: option(anyText), i: anyText })), anything()),
    at: oneof(
      { weight: 3, arbitrary: constantFrom(new Date().toISOString()) },
      { weight: 1, arbitrary: anyTime },
    ),
    eid: oneof(anyText, anything()),
  },
  { requiredKeys: [] },
);
const anyEvents = array(oneof(nearlyEvent, anything()), { maxLength: 20 });

it('takes or refuses each event of whatever JSON there is, and writes nothing but events', async () => {
  await assert(
    asyncProperty(anyText, anyEvents, anything(), async (u, events, p) => {
      const body = JSON.stringify({ u, events, p: { country: p, level: p, other: p } });
      const { status, json, text } = await report(body);
      expect(status, text).toBe(202);
      expect(json.taken + json.rejected.length).toBe(JSON.parse(body).events.length);
    }),
    { numRuns: 400 },
  );
  expectSoundLines();
});

it('takes no number that JSON has and a double has not, and no clock that is years off', async () => {
  const at = now();
  const numbers = ['1e400', '-1e400', '1e13', '"NaN"', 'null', '[1]', '1e12', '-0.0', '5e-324'];
  const events = numbers.map((x, n) => `{"t":"metric","n":"a","x":${x},"at":"${at}","eid":"${n}"}`);
  const { json } = await report(`{"u":"numbers","events":[${events}]}`);
  expect(json.taken).toBe(3);
  const years = [
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '2099-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
  ];
  const off = await report({ u: 'clocks', events: years.map((each) => metric({ at: each })) });
  expect(off.json.rejected.map(({ reason }: { reason: string }) => reason)).toEqual([
    ...['too_old', 'too_old', 'in_future', 'in_future'],
  ]);
  await linesOfUser(server, 'numbers', 3);
  expectSoundLines();
});

it('writes no more than a small multiple of what it is sent', async () => {
  const u = 'u'.repeat(eventUserCharsMax);
  const p = { country: 'c'.repeat(400), level: 'l'.repeat(400) };
  const events: object[] = [];
  const body = () => JSON.stringify({ u, p, events });
  while (body().length < 65_000) events.push(metric());
  const before = JSON.stringify(eventLines(server)).length;
  expect((await report(body())).json.taken).toBe(events.length);
  await linesOfUser(server, u, events.length);
  expect(JSON.stringify(eventLines(server)).length - before).toBeLessThan(16 * 65_000);
});

it('takes replays of a request as they come, and the flood of one user until it has had enough', async () => {
  const events = Array.from({ length: 500 }, (_, n) => metric({ eid: `${n}` }));
  const statuses: number[] = [];
  for (let sent = 0; sent < 8; sent += 1) {
    const { status } = await game.ask('POST', path, { u: 'flood', events });
    statuses.push(status);
  }
  expect(statuses.slice(0, 4)).toEqual([202, 202, 202, 202]);
  expect(statuses.slice(4)).toEqual([429, 429, 429, 429]);
  expect((await game.ask('POST', path, { u: 'another', events: [metric()] })).status).toBe(202);
});

it('takes what metrics count, however many names clients have made up before', async () => {
  for (let from = 0; from < 6_000; from += 500) {
    const events = Array.from({ length: 500 }, (_, n) => metric({ n: `name-${from + n}` }));
    await report({ u: `names-${from}`, events });
  }
  // By now the process has met more names than it remembers.
  const events = [metric({ n: 'purchase' }), metric({ n: 'new one', eid: 'made up' })];
  expect((await report({ u: 'late', events })).json).toEqual({
    taken: 1,
    rejected: [{ eid: 'made up', reason: 'names_too_many' }],
  });
});
