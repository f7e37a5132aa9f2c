/** Goal: each fault is what clients/conformance/README.md says. Method: a server of known bytes behind the proxy. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Fault } from '../../clients/conformance/fault.js';
import { FaultProxy } from '../../clients/conformance/fault-proxy.js';
import { deferred } from '../support/wire/exchange.js';

const page =
  '{"store":"k3x9","sequence":9,"changesAt":null,"contents":{"shop":{"data":{"price":5}}}}';
const date = 'Tue, 24 Nov 2026 12:00:00 GMT';
let server: Server;
let proxy: FaultProxy;
/** Of the last request that the server got. */
let headers: IncomingHttpHeaders = {};

beforeAll(async () => {
  server = createServer((incoming, response) => {
    headers = incoming.headers;
    const isCoded = headers['accept-encoding']?.includes('gzip') === true;
    const body = isCoded ? gzipSync(page) : Buffer.from(page);
    const coding = isCoded ? { 'content-encoding': 'gzip' } : {};
    const isStream = incoming.url === '/api/v1/stream';
    response.writeHead(200, {
      ...{ date, 'content-type': isStream ? 'text/event-stream' : 'application/json', ...coding },
      ...(isStream ? {} : { 'content-length': body.length }),
    });
    if (isStream) response.write(`event: refresh\ndata: ${page}\n\n`);
    else response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await FaultProxy.start(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(() => proxy.clear());
afterAll(() => {
  proxy.close();
  server.close();
  server.closeAllConnections();
});

const plain = { 'accept-encoding': 'identity' };
const ask = (path = 'refresh', more: Readonly<Record<string, string>> = plain): Promise<Response> =>
  fetch(`${proxy.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': 'k', 'content-type': 'application/json', ...more },
    body: '{"u":"ada"}',
  });
const text = async (): Promise<string> => (await ask()).text();
const add = (fault: Record<string, unknown> & { readonly kind: Fault['kind'] }): void =>
  proxy.faults.add({ on: 'refresh', after: 0, ...fault } as Fault);

it('without a fault everything passes, in the coding of the server', async () => {
  const response = await ask('refresh', { 'accept-encoding': 'gzip' });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.text()).toBe(page);
  expect(proxy.seen.at(-1)).toMatchObject({ on: 'refresh', body: { u: 'ada' }, fault: null });
});

it('refuse resets the connection', async () => {
  add({ kind: 'refuse' });
  await expect(ask()).rejects.toThrow('fetch failed');
});

it('cut resets after so many bytes, and truncate ends there as if complete', async () => {
  add({ kind: 'cut', bytes: 20, count: 1 });
  add({ kind: 'truncate', bytes: 20 });
  await expect(text()).rejects.toThrow('terminated');
  expect(await text()).toBe(page.slice(0, 20));
});

it('stall sends so many bytes and no more', async () => {
  add({ kind: 'stall', bytes: 20 });
  const reader = (await ask()).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(page.slice(0, 20));
  const late = await Promise.race([reader?.read(), ask('receipts')]);
  expect(late).toBeInstanceOf(Response);
  await reader?.cancel();
});

it('hold keeps a response back until release', async () => {
  add({ kind: 'hold' });
  const held = deferred<string>();
  void text().then(held.resolve, held.reject);
  expect(await Promise.race([held.promise, ask('receipts')])).toBeInstanceOf(Response);
  proxy.release();
  expect(await held.promise).toBe(page);
  expect(await text()).toBe(page);
});

it('slow sends the same bytes', async () => {
  add({ kind: 'slow', bytes: 3 });
  expect(await text()).toBe(page);
});

it('corrupt changes one byte, by its place or its text, and asks for no coding', async () => {
  add({ kind: 'corrupt', at: 2, count: 1 });
  add({ kind: 'corrupt', at: '5}' });
  expect(await text()).toBe(page.replace('store', 'rtore'));
  expect(await (await ask('refresh', { 'accept-encoding': 'gzip' })).text()).toBe(
    page.replace('5}', '4}'),
  );
  expect(headers['accept-encoding']).toBeUndefined();
});

it('status responds in the place of the server, with the form of data that was asked for', async () => {
  const body = '{"data":{"price":7},"hash":"0"}';
  add({ kind: 'status', status: 200, headers: { 'retry-after': '5' }, body, padTo: 9 });
  const response = await ask();
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.text()).toBe(`${body}         `);
  const serialized = await ask('refresh?responseType=serialized');
  expect(await serialized.json()).toEqual({ data: '{"price":7}', hash: '0' });
});

it('header replaces and removes headers, and clock moves Date', async () => {
  add({ kind: 'header', headers: { 'content-type': 'text/html', date: null }, count: 1 });
  add({ kind: 'clock', ms: 3_600_000 });
  const replaced = await ask();
  expect(replaced.headers.get('content-type')).toBe('text/html');
  expect(replaced.headers.get('date')).not.toBe(date);
  expect((await ask()).headers.get('date')).toBe('Tue, 24 Nov 2026 13:00:00 GMT');
});

it('a fault spares the first requests, and hits as many as it should', async () => {
  add({ kind: 'status', status: 500, headers: {}, after: 1, count: 1 });
  const statuses = [await ask(), await ask(), await ask()].map(({ status }) => status);
  expect(statuses).toEqual([200, 500, 200]);
});

it('inject adds members to responses and events, and replaces those of the server', async () => {
  proxy.inject({ on: 'any', members: { receipt: 'r1', store: 'other', sequence: 1 } });
  const made = { receipt: 'r1', ...JSON.parse(page), store: 'other', sequence: 1 };
  expect(JSON.parse(await text())).toEqual(made);
  const reader = (await ask('stream')).body?.getReader();
  const event = Buffer.from((await reader?.read())?.value ?? []).toString();
  expect(event).toMatch(/^event: refresh\ndata: .*\n\n$/);
  expect(JSON.parse(event.slice(event.indexOf('{')))).toEqual(made);
  await reader?.cancel();
});

it('cutStreams resets open streams', async () => {
  // Node's fetch takes a reset for the end, where the connection is to be closed after the response.
  const outgoing = request(`${proxy.url}/api/v1/stream`, { method: 'POST' }).end('{}');
  outgoing.on('error', () => undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  await once(response, 'data');
  proxy.cutStreams();
  const [fault] = (await once(response, 'error')) as [NodeJS.ErrnoException];
  expect(fault.code).toBe('ECONNRESET');
});

it('a stream gets the text of a scenario between those of the server', async () => {
  const reader = (await ask('stream')).body?.getReader();
  await reader?.read();
  proxy.sendToStreams(': hello\n\n');
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(': hello\n\n');
  await reader?.cancel();
});

it('an address elsewhere is seen as such', async () => {
  await fetch(proxy.elsewhere, { method: 'POST', body: '' });
  expect(proxy.seen.at(-1)).toMatchObject({ on: 'elsewhere', path: '/elsewhere' });
});
