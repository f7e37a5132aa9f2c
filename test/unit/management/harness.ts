/** What the management tests stand on: a store in a folder of its own, and the admin API on a real port. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { HealthFigures } from '../../../src/contract/operations/health.js';
import { SingleServer } from '../../../src/management/fleet/single-server.js';
import type { HealthFacts } from '../../../src/management/health/findings/facts.js';
import { ServerHistory } from '../../../src/management/health/history/server-history.js';
import { RequestMinutes } from '../../../src/management/health/rejections/request-minutes.js';
import type { Work } from '../../../src/management/jobs/work.js';
import type { ManagementLimits } from '../../../src/management/limits/bodies.js';
import { type AdminApiOptions, makeAdminApi } from '../../../src/management/serve/admin-api.js';
import { findMark, type LogPosition } from '../../../src/management/store/change-log.js';
import type { StoreDialect } from '../../../src/management/store/dialect.js';
import { postgresStore } from '../../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../../src/management/store/postgres/url.js';
import { sqliteStore } from '../../../src/management/store/sqlite.js';
import { Store } from '../../../src/management/store/store.js';
import type { Actor } from '../../../src/management/store/unit-of-work.js';
import { LastUsed } from '../../../src/management/users/last-used.js';
import { WebhookDispatcher } from '../../../src/management/webhooks/dispatcher.js';
import { tasks } from '../../../src/management/worker/tasks.js';
import type { PublishedChange } from '../../../src/published/change.js';
import { databaseAt, leaveDatabase, onPostgres } from '../../support/postgres/tested-store.js';
import { expectDocumented } from './documented.js';

export const ownerToken = 'owner-token-of-the-tests';

export const tester: Actor = { userId: 'user_1', name: 'tess', role: 'owner', address: '' };

/** A time the tests can count on. */
export const startMs: number = Date.UTC(2026, 0, 1);

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-management-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * The store at that path, on whichever database the run is about; the same path is the same store.
 * @param now milliseconds since the epoch, which times its writes
 */
export async function openStore(
  file: string = join(temporaryFolder(), 'store.db'),
  now: () => number = () => startMs,
): Promise<Store> {
  const store = await Store.open(await storeAt(file), now);
  onTestFinished(() => store.close());
  return store;
}

async function storeAt(file: string): Promise<StoreDialect> {
  if (!onPostgres) return sqliteStore(file);
  const url = await databaseAt(file);
  // What is registered first is done last: the store is closed by then.
  onTestFinished(() => leaveDatabase(file));
  return postgresStore(parseDatabaseUrl(url), { clock: 'own' });
}

/** The tasks of the workers, done at once: the same functions without the threads. */
export const workHere: Work = {
  tasks,
  run: async (name, input) => (tasks[name] as (input: unknown) => never)(input),
};

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

export interface Harness {
  readonly store: Store;
  readonly url: string;
  /** Writes when it is told to: nothing in a test waits for a timer. */
  readonly lastUsed: LastUsed;
  /** Sends to this machine, and nothing by itself until a test starts it. */
  readonly webhooks: WebhookDispatcher;
  /** Sequences that `publish` was asked for. */
  readonly published: number[];
  /** Fails the next calls of `publish`. */
  failPublish: boolean;
  /** Ends the API now; it ends by itself when the test does. */
  close(): Promise<void>;
  /**
   * With the owner's token unless another one is given. `body` is sent as JSON; a string as it is. An answer that
   * /openapi.json does not promise fails the test.
   */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>;
  /** `call` without a token, with these headers instead: as a browser asks. */
  browse(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<Answer>;
  /** `call` below the environment `dev`, which `startApi` makes. */
  dev(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>;
}

/** @param more options of the API that a test is about */
/** Of a server without delivery processes. */
export const figures: HealthFigures = {
  sequence: 0,
  deliveryProcessesWanted: 0,
  deliveryProcesses: [],
  control: {
    residentBytes: 1,
    cpuSeconds: 0.5,
    eventLoopDelayP99Seconds: 0,
    startedAt: '2026-01-01T00:00:00.000Z',
  },
  clockAheadSeconds: null,
  clockSkewed: false,
  webhooks: null,
};

/** Of a server that nothing is wrong with. */
export const healthy: HealthFacts = {
  nowMs: startMs,
  serving: 1,
  wanted: 1,
  isPublishingFailed: false,
  isStoreAvailable: true,
  processes: [],
  certificate: null,
  clockSkewedMs: null,
  nodesAway: [],
  webhooksFailing: 0,
  webhooksSwitchedOff: 0,
  requests: { requests: 0, rejected: 0, failed: 0, code: null },
  textsDamaged: 0,
  areEventsNotStored: false,
  eventsLagSeconds: 0,
  diskFreeBytes: null,
  roseAt: () => null,
};

export async function startApi(
  limits: Partial<ManagementLimits> = {},
  more: Partial<AdminApiOptions> = {},
): Promise<Harness> {
  const store = more.store ?? (await openStore());
  await store.ensureOwner(ownerToken);
  const published: number[] = [];
  const state = { failPublish: false };
  const logger = pino({ level: 'silent' });
  const lastUsed = new LastUsed(store, logger, 3_600_000);
  const webhooks = new WebhookDispatcher({
    store,
    log: logger,
    now: () => startMs,
    toLocal: true,
  });
  const app = await makeAdminApi({
    store,
    publish: async (sequence) => {
      if (state.failPublish) throw new Error('a listener hangs');
      published.push(sequence);
    },
    logger,
    fleet: onlyServer(() => published.at(-1) ?? 0),
    status: async () => ({ ready: true }),
    metrics: async () => 'loadout_listeners 1\n',
    figures: async () => figures,
    requests: new RequestMinutes(() => startMs),
    kept: { history: new ServerHistory(), node: 'tested', startedMs: startMs },
    facts: async () => healthy,
    now: () => startMs,
    work: workHere,
    hasPrometheus: false,
    lastUsed,
    webhooks,
    limits,
    ...more,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.close();
    await webhooks.close();
    await lastUsed.close();
  });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const harness: Harness = {
    store,
    url,
    lastUsed,
    webhooks,
    published,
    close: () => app.close(),
    get failPublish() {
      return state.failPublish;
    },
    set failPublish(fail: boolean) {
      state.failPublish = fail;
    },
    call: (method, path, body, token = ownerToken) =>
      harness.browse(
        method,
        path,
        token === null ? {} : { authorization: `Bearer ${token}` },
        body,
      ),
    browse: async (method, path, sent, body) => {
      const answer = await call(url + path, method, body, sent);
      const { status, text, headers } = answer;
      const contentType = headers.get('content-type') ?? '';
      await expectDocumented(app, method, path, { status, text, contentType }, body);
      return answer;
    },
    dev: (method, path, body, token) =>
      harness.call(method, `/admin/v1/environments/dev${path}`, body, token),
  };
  await harness.call('POST', '/admin/v1/environments', { id: 'dev' });
  return harness;
}

/** A server without others. */
export function onlyServer(sequence: () => number): SingleServer {
  const state = () => ({ sequence: sequence(), serving: 1 });
  return new SingleServer({
    ...{ name: 'studio-1', address: 'http://127.0.0.1:8080', version: '1.2.3' },
    ...{ startedAtMs: startMs, now: () => startMs, state },
  });
}

/** One value; not a stream of them. */
const jsonType = /^application\/(problem\+)?json\b/;

async function call(
  url: string,
  method: string,
  body: unknown,
  extra: Readonly<Record<string, string>>,
): Promise<Answer> {
  const headers = new Headers(extra);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method, headers, body: sent ?? null });
  const text = await response.text();
  const isJson = jsonType.test(response.headers.get('content-type') ?? '');
  const { status, headers: answered } = response;
  return { status, text, headers: answered, body: isJson && text !== '' ? JSON.parse(text) : null };
}

/** Makes a user and gives their token. */
export async function tokenOf(harness: Harness, role: string): Promise<string> {
  const made = await harness.call('POST', '/admin/v1/users', { name: `the ${role}`, role });
  return made.body.token as string;
}

/** What changed after a sequence, in a form that reads well in an expectation. */
export async function changesAfter(store: Store, after: number): Promise<unknown[]> {
  const changed = await store.readChanges(await positionAt(store, after));
  return typeof changed === 'string' ? [] : changed.changes.map(readable);
}

/** Where somebody is who followed the store's log to that number. */
export async function positionAt(store: Store, sequence: number): Promise<LogPosition> {
  const mark = await store.read((db) => findMark(db, sequence));
  return { sequence, mark: mark ?? '' };
}

export function readable(change: PublishedChange): unknown {
  if (change.kind !== 'content') return change;
  const { kind, id, lines, mapping } = change;
  return {
    kind,
    id,
    lines: lines.map((line) => `${line.version} ${Buffer.from(line.json).toString()}`),
    mapping,
  };
}
