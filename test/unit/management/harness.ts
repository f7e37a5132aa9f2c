/** What the management tests stand on: a store in a folder of its own, and the admin API on a real port. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { makeAdminApi } from '../../../src/management/api/admin-api.js';
import type { ManagementLimits } from '../../../src/management/limits.js';
import { sqliteStore } from '../../../src/management/store/sqlite.js';
import { Store } from '../../../src/management/store/store.js';
import type { Actor } from '../../../src/management/store/write.js';
import { tasks, type Work } from '../../../src/management/work/tasks.js';
import type { PublishedChange } from '../../../src/published/change.js';

export const ownerToken = 'owner-token-of-the-tests';

export const tester: Actor = { userId: 'user_1', name: 'tess', role: 'owner', address: '' };

/** A time the tests can count on. */
export const startMs: number = Date.UTC(2026, 0, 1);

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-management-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function openStore(
  file: string = join(temporaryFolder(), 'store.db'),
): Promise<Store> {
  const store = await Store.open(sqliteStore(file), () => startMs);
  onTestFinished(() => store.close());
  return store;
}

/** The tasks of the workers, done at once: the same functions without the threads. */
export const workHere: Work = {
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
  /** Sequences that `publish` was asked for. */
  readonly published: number[];
  /** Fails the next calls of `publish`. */
  failPublish: boolean;
  /** With the owner's token unless another one is given. `body` is sent as JSON; a string as it is. */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>;
  /** `call` below the environment `dev`, which `startApi` makes. */
  dev(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>;
}

export async function startApi(limits: Partial<ManagementLimits> = {}): Promise<Harness> {
  const store = await openStore();
  await store.ensureOwner(ownerToken);
  const published: number[] = [];
  const state = { failPublish: false };
  const app = await makeAdminApi({
    store,
    publish: async (sequence) => {
      if (state.failPublish) throw new Error('a listener hangs');
      published.push(sequence);
    },
    logger: pino({ level: 'silent' }),
    status: async () => ({ ready: true }),
    metrics: async () => 'loadout_listeners 1\n',
    now: () => startMs,
    work: workHere,
    limits,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const harness: Harness = {
    store,
    url,
    published,
    get failPublish() {
      return state.failPublish;
    },
    set failPublish(fail: boolean) {
      state.failPublish = fail;
    },
    call: (method, path, body, token = ownerToken) => call(url + path, method, body, token),
    dev: (method, path, body, token = ownerToken) =>
      call(`${url}/admin/v1/environments/dev${path}`, method, body, token),
  };
  await harness.call('POST', '/admin/v1/environments', { id: 'dev' });
  return harness;
}

async function call(
  url: string,
  method: string,
  body: unknown,
  token: string | null,
): Promise<Answer> {
  const headers = new Headers();
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method, headers, body: sent ?? null });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
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
  const changed = await store.readChanges(after);
  return (changed?.changes ?? []).map(readable);
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
