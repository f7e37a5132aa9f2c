/**
 * Goal: the clients of docs/own-client.md keep their promises where a server or a network misbehaves. Method: their files are
 * taken from the page as they are, but for a shorter limit on the refresh, and run against servers of this test.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../support/server/server.js';

const page = readFileSync(new URL('../../../docs/own-client.md', import.meta.url), 'utf8');
const key = 'demo-key-0123456789abcdef';
const refreshSeconds = 3;
/** Start of the process, and one more attempt to connect included; far below what a slow response would take. */
const runMsMax = (refreshSeconds + 6) * 1_000;

interface Client {
  readonly file: string;
  /** In the file: the limit on the refresh, and what replaces it. */
  readonly limit: readonly [real: string, short: string];
  readonly program: string;
  /** For requests one after the other. */
  readonly connectionsMax: number;
  /** Prints the configuration of its last start. */
  readonly drive: (url: string, starts: number) => readonly string[];
}

const clients: Readonly<Record<string, Client>> = {
  Python: {
    file: 'startup.py',
    limit: ['SECONDS_MAX = 15 ', `SECONDS_MAX = ${refreshSeconds} `],
    program: 'python3',
    connectionsMax: 1,
    drive: (url, starts) => [
      '-c',
      `import json, startup
client = startup.Client("${url}", "${key}", "ada", {}, "1.0.0")
print(json.dumps([client.start() for _ in range(${starts})][-1]))`,
    ],
  },
  JavaScript: {
    file: 'startup.mjs',
    limit: ['refreshMsMax = 15_000;', `refreshMsMax = ${refreshSeconds * 1_000};`],
    program: process.execPath,
    // Node's fetch may open another while it puts the first one back.
    connectionsMax: 2,
    drive: (url, starts) => [
      '--input-type=module',
      '--eval',
      `import { start } from './startup.mjs';
const who = { url: '${url}', key: '${key}', user: 'ada', attributes: {}, appVersion: '1.0.0' };
const kept = new Map();
const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
for (let left = ${starts}; left > 0; left -= 1) {
  const { config, error } = await start({ ...who, storage });
  if (error !== null) console.error(error.message);
  if (left === 1) console.log(JSON.stringify(config));
}
process.exit();`,
    ],
  },
};

interface Run {
  readonly config: unknown;
  readonly stderr: string;
  readonly ms: number;
}

async function run(client: Client, url: string, starts = 1): Promise<Run> {
  const folder = makeDataFolder();
  const marked = new RegExp(`<!-- file: ${client.file} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``);
  const text = marked.exec(page)?.[1] ?? '';
  const [real, short] = client.limit;
  expect(text.split(real)).toHaveLength(2);
  writeFileSync(`${folder}/${client.file}`, text.replace(real, short));
  const began = performance.now();
  const { stdout, stderr } = await promisify(execFile)(client.program, client.drive(url, starts), {
    cwd: folder,
  });
  return { config: JSON.parse(stdout), stderr, ms: performance.now() - began };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server whose response comes at once up to `prompt`, and then a byte a second. */
async function startSlowly(response: string, prompt: number): Promise<string> {
  const server = createServer((socket) => {
    let sent = prompt;
    const ticks = setInterval(() => socket.write(response.charAt(sent++)), 1_000);
    socket.on('error', () => undefined).on('close', () => clearInterval(ticks));
    socket.write(response.slice(0, prompt));
  });
  return await listen(server);
}

interface Asked {
  readonly ids: readonly string[] | null;
  readonly key: unknown;
}

/** A server of four content items that takes two in one call, and what was asked of it. */
async function startSmall(): Promise<{ url: string; asked: Asked[]; connections: () => number }> {
  const asked: Asked[] = [];
  const ids = ['a', 'b', 'c', 'd'];
  const respond: RequestListener = async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString();
    const c = body === '' ? null : (JSON.parse(body) as { c: string[] }).c;
    asked.push({ ids: c, key: request.headers['x-api-key'] });
    const isTooLong = c !== null && c.length > 2;
    const type = isTooLong ? 'application/problem+json' : 'application/json';
    response.writeHead(isTooLong ? 400 : 200, { 'Content-Type': type, ETag: '"1"' });
    const catalog = Object.fromEntries(ids.map((id) => [id, { h: '0', d: true }]));
    const entries = Object.fromEntries((c ?? []).map((id) => [id, { data: `data of ${id}` }]));
    const problem = { status: 400, code: 'invalid_query', detail: 'Too many.' };
    response.end(JSON.stringify(isTooLong ? problem : c === null ? { catalog } : entries));
  };
  let connections = 0;
  const server = createHttpServer(respond).on('connection', () => connections++);
  return { url: await listen(server), asked, connections: () => connections };
}

async function startWith(status: number, headers: Record<string, string>, body: string) {
  const respond: RequestListener = (_, response) => response.writeHead(status, headers).end(body);
  return await listen(createHttpServer(respond));
}

describe.each(Object.entries(clients))('the client in %s', (_, client) => {
  const body = JSON.stringify({ catalog: {} });
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

  it.each([
    ['head', 0],
    ['body', head.length],
  ])('starts in time when the %s of a response comes a byte a second', async (_, prompt) => {
    const { config, stderr, ms } = await run(client, await startSlowly(head + body, prompt));
    expect(ms).toBeLessThan(runMsMax);
    expect(config).toEqual({});
    expect(stderr).not.toBe('');
  });

  it.each([302, 308])(
    'does not follow a redirect (%i), which would take the key to another host',
    async (status) => {
      const other = await startSmall();
      const url = await startWith(status, { Location: `${other.url}/api/v1/env/catalog` }, '');
      const { config, stderr, ms } = await run(client, url);
      expect(other.asked).toEqual([]);
      expect(config).toEqual({});
      expect(stderr).not.toBe('');
      expect(ms).toBeLessThan(runMsMax);
    },
  );

  it('asks for half of the ids at a time when they are too many, on a kept connection', async () => {
    const { url, asked, connections } = await startSmall();
    const { config, stderr } = await run(client, url);
    expect(stderr).toBe('');
    expect(asked.map(({ ids }) => ids?.join('') ?? 'catalog')).toEqual([
      ...['catalog', 'abcd', 'ab', 'cd'],
    ]);
    expect(asked.every((request) => request.key === key)).toBe(true);
    const wanted = ['a', 'b', 'c', 'd'].map((id) => [id, `data of ${id}`]);
    expect(config).toEqual(Object.fromEntries(wanted));
    expect(connections()).toBeLessThanOrEqual(client.connectionsMax);
  });

  it('fetches once more what was fetched while a release ramped', async () => {
    const hash = '0123456789abcdef';
    let catalogs = 0;
    let fetched = 0;
    const respond: RequestListener = (request, response) => {
      request.resume();
      response.writeHead(200, { 'Content-Type': 'application/json', ETag: `"${catalogs}"` });
      if (request.method === 'GET') {
        catalogs += 1;
        response.end(JSON.stringify({ catalog: { shop: { h: hash, d: catalogs === 1 } } }));
      } else {
        fetched += 1;
        response.end(
          JSON.stringify({ shop: { data: fetched === 1 ? 'candidate' : 'live', hash } }),
        );
      }
    };
    const url = await listen(createHttpServer(respond));
    const { config, stderr } = await run(client, url, 3);
    expect({ config, stderr }).toEqual({ config: { shop: 'live' }, stderr: '' });
    expect({ catalogs, fetched }).toEqual({ catalogs: 3, fetched: 2 });
  });

  it('reports code and detail of a rejected request, and does not repeat it', async () => {
    const problem = { status: 401, code: 'invalid_api_key', detail: 'This key is unknown.' };
    const type = { 'Content-Type': 'application/problem+json' };
    const { stderr, ms } = await run(client, await startWith(401, type, JSON.stringify(problem)));
    expect(stderr).toContain('401 invalid_api_key: This key is unknown.');
    expect(ms).toBeLessThan(runMsMax);
  });

  it('takes the page of a captive portal for no configuration', async () => {
    const page = await startWith(200, { 'Content-Type': 'text/html' }, '<p>Sign in</p>');
    const { config, stderr } = await run(client, page);
    expect(config).toEqual({});
    expect(stderr).toContain('text/html is no response of the server');
  });
});
