/**
 * Requests of every kind that the delivery port knows, as the bytes of the wire: each endpoint, query form, framing and
 * refusal. For tests that cut them into pieces.
 */
import type { Environment } from '../server/environment.js';

export interface RequestKind {
  readonly name: string;
  readonly bytes: Buffer;
}

type Header = readonly [name: string, value: string];

interface Wish {
  readonly method?: string;
  readonly path: string;
  readonly body?: string | Buffer;
  /** Beside Host, X-Api-Key, Content-Type and Content-Length; in the place of one of the same name. */
  readonly headers?: readonly Header[];
  readonly without?: readonly string[];
}

/** What the kinds ask for; the server under test must have it. */
export async function putContents(game: Environment): Promise<void> {
  const mapping = [
    { segment: 'rich', when: { level: { $gte: 10 } }, merge: { price: 2 } },
    { segment: 'test', when: {}, variants: [{ name: 'all', groups: [0, 999], merge: { t: 1 } }] },
  ];
  await game.put('shop', '{"price":1,"name":"Żółć"}', { mapping });
  await game.put('large', JSON.stringify({ filler: 'loadout '.repeat(400) }));
}

const context = JSON.stringify({ u: 'player-1', p: { level: 12, name: '日本' }, v: '1.2.3' });

/** @param etag of the catalog */
export function requestKinds(game: Environment, etag: string): RequestKind[] {
  const make = (name: string, wish: Wish): RequestKind => ({ name, bytes: bytesOf(game, wish) });
  const post = (path: string, more: Omit<Wish, 'path'> = {}): Wish => ({
    path,
    body: context,
    ...more,
  });
  const get = (path: string, headers: readonly Header[] = []): Wish => ({
    method: 'GET',
    path,
    headers,
  });
  const wrapped = '/api/v1/config/shop/dynamic';
  const plain = '/api/v1/config/shop';
  const ids = encodeURIComponent('["shop","large"]');
  const many = `/api/v1/combine/?c=${ids}`;
  const pair = (name: string, first: Wish, second: Wish): RequestKind => ({
    name,
    bytes: Buffer.concat([bytesOf(game, first), bytesOf(game, second)]),
  });
  return [
    make('wrapped', post(wrapped)),
    make('wrapped, serialized', post(`${wrapped}?responseType=serialized`)),
    make('plain', post(plain)),
    make('plain, id percent-encoded', post('/api/v1/config/%73hop')),
    make('combine, ids percent-encoded', post(many)),
    make('combine, dynamic', post(`${many}&dynamic=true`)),
    make('combine, raw brackets', post('/api/v1/combine?c=["shop","nope"]')),
    make('refresh', post('/api/v1/refresh', { body: '{"have":{"shop":"x","old":"y"}}' })),
    make('refresh, serialized', post('/api/v1/refresh?responseType=serialized')),
    make('combine, ids in the body', post('/api/v1/combine', { body: '{"c":["shop"]}' })),
    make('catalog', get('/api/v1/env/catalog')),
    make('catalog, If-None-Match', get('/api/v1/env/catalog', [['If-None-Match', etag]])),
    make('healthz', { ...get('/healthz'), without: ['X-Api-Key', 'Content-Type'] }),
    make('gzip accepted', post('/api/v1/config/large', { headers: [['Accept-Encoding', 'gzip']] })),
    make('X-Min-Sequence', post(wrapped, { headers: [['X-Min-Sequence', '1']] })),
    make('odd header case', post(plain, { headers: oddHeaders(game) })),
    make('odd order, space around values', {
      ...post(plain, { without: ['Content-Type', 'X-Api-Key'] }),
      headers: [
        ['Accept', '*/*'],
        ['Content-Type', '  application/json ; charset=utf-8  '],
        ['X-Api-Key', `\t${game.key} `],
      ],
    }),
    make('chunked', post(wrapped, chunkedIn(7))),
    make('chunked, one chunk', post(wrapped, chunkedIn(10_000))),
    make('Expect: 100-continue', post(wrapped, { headers: [['Expect', '100-continue']] })),
    make('HEAD', { ...get('/api/v1/env/catalog'), method: 'HEAD' }),
    make('OPTIONS, preflight', {
      method: 'OPTIONS',
      path: plain,
      headers: [
        ['Origin', 'https://game.example'],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'x-api-key,content-type'],
      ],
      without: ['X-Api-Key', 'Content-Type'],
    }),
    make('with an origin', post(plain, { headers: [['Origin', 'https://game.example']] })),
    make('400 content type', post(plain, { headers: [['Content-Type', 'text/plain']] })),
    make('400 body', post(plain, { body: '{"u":' })),
    make('400 query', post(`${wrapped}?responseType=no`)),
    make('401', post(plain, { headers: [['X-Api-Key', 'no-such-key']] })),
    make('404 content', post('/api/v1/config/nope')),
    make('404 path', post('/api/v2/nothing')),
    make('405', { ...post(plain), method: 'PUT' }),
    make('413', post(plain, { body: 'x'.repeat(70_000) })),
    make('empty body, Content-Length 0', post(plain, { body: '' })),
    make('no body, no length', { method: 'POST', path: plain }),
    make('long URL', post(`${wrapped}?padding=${'x'.repeat(2_000)}`)),
    make('many headers', post(plain, { headers: manyHeaders() })),
    make('Connection: close', post(plain, { headers: [['Connection', 'close']] })),
    make('Connection: keep-alive', post(plain, { headers: [['Connection', 'keep-alive']] })),
    pair('pipelined: POST, POST', post(wrapped), post('/api/v1/config/nope')),
    pair('pipelined: GET, POST', get('/api/v1/env/catalog'), post(plain)),
    pair('pipelined: chunked, GET', post(wrapped, chunkedIn(50)), get('/api/v1/env/catalog')),
    pair('pipelined: 401, POST', post(plain, { headers: [['X-Api-Key', 'no']] }), post(plain)),
  ];
}

function bytesOf(game: Environment, wish: Wish): Buffer {
  const { method = 'POST', path, body, headers = [], without = [] } = wish;
  const isFramed = headers.some(([name]) => name === 'Transfer-Encoding');
  const usual: Header[] = [
    ['Host', '127.0.0.1'],
    ['X-Api-Key', game.key],
    ['Content-Type', 'application/json'],
    ...(body === undefined || isFramed
      ? []
      : [['Content-Length', String(Buffer.byteLength(body))] as const]),
  ];
  const replaced = new Set([...headers.map(([name]) => name.toLowerCase()), ...without.map(lower)]);
  const all = [...usual.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n`);
  return Buffer.concat([head, Buffer.from(body ?? '')]);
}

const lower = (text: string): string => text.toLowerCase();

function oddHeaders(game: Environment): Header[] {
  return [
    ['cOnTeNt-TyPe', 'Application/JSON'],
    ['x-aPI-KEY', game.key],
  ];
}

function manyHeaders(): Header[] {
  return Array.from({ length: 30 }, (_, at) => [`X-Game-${at}`, `value ${at}`] as const);
}

function chunkedIn(pieceBytes: number): Pick<Wish, 'body' | 'headers'> {
  const bytes = Buffer.from(context);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    const size = Buffer.from(`${piece.length.toString(16)}\r\n`);
    pieces.push(size, piece, Buffer.from('\r\n'));
  }
  const body = Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
  return { body, headers: [['Transfer-Encoding', 'chunked']] };
}
