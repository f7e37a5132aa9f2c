/** A stream to the byte: its head, its events beside what a refresh says to the same body, and what is refused. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type Environment, makeEnvironment } from '../../support/server/environment.js';
import { sharedServer } from '../../support/server/server.js';
import { type OpenStream, OpenStreams } from '../../support/stream/open-stream.js';
import { Answer } from '../../support/wire/exchange.js';
import { chunked, head, openConnection } from '../../support/wire/raw-connection.js';
import { expectRefusal } from '../../support/wire/refusal.js';

const server = sharedServer();
const streams = new OpenStreams();
let game: Environment;

beforeAll(async () => {
  game = await makeEnvironment(server);
  await game.put('Shop', '{"price":1.10, "text":"a\\nb \\u2028", "big": 9007199254740993}', {
    mapping: [{ segment: 'us', when: { c: 'US' }, info: 'i\n', merge: { price: 2 } }],
  });
  await game.put('levels', JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id }))));
  await game.put('old', '1', { appVersion: '1.0.0' });
});
afterEach(() => streams.closeAll());

/** The response to a stream that is refused. */
async function refusal(stream: OpenStream): Promise<Answer> {
  return new Answer(stream.status, stream.headers, Buffer.from(await stream.text()));
}

/** What is gone has no order. */
function goneSorted(text: string): string {
  return text.replace(/"gone":(\[.*?\])/, (_all, gone) =>
    JSON.stringify([...JSON.parse(gone)].sort()),
  );
}

describe('the head', () => {
  it('says what proxies must know, and that nothing is compressed', async () => {
    const stream = await streams.first(
      game,
      {},
      { headers: { 'accept-encoding': 'gzip, br', origin: 'https://game.test' } },
    );
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'transfer-encoding': 'chunked',
    });
    expect(stream.headers).not.toHaveProperty('content-encoding');
    expect(stream.headers).not.toHaveProperty('content-length');
    const refresh = await game.refresh({}, '', {
      origin: 'https://game.test',
      'x-min-sequence': '1',
    });
    for (const name of ['vary', 'access-control-allow-origin', 'access-control-expose-headers']) {
      expect([name, stream.headers[name]]).toEqual([name, refresh.headers[name]]);
    }
    const exposed = 'Date, ETag, Retry-After, X-Sequence';
    expect(stream.headers['access-control-expose-headers']).toBe(exposed);
    const plain = await game.refresh({}, '', { origin: 'https://game.test' });
    expect(plain.headers['access-control-expose-headers']).toBe(exposed);
    expect(stream.ignored).toEqual([]);
  });

  it('has X-Sequence where X-Min-Sequence asks, and waits for it', async () => {
    const { sequence } = await game.put('levels', '[1]');
    const headers = { 'x-min-sequence': String(sequence) };
    const stream = await streams.first(game, {}, { headers });
    expect(Number(stream.headers['x-sequence'])).toBeGreaterThanOrEqual(sequence);
    expect(stream.headers['x-sequence']).toBe(stream.events[0]?.lastEventId);
    const late = await streams.open(game, {}, { headers: { 'x-min-sequence': '999999999' } });
    expectRefusal(await refusal(late), 503, 'sequence_not_reached');
  });
});

describe('the first event', () => {
  const bodies: readonly Body[] = [
    {},
    { u: 'a', p: { c: 'US' } },
    { v: '0.1.0', ids: ['old', 'SHOP', 'nope', ''] },
    { have: { Shop: 'x', gone: 'y', LEVELS: '' }, ids: [] },
    { ids: [] },
    { p: { c: 'US' }, bytesMax: 1, ids: ['levels'] },
    { at: '2020-01-01T00:00:00Z' },
  ];
  it.each(bodies)('is what a refresh says to %j', async (body) => {
    for (const query of ['', '?responseType=serialized']) {
      const stream = await streams.first(game, body, { query });
      const { text, json } = await game.refresh(body, query);
      const event = `event: refresh\nid: ${json.sequence}\ndata: ${text}\n\n`;
      expect(goneSorted(stream.bytes.toString())).toBe(goneSorted(event));
      stream.close();
    }
  });

  it('has at most bytesMax, and the next ones follow at once until nothing is left', async () => {
    const many = await makeEnvironment(server);
    for (let at = 0; at < 9; at += 1) await many.put(`item-${at}`, `"${'x'.repeat(900)}"`);
    const stream = await streams.open(many, { bytesMax: 3_000, ids: undefined, have: { no: 'x' } });
    const pages = [];
    do pages.push(await stream.next());
    while (pages.at(-1).more);
    expect(pages.map(({ contents }) => Object.keys(contents).length)).toEqual([2, 2, 2, 2, 1]);
    expect(new Set(pages.flatMap(({ contents }) => Object.keys(contents))).size).toBe(9);
    expect(pages.map(({ gone }) => gone)).toEqual(pages.map(() => ['no']));
    await many.put('item-0', '"new"');
    expect(Object.keys((await stream.next()).contents)).toEqual(['item-0']);
  });

  it('of the mode notify names what differs, with sequence and nothing else', async () => {
    const held = (await game.refresh({ ids: ['Shop'] })).json.contents.Shop.tag;
    const body = { mode: 'notify', have: { Shop: held, nope: 'x' } };
    const stream = await streams.first(game, body);
    const { lastEventId } = stream.events[0] as { lastEventId: string };
    expect(stream.bytes.toString()).toBe(
      `event: refresh\nid: ${lastEventId}\ndata: {"ids":["levels","old","nope"],"sequence":${lastEventId}}\n\n`,
    );
    const { sequence } = await game.put('levels', '[2]');
    expect(await stream.next()).toEqual({ ids: ['levels'], sequence });
  });
});

describe('a request may come', () => {
  const key = () => ['X-Api-Key', game.key] as const;
  const type = ['Content-Type', 'application/json'] as const;

  async function firstBytes(bytes: readonly (string | Uint8Array)[]): Promise<string> {
    const connection = await openConnection(server.deliveryPort);
    for (const piece of bytes) {
      await connection.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const text = await connection.until('\n\n');
    connection.close();
    return text;
  }

  it('byte by byte, and chunked', async () => {
    const body = Buffer.from('{"ids":["old"]}');
    const whole = Buffer.concat([
      Buffer.from(
        head('POST', '/api/v1/stream', [key(), type, ['Content-Length', String(body.length)]]),
      ),
      body,
    ]);
    const pieces = Array.from(whole, (_, at) => whole.subarray(at, at + 1));
    expect(await firstBytes(pieces)).toContain('"contents":{"old":');
    const chunkedHead = head('POST', '/api/v1/stream', [
      key(),
      type,
      ['Transfer-Encoding', 'chunked'],
    ]);
    expect(await firstBytes([chunkedHead, chunked(body, 4)])).toContain('"contents":{"old":');
  });
});

describe('a stream is refused', () => {
  const cases: readonly (readonly [string, Body])[] = [
    ['have that is no object', { have: [] }],
    ['a tag that is no text', { have: { shop: 1 } }],
    ['ids that are no list', { ids: 'shop' }],
    ['an id that is no text', { ids: ['shop', null] }],
    ['bytesMax of 0', { bytesMax: 0 }],
    ['an id in two spellings', { ids: ['shop', 'Shop'] }],
    ['an id in two spellings in have', { have: { shop: '', SHOP: '' } }],
    ['mode that is no mode', { mode: 'Notify' }],
    ['mode that is a number', { mode: 1 }],
    ['mode of a prototype', { mode: 'constructor' }],
    ['at that is no date-time', { at: 'tomorrow' }],
    ['at that is a number', { at: 1 }],
    ['at without a zone', { at: '2026-01-01T00:00:00' }],
    ['at of a day that is none', { at: '2026-02-30T00:00:00Z' }],
    ['u that is no text', { u: {} }],
    ['p that is a list', { p: [] }],
    ['p that is null', { p: null }],
    ['v that is no version', { v: 'x' }],
    ['a body that is a list', '[]'],
    ['no JSON', '{'],
    ['no body', ''],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['10,001 entries', { ids: Array.from({ length: 10_001 }, (_, at) => `i${at}`) }],
  ];
  it.each(cases)('for %s', async (_name, body) => {
    expectRefusal(await refusal(await streams.open(game, body)), 400, 'invalid_body');
  });

  it('for its query, its sequence, its type, its key and its method', async () => {
    const refused = async (
      body: Body,
      options: Parameters<OpenStreams['open']>[2],
      status: number,
      code: string,
    ) => expectRefusal(await refusal(await streams.open(game, body, options)), status, code);
    await refused({}, { query: '?responseType=json' }, 400, 'invalid_query');
    await refused({}, { headers: { 'x-min-sequence': '-' } }, 400, 'invalid_sequence');
    await refused({}, { headers: { 'content-type': 'text/plain' } }, 400, 'invalid_content_type');
    await refused({}, { headers: { 'x-api-key': 'no' } }, 401, 'invalid_api_key');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const wrong = await game.ask(method, '/api/v1/stream');
      expectRefusal(wrong, 405, 'method_not_allowed');
      expect(wrong.headers['allow']).toBe('POST, OPTIONS');
    }
  });

  it('for a body above 1 MiB, and for attributes above --body-bytes-max or too deep to keep', async () => {
    const refused = async (body: Body) =>
      expectRefusal(await refusal(await streams.open(game, body)), 413, 'body_too_large');
    await refused({ have: { x: 'x'.repeat(1024 * 1024) } });
    await refused({ u: 'x'.repeat(64 * 1024) });
    await refused({ p: { a: 'x'.repeat(64 * 1024) } });
    await refused(`{"p":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`);
  });

  it('not for a body at the limit, nor for 10,000 entries, nor for attributes of any kind', async () => {
    const filler = (bytes: number) => `{"have":{"x":"${'x'.repeat(bytes)}"},"ids":[]}`;
    const atLimit = filler(1024 * 1024 - filler(0).length);
    expect((await streams.first(game, atLimit)).events[0]?.data).toContain('"gone":["x"]');
    const have = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`i${at}`, '']));
    const wide = await streams.open(game, { have, ids: [] });
    expect((await wide.next()).gone.length).toBe(10_000);
    const p = `{"p":{"__proto__":{"c":"US"},"a":[1e400,-0,null,true,"\\ud800",{"":{}}]},"ids":["Shop"]}`;
    const stream = await streams.open(game, p);
    expect((await stream.next()).contents.Shop.data.price).toBe(1.1);
    const deep = `{"p":{"a":${'['.repeat(500)}${']'.repeat(500)}},"ids":[]}`;
    expect((await streams.first(game, deep)).status).toBe(200);
  });
});
