/** Traces of the admin API and of publications, as a collector receives them, and the ids of traces in the log. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BetterSqlite3 } from '../../../src/published/sqlite-driver.js';
import { eventually } from '../../support/eventually.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, serveUntilExit, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { type Answer, send } from '../../support/wire/exchange.js';
import { freeLoopbackPort } from '../../support/wire/loopback-port.js';
import { OtlpCollector, takes } from '../../support/wire/otlp-collector.js';
import type { OtlpSpan } from '../../support/wire/otlp-message.js';

const server = 2;
const internal = 1;
const unset = 0;
const failed = 2;
const collectorToken = 'token-of-the-collector';

interface Caller {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceparent: string;
}

function caller(flags = '01'): Caller {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** A call of the owner. */
function call(
  { adminUrl }: LoadoutServer,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(adminUrl, path, {
    method,
    headers: { authorization: `Bearer ${ownerToken}`, ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const isServer = ({ kind }: OtlpSpan): boolean => kind === server;

/** The span of a name, the only one of it. */
function named(spans: readonly OtlpSpan[], name: string): OtlpSpan {
  const [span, ...more] = spans.filter((each) => each.name === name);
  if (span === undefined || more.length > 0) {
    throw new Error(`not one "${name}" in: ${spans.map((each) => each.name).join(', ')}`);
  }
  return span;
}

/** Lines of the log of an event. */
function lines({ stderr }: LoadoutServer, event: string): Record<string, unknown>[] {
  return stderr
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));
}

/** Locks published.db, so that nothing is published until it is unlocked. */
function lockPublished({ data }: LoadoutServer): () => void {
  const foreign = new BetterSqlite3(join(data, 'published.db'));
  foreign.exec('BEGIN IMMEDIATE');
  return () => foreign.close();
}

describe('a server with --otlp-url', () => {
  let collector: OtlpCollector;
  let loadout: LoadoutServer;
  let game: Environment;

  beforeAll(async () => {
    collector = await OtlpCollector.start();
    const headers = join(makeDataFolder(), 'headers');
    writeFileSync(headers, `Authorization: Bearer ${collectorToken}\n`);
    const files = ['--otlp-headers-file', headers, '--node-name', 'shop-1'];
    loadout = await startServer({ flags: ['--otlp-url', `${collector.url}/base`, ...files] });
    game = await makeEnvironment(loadout);
  });
  afterAll(async () => {
    await loadout.stop();
    collector.close();
  });

  function put(id: string, { traceparent }: Caller, body: unknown, query = ''): Promise<Answer> {
    return call(loadout, 'PUT', `${game.path}/contents/${id}${query}`, { traceparent }, body);
  }

  it('sends the spans of an edit, below that of its caller', async () => {
    const from = caller();
    const secret = 'a text that nobody else may read';
    const done = await put('secret-id', from, { text: JSON.stringify({ secret }) });
    expect(done.status).toBe(201);
    const spans = await collector.trace(from.traceId, isServer);
    const edit = named(spans, 'PUT /admin/v1/environments/{env}/contents/{id}');
    expect(edit).toMatchObject({ parentSpanId: from.spanId, status: unset, scope: 'loadout' });
    expect(edit.attributes).toEqual({
      'http.request.method': 'PUT',
      'http.route': '/admin/v1/environments/{env}/contents/{id}',
      'http.response.status_code': 201n,
      'url.scheme': 'http',
      'loadout.environment': game.id,
      'loadout.sequence': BigInt(done.json.sequence),
    });
    expect(edit.resource).toMatchObject({
      'service.name': 'loadout',
      'service.version': expect.stringMatching(/^\d+\./),
      'service.instance.id': 'shop-1',
    });
    for (const name of ['store write', 'publish']) {
      const child = named(spans, name);
      expect(child).toMatchObject({ parentSpanId: edit.spanId, kind: internal, status: unset });
      expect(child.attributes).toEqual({
        'loadout.environment': game.id,
        'loadout.sequence': BigInt(done.json.sequence),
      });
      expect(child.startNanos).toBeGreaterThanOrEqual(edit.startNanos);
      expect(child.endNanos).toBeLessThanOrEqual(edit.endNanos);
      expect(child.endNanos).toBeGreaterThan(child.startNanos);
    }
    expect(named(spans, 'publish').startNanos).toBeGreaterThanOrEqual(
      named(spans, 'store write').endNanos,
    );
  });

  it('sends no token, no id of content and no text, and the headers of the file', async () => {
    const from = caller();
    await put('secret-id', from, { text: '"another secret text"' });
    await collector.trace(from.traceId, isServer);
    const all = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1');
    for (const secret of [ownerToken, collectorToken, 'secret-id', 'secret text']) {
      expect(all).not.toContain(secret);
    }
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(
      new Set(['/base/v1/traces']),
    );
    for (const { headers } of collector.requests) {
      expect(headers).toMatchObject({
        authorization: `Bearer ${collectorToken}`,
        'content-type': 'application/x-protobuf',
      });
    }
  });

  it('has spans of work in workers, and of the wait for the fleet', async () => {
    const from = caller();
    const text = JSON.stringify('x'.repeat(100_000));
    expect((await put('large', from, { text }, '?wait=fleet')).json.fleet.acknowledged).toBe(1);
    const spans = await collector.trace(from.traceId, isServer);
    const edit = spans.find(isServer);
    expect(named(spans, 'wait for fleet')).toMatchObject({ parentSpanId: edit?.spanId });
    expect(named(spans, 'wait for fleet').attributes).toMatchObject({
      'loadout.fleet.acknowledged': 1n,
      'loadout.fleet.missing': 0n,
    });
    const work = spans.filter(({ name }) => name.startsWith('work '));
    expect(work.map(({ parentSpanId }) => parentSpanId)).toContain(edit?.spanId);
  });

  it('says why a call was rejected, which is no failure of the server', async () => {
    const unknown = caller();
    const sent = { traceparent: unknown.traceparent };
    await call(loadout, 'GET', `${game.path}/contents/none`, sent);
    const [notFound] = await collector.trace(unknown.traceId, isServer);
    expect(notFound?.status).toBe(unset);
    expect(notFound?.attributes).toMatchObject({
      'http.response.status_code': 404n,
      'loadout.problem': 'content_not_found',
    });
    const stranger = caller();
    const { traceparent } = stranger;
    await send(loadout.adminUrl, `${game.path}/contents`, { headers: { traceparent } });
    const [noToken] = await collector.trace(stranger.traceId, isServer);
    expect(noToken?.status).toBe(unset);
    expect(noToken?.attributes).toMatchObject({
      'http.response.status_code': 401n,
      'loadout.problem': 'invalid_token',
    });
  });

  it('says that an edit failed, in the spans and with their ids in the log', async () => {
    const from = caller();
    const unlock = lockPublished(loadout);
    try {
      expect((await put('shop', from, { text: '1' })).status).toBe(503);
    } finally {
      unlock();
    }
    const spans = await collector.trace(from.traceId, isServer);
    const edit = spans.find(isServer);
    expect(edit?.status).toBe(failed);
    expect(edit?.attributes).toMatchObject({
      'http.response.status_code': 503n,
      'error.type': '503',
      'loadout.problem': 'not_published',
    });
    expect(named(spans, 'store write').status).toBe(unset);
    expect(named(spans, 'publish')).toMatchObject({ status: failed, parentSpanId: edit?.spanId });
    expect(lines(loadout, 'admin_api_failed').at(-1)).toMatchObject({
      trace_id: from.traceId,
      span_id: edit?.spanId,
      trace_flags: '01',
    });
  });

  it('records what its caller records, and nothing of probes', async () => {
    const silent = caller('00');
    expect((await put('shop', silent, { text: '2' })).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/']) {
      await send(loadout.adminUrl, path, { headers: { traceparent: caller().traceparent } });
    }
    const last = caller();
    await put('shop', last, { text: '3' });
    await collector.trace(last.traceId, isServer);
    expect(collector.spans.filter(({ traceId }) => traceId === silent.traceId)).toEqual([]);
    const servers = collector.spans.filter(isServer).map(({ name }) => name);
    expect(servers.filter((name) => !/^[A-Z]+ \/admin\/v1\//.test(name))).toEqual([]);
  });

  it.each([
    ['too long', `cc-${'a'.repeat(32)}-${'b'.repeat(16)}-01-${'x'.repeat(8_000)}`],
    ['of version ff', `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['with an all-zero trace id', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['with an all-zero span id', `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`],
    ['in upper case', `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['not a traceparent', '"; DROP TABLE spans; --'],
  ])('begins a trace of its own when traceparent is %s', async (_, traceparent) => {
    const before = collector.spans.length;
    const response = await call(loadout, 'GET', '/admin/v1/me', { traceparent });
    expect(response.status).toBe(200);
    const found = (): OtlpSpan | undefined =>
      collector.spans.slice(before).find(({ name }) => name === 'GET /admin/v1/me');
    await collector.until('the span', () => found() !== undefined);
    expect(found()).toMatchObject({
      parentSpanId: '',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(found()?.traceId).not.toMatch(/^([0a])\1*$/);
  });

  it('counts what the collector has taken', async () => {
    const { text } = await send(loadout.adminUrl, '/metrics');
    expect(text).toMatch(/^loadout_trace_spans_exported_total [1-9]/m);
    expect(text).toMatch(/^loadout_trace_spans_dropped_total 0$/m);
  });
});

describe('traces that begin at the server', () => {
  it('are sent by the share of --otlp-sample; those of a caller are its own', async () => {
    const collector = await OtlpCollector.start();
    onTestFinished(() => collector.close());
    const flags = ['--otlp-url', collector.url, '--otlp-sample', '0'];
    const loadout = await startServer({ flags });
    await makeEnvironment(loadout);
    const from = caller();
    await call(loadout, 'GET', '/admin/v1/me', { traceparent: from.traceparent });
    // The end of the server sends what waits, at once.
    expect((await loadout.stop()).code).toBe(0);
    expect(collector.spans.map(({ traceId }) => traceId)).toEqual([from.traceId]);
  });
});

describe('a collector that is away', () => {
  it('costs edits nothing: spans are dropped, and one line says so until it is back', async () => {
    const port = await freeLoopbackPort();
    const loadout = await startServer({ flags: ['--otlp-url', `http://127.0.0.1:${port}`] });
    const game = await makeEnvironment(loadout);
    const dropped = async (): Promise<number> => {
      const { text } = await send(loadout.adminUrl, '/metrics');
      return Number(/^loadout_trace_spans_dropped_total (\d+)$/m.exec(text)?.[1]);
    };
    const atOnce = async (times: number): Promise<void> => {
      for (let edit = 0; edit < times; edit += 1) await game.put('shop', String(edit));
    };
    await atOnce(5);
    const first = await eventually('spans are dropped', 15_000, dropped);
    await atOnce(5);
    await eventually('more are dropped', 15_000, async () => (await dropped()) > first);
    expect(lines(loadout, 'traces_not_exported')).toMatchObject([
      { level: 40, reason: expect.stringContaining('ECONNREFUSED') },
    ]);
    const collector = await OtlpCollector.start(port);
    onTestFinished(() => collector.close());
    await atOnce(1);
    await eventually('the log says so', 15_000, () => lines(loadout, 'traces_exported_again')[0]);
    expect(lines(loadout, 'traces_not_exported')).toHaveLength(1);
    expect((await loadout.stop()).code).toBe(0);
  });

  it('or does not respond, and holds up the end of the server for moments only', async () => {
    const collector = await OtlpCollector.start();
    onTestFinished(() => collector.close());
    const held: ServerResponse[] = [];
    collector.respond = (response) => held.push(response);
    const loadout = await startServer({ flags: ['--otlp-url', collector.url] });
    const game = await makeEnvironment(loadout);
    await collector.until('a request', () => held.length > 0);
    await game.put('shop', '1');
    const startedAt = performance.now();
    expect((await loadout.stop()).code).toBe(0);
    // Without a collector an end takes some 300 ms.
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });

  it('or sends its response byte by byte, and is cut off', async () => {
    const collector = await OtlpCollector.start();
    onTestFinished(() => collector.close());
    const dripping: NodeJS.Timeout[] = [];
    onTestFinished(() => dripping.forEach(clearInterval));
    const drip = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' });
      dripping.push(setInterval(() => response.write('x'), 100));
    };
    collector.respond = drip;
    const loadout = await startServer({ flags: ['--otlp-url', collector.url] });
    const game = await makeEnvironment(loadout);
    await eventually('it is cut off', 15_000, () => collector.cutOff > 0);
    collector.respond = takes;
    await game.put('shop', '1');
    await collector.until('the next spans', () => collector.spans.some(isServer));
    collector.respond = drip;
    await game.put('shop', '2');
    const before = collector.cutOff;
    expect((await loadout.stop()).code).toBe(0);
    expect(collector.cutOff).toBeGreaterThan(before);
  });

  it('or rejects everything, and its response is not logged', async () => {
    const collector = await OtlpCollector.start();
    onTestFinished(() => collector.close());
    collector.respond = (response) => response.writeHead(403).end('a page of the collector');
    const loadout = await startServer({ flags: ['--otlp-url', collector.url] });
    await makeEnvironment(loadout);
    await eventually('the log says so', 15_000, () => lines(loadout, 'traces_not_exported')[0]);
    expect(loadout.stderr).not.toContain('a page of the collector');
    collector.respond = takes;
    expect((await loadout.stop()).code).toBe(0);
  });
});

describe('a server without --otlp-url', () => {
  it('sends nothing, and its log has the ids of the traceparent', async () => {
    const collector = await OtlpCollector.start();
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
    onTestFinished(() => {
      process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = '';
      collector.close();
    });
    const loadout = await startServer({ flags: ['--log-level', 'debug'] });
    const game = await makeEnvironment(loadout);
    const from = caller();
    const { traceparent } = from;
    const unlock = lockPublished(loadout);
    try {
      const path = `${game.path}/contents/shop`;
      const put = await call(loadout, 'PUT', path, { traceparent }, { text: '1' });
      expect(put.status).toBe(503);
    } finally {
      unlock();
    }
    const ids = { trace_id: from.traceId, span_id: from.spanId, trace_flags: '01' };
    expect(lines(loadout, 'admin_api_failed')).toMatchObject([ids]);
    const [ended] = await eventually('the call has ended', 5_000, () => {
      const all = lines(loadout, 'admin_call');
      return all.length > 0 ? all : null;
    });
    const route = '/admin/v1/environments/{env}/contents/{id}';
    expect(ended).toMatchObject({ ...ids, method: 'PUT', route, status: 503 });
    const malformed = `00-${'0'.repeat(32)}-${from.spanId}-01`;
    await call(loadout, 'GET', '/admin/v1/me', { traceparent: malformed });
    await call(loadout, 'GET', '/admin/v1/me', {});
    expect((await loadout.stop()).stderr).not.toContain('/admin/v1/me');
    expect(lines(loadout, 'admin_call')).toHaveLength(1);
    expect(collector.requests).toEqual([]);
  });
});

describe('the options', () => {
  it.each([
    [['--otlp-url', 'collector:4318'], '--otlp-url must begin with http:// or https://.'],
    [['--otlp-url', 'http://u:s3cret@collector'], '--otlp-url has no user, query or fragment'],
    [['--otlp-headers-file', 'headers'], '--otlp-headers-file needs --otlp-url.'],
  ])('are rejected: %j', async (flags, message) => {
    const exit = await serveUntilExit({ flags });
    expect(exit.code).toBe(2);
    expect(exit.stderr).toContain(message);
    expect(exit.stderr).not.toContain('s3cret');
  });

  it('are looked at by serve --check, which shows nothing of the headers', async () => {
    const headers = join(makeDataFolder(), 'headers');
    writeFileSync(headers, 's3cret\n');
    const named = ['--otlp-url', 'http://127.0.0.1:4318', '--otlp-headers-file', headers];
    const exit = await serveUntilExit({ flags: ['--check', ...named] });
    expect(exit.code).toBe(1);
    const said = exit.stdout + exit.stderr;
    expect(said).toContain('The headers file has a line that is no header.');
    expect(said).not.toContain('s3cret');
  });
});
