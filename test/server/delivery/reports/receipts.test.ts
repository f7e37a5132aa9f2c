/** Receipts over the wire: which callers are given one, what becomes of it, and which are rejected. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { type Environment, makeEnvironment } from '../../../support/server/environment.js';
import { sharedServer } from '../../../support/server/server.js';
import { OpenStreams } from '../../../support/stream/open-stream.js';
import { expectRefusal } from '../../../support/wire/refusal.js';

const server = sharedServer();
let game: Environment;
let release: number;

const streams = new OpenStreams();
afterAll(() => streams.closeAll());

const path = '/api/v1/receipts';
const users = Array.from({ length: 60 }, (_, at) => `player-${at}`);

/** Users by their slice: a third of them is in, a third is the control, and a third is neither. */
const slices = { candidate: [] as string[], control: [] as string[], none: [] as string[] };

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
async function showRelease(): Promise<any> {
  const answer = await server.admin('GET', `/admin/v1/environments/${game.id}/releases/${release}`);
  return answer.json;
}

async function startRamp(brake: object | null): Promise<number> {
  await game.put('shop', '{"price":2}', { publish: false });
  const at = `/admin/v1/environments/${game.id}/releases`;
  const changes = [{ kind: 'content', id: 'shop' }];
  const steps = [{ percent: 33.3, holdMinutes: 60 }];
  const made = await server.admin('POST', at, { title: 'Prices', changes, steps, brake });
  const started = await server.admin('POST', `${at}/${made.json.release}/start`, {});
  expect(started.status, started.text).toBe(200);
  return made.json.release;
}

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('shop', '{"price":1}');
  await game.put('motd', '"hello"');
  release = await startRamp({ receipts: { minutes: 10 } });
  for (const u of users) {
    const { json } = await game.refresh({ u, ids: ['shop'] });
    const isIn = json.contents.shop.data.price === 2;
    if (json.receipt === undefined) slices.none.push(u);
    else slices[isIn ? 'candidate' : 'control'].push(u);
    if (isIn) expect(json.receipt).toMatch(/^[\w-]+$/);
  }
});

/** A receipt for a user whose start was counted before. */
async function receiptOf(u: string | undefined, more: object = {}): Promise<string> {
  const { json } = await game.refresh({ u, ids: ['shop'], ...more }, '', {
    'x-min-sequence': '1',
  });
  return json.receipt;
}

describe('a refresh', () => {
  it('has a receipt for users of the candidate and of the control, and for no others', () => {
    for (const slice of Object.values(slices)) expect(slice.length).toBeGreaterThan(5);
  });

  it('has it when nothing has changed as well, behind "more"', async () => {
    const u = slices.candidate[0];
    const { json } = await game.refresh({ u });
    const have = Object.fromEntries(
      Object.entries(json.contents as Record<string, { tag: string }>).map(([id, { tag }]) => [
        ...[id, tag],
      ]),
    );
    const { text } = await game.refresh({ u, have });
    expect(text).toMatch(/"contents":\{\},"gone":\[\],"more":false,"receipt":"[\w-]+"\}$/);
  });

  it('has none for what does not ramp, nor for a caller without a user id', async () => {
    const { json } = await game.refresh({ u: slices.candidate[0], ids: ['motd'] });
    expect(json).not.toHaveProperty('receipt');
    expect(await receiptOf('')).toBeUndefined();
    expect(await receiptOf(undefined)).toBeUndefined();
  });

  it('has it on the last page alone', async () => {
    const u = slices.candidate[1];
    const { json } = await game.refresh({ u, bytesMax: 1 });
    expect(json.more).toBe(true);
    expect(json).not.toHaveProperty('receipt');
  });
});

describe('a stream', () => {
  it('has a receipt in its events', async () => {
    const stream = await streams.open(game, { u: slices.candidate[2] });
    expect((await stream.next()).receipt).toMatch(/^[\w-]+$/);
    const other = await streams.open(game, { u: slices.none[0] });
    expect(await other.next()).not.toHaveProperty('receipt');
  });
});

describe('a receipt', () => {
  it('that comes back says how a start went', async () => {
    const [healthy, crashed] = slices.candidate.slice(5);
    for (const [u, ok] of [
      [healthy, true],
      [crashed, false],
    ] as const) {
      const answer = await game.ask('POST', path, { u, receipt: await receiptOf(u), ok });
      expect([answer.status, answer.text]).toEqual([200, '{}']);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const counts = await eventually('both are counted', 20_000, async () => {
      const { counts } = (await showRelease()).ramp;
      return counts.candidate.healthy === 1 && counts.candidate.failed > 0 && counts;
    });
    expect(counts.candidate.users).toBe(slices.candidate.length);
    expect(counts.control.users).toBe(slices.control.length);
  });

  it('is rejected when it is of another user, of another environment, or none', async () => {
    const [u, other] = slices.candidate;
    const receipt = await receiptOf(u);
    const elsewhere = await makeEnvironment(server);
    for (const answer of [
      await game.ask('POST', path, { u: other, receipt, ok: true }),
      await game.ask('POST', path, { u, receipt: `${receipt}A`, ok: true }),
      await game.ask('POST', path, { u, receipt: '', ok: true }),
      await elsewhere.ask('POST', path, { u, receipt, ok: true }),
    ]) {
      expectRefusal(answer, 400, 'invalid_receipt');
    }
  });

  it.each([
    ['without a user', { u: '', receipt: 'r', ok: true }],
    ['with a user that is no text', { u: 5, receipt: 'r', ok: true }],
    ['without a text', { u: 'a', ok: true }],
    ['without a word', { u: 'a', receipt: 'r' }],
    ['with a word that is neither', { u: 'a', receipt: 'r', ok: 'yes' }],
  ])('is rejected %s', async (_, body) => {
    expectRefusal(await game.ask('POST', path, body), 400, 'invalid_body');
  });

  it('is rejected in the order of all requests', async () => {
    const large = { u: 'a'.repeat(70_000), receipt: 'r', ok: true };
    expectRefusal(await game.ask('POST', path, large), 413, 'body_too_large');
    expectRefusal(
      await game.ask('POST', path, '{}', { 'content-type': 'text/plain' }),
      400,
      'invalid_content_type',
    );
    expectRefusal(
      await game.ask('POST', path, large, { 'x-api-key': 'unknown' }),
      401,
      'invalid_api_key',
    );
    const get = await game.ask('GET', path);
    expectRefusal(get, 405, 'method_not_allowed');
    expect(get.headers.allow).toBe('POST, OPTIONS');
  });

  it('of a ramp that is over is taken, and not counted', async () => {
    const u = slices.candidate[8];
    const receipt = await receiptOf(u);
    const at = `/admin/v1/environments/${game.id}/releases/${release}/stop`;
    expect((await server.admin('POST', at, { reason: 'Over.' })).status).toBe(200);
    expect((await game.ask('POST', path, { u, receipt, ok: true })).status).toBe(200);
    expect(await receiptOf(u)).toBeUndefined();
  });
});

it('a ramp without receipts in its brake gives none', async () => {
  release = await startRamp(null);
  const all = await Promise.all(users.map((u) => receiptOf(u)));
  expect(new Set(all)).toEqual(new Set([undefined]));
});

it('an address that sends too many receipts gets 429, and in Retry-After the seconds to wait', async () => {
  const body = { u: 'a', receipt: 'r', ok: true };
  // A second's worth more than each delivery process of the shared server takes at once.
  const answers = await Promise.all(
    Array.from({ length: 1_500 }, () => game.ask('POST', path, body)),
  );
  const rejected = answers.filter(({ status }) => status === 429);
  expect(rejected.length).toBeGreaterThan(0);
  for (const answer of rejected) {
    expectRefusal(answer, 429, 'rate_limited');
    expect(answer.headers['retry-after']).toMatch(/^[1-4]$/);
  }
});
