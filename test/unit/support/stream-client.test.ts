/** That the client of streams keeps, comes back and complains as it says; the server is a script over a real socket. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import {
  StreamClient,
  type StreamClientOptions,
  type Wake,
} from '../../support/stream/stream-client.js';

interface Request {
  readonly body: Readonly<Record<string, unknown>>;
  readonly response: ServerResponse;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that hands its requests out one by one, and a client of it. */
async function connected(more: Partial<StreamClientOptions> = {}): Promise<{
  next: () => Promise<Request>;
  client: StreamClient;
  wakes: Wake[];
}> {
  const requests: Request[] = [];
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      requests.push({ body: JSON.parse(Buffer.concat(pieces).toString()), response });
      server.emit('asked');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const wakes: Wake[] = [];
  const options = {
    origin: () => `http://127.0.0.1:${port}`,
    ...{ key: 'key', context: { u: 'a' }, random: () => 0, ...more },
  };
  const client = new StreamClient(options, (wake) => wakes.push(wake));
  closing.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  client.open();
  const next = async (): Promise<Request> => {
    if (requests.length === 0) await once(server, 'asked');
    return requests.shift() as Request;
  };
  return { next, client, wakes };
}

function begin(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, {
    ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    ...{ 'x-accel-buffering': 'no', ...headers },
  });
}

function entry(n: number): Record<string, unknown> {
  const data = { n };
  const crc = crc32(JSON.stringify(data)).toString(16).padStart(8, '0');
  const tag = `tag-${n}`;
  return { data, hash: '0123456789abcdef', meta: { uid: 1, mod: 1, seg: [] }, tag, crc };
}

interface Told {
  readonly contents?: Readonly<Record<string, unknown>>;
  readonly gone?: readonly string[];
  readonly more?: boolean;
}

function event(sequence: number, told: Told, id = sequence): string {
  const { contents = {}, gone = [], more = false } = told;
  const state = { store: 's', sequence, changesAt: null, contents, gone, more };
  return `event: refresh\nid: ${id}\ndata: ${JSON.stringify(state)}\n\n`;
}

it('holds what all pages brought, and comes back with their tags after the delay it was given', async () => {
  const { next, client, wakes } = await connected();
  const first = await next();
  expect(first.body).toEqual({ u: 'a', have: {} });
  begin(first.response);
  first.response.write(event(3, { contents: { a: entry(1), b: entry(2) }, more: true }));
  first.response.write(event(4, { contents: { c: entry(3) } }));
  await client.reached(4);
  expect(wakes).toEqual([
    { isFirst: true, sequence: 4, changed: ['a', 'b', 'c'], gone: [], at: null },
  ]);
  first.response.write(event(5, { contents: { a: entry(4) }, gone: ['b'], more: true }));
  first.response.write(event(5, { contents: { d: entry(5) }, gone: ['b'] }));
  await client.reached(5);
  expect(wakes[1]).toMatchObject({ isFirst: false, changed: ['a', 'd'], gone: ['b'] });
  first.response.end('retry: 1\n\n');

  const second = await next();
  expect(client.isUp).toBe(false);
  expect(second.body['have']).toEqual({ a: 'tag-4', c: 'tag-3', d: 'tag-5' });
  begin(second.response);
  second.response.write(event(5, {}));
  await client.until(() => client.isUp);
  expect(client.connections).toBe(2);
  expect(client.violations).toEqual([]);
  const single = (n: number): string => {
    const { tag, crc, ...wrapped } = entry(n);
    return JSON.stringify(wrapped);
  };
  const differences: string[] = [];
  const singles = new Map([
    ['a', single(4)],
    ['c', single(3)],
    ['d', single(4)],
  ]);
  client.held.compare(singles, (what) => differences.push(what));
  expect(differences).toEqual([expect.stringContaining('holds {"data":{"n":5}')]);
});

it('waits as a refusal says, comes back after a cut, and ends with a rejected key', async () => {
  const { next, client } = await connected();
  (await next()).response.writeHead(429, { 'retry-after': '0' }).end();
  const cut = await next();
  begin(cut.response);
  cut.response.write(event(1, {}));
  await client.reached(1);
  cut.response.destroy();
  (await next()).response.writeHead(401).end();
  await expect(client.reached(2)).rejects.toThrow('the stream was rejected before');
  expect(client.violations).toEqual([]);
});

it('complains of what no client may see', async () => {
  const { next, client } = await connected({ ids: ['a', 'not-there'] });
  (await next()).response.writeHead(429).end();
  const { response } = await next();
  begin(response, { 'cache-control': 'no-store' });
  response.write(event(5, { contents: { a: entry(1) }, gone: ['not-there'] }));
  response.write(event(6, {}));
  response.write(event(7, { contents: { a: entry(1) } }));
  response.write(event(6, { contents: { a: { ...entry(2), crc: '00000000' } } }, 9));
  response.write(event(8, { gone: ['b'] }));
  response.write('event: other\ndata: 1\n\nfoo: bar\n');
  response.write(event(9, { contents: { a: entry(3) } }));
  await client.reached(9);
  expect(client.violations.map((each) => each.replace('{"u":"a"}: ', ''))).toEqual([
    '429 without Retry-After',
    'cache-control is no-store',
    'was woken for nothing at 6',
    'a was sent, and held with this very tag',
    'a was sent again as it was: {"n":1}',
    'the crc of a is not that of {"n":2}',
    'sequence 6 has id 9',
    'sequence 6 after 7',
    'b is gone, and was not held',
    'sent an event of type other',
    'sent the line "foo: bar"',
  ]);
});

it('is told ids only where it asked for notes', async () => {
  const { next, client, wakes } = await connected({ mode: 'notify' });
  const { body, response } = await next();
  expect(body['mode']).toBe('notify');
  begin(response);
  response.write('event: refresh\nid: 2\ndata: {"ids":["a"],"sequence":2}\n\n');
  await client.reached(2);
  expect(wakes).toEqual([{ isFirst: true, sequence: 2, changed: ['a'], gone: [], at: null }]);
  expect(client.violations).toEqual([]);
});
