/**
 * The demo's server before it is one: the admin API on the store, with a clock that is set to the day on which something
 * was done. So histories, audit and deliveries reach back for weeks, and nothing but the API's own work has written them.
 */

import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { SingleServer } from '../../management/fleet/single-server.js';
import type { Work } from '../../management/jobs/work.js';
import { lastUsedEveryMs } from '../../management/limits.js';
import { makeAdminApi } from '../../management/serve/admin-api.js';
import { DataFolder } from '../../management/store/data-folder.js';
import {
  nextDelivery,
  webhooksWithWork,
} from '../../management/store/events/webhook-deliveries.js';
import { sqliteStore } from '../../management/store/sqlite.js';
import { Store } from '../../management/store/store.js';
import { LastUsed } from '../../management/users/last-used.js';
import { WebhookDispatcher } from '../../management/webhooks/dispatcher.js';
import { tasks } from '../../management/worker/tasks.js';

export interface PastServer {
  /** The admin API, without a slash at the end. */
  readonly url: string;
  /** Made at the first start; null when the operator gave one. */
  readonly ownerToken: string | null;
  /** Path of the file that has it, too. */
  readonly ownerTokenFile: string | null;
  /** Lets time pass until then, with every attempt to tell webhooks at its time. Milliseconds since the epoch. */
  passTo(atMs: number): Promise<void>;
  /** Resolves when webhooks were told what they can be told by now. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface PastOptions {
  readonly data: string;
  /** LOADOUT_ADMIN_TOKEN. */
  readonly adminToken: string | null;
  /** Whether a token that is made is written to a file. */
  readonly ownerTokenToFile?: boolean;
  /** When it all began. */
  readonly startMs: number;
}

/** What the server has workers for, done at once: here nobody else waits for the thread. */
const workHere: Work = {
  tasks,
  run: async (name, input) => (tasks[name] as (given: typeof input) => never)(input),
};

/** How long to leave webhooks alone before it is looked whether they are done. */
const settleEveryMs = 8;

export async function startPastServer(options: PastOptions): Promise<PastServer> {
  let clock = { atMs: options.startMs, setMs: performance.now() };
  const now = (): number => Math.floor(clock.atMs + performance.now() - clock.setMs);
  // It goes on from there, and never goes back.
  const setClock = (atMs: number): void => {
    clock = { atMs: Math.max(atMs, now()), setMs: performance.now() };
  };
  const undo: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = new DataFolder(options.data);
    undo.push(() => folder.release());
    // Nobody has been promised anything yet: what a power cut takes is told anew.
    const store = await Store.open(sqliteStore(folder.storePath, 'OFF'), now);
    undo.push(() => store.close());
    let ownerTokenFile: string | null = null;
    const ownerToken = await store.ensureOwner(options.adminToken ?? undefined, (token) => {
      if (options.ownerTokenToFile) ownerTokenFile = folder.keepOwnerToken(token);
    });
    const log = pino({ level: 'silent' });
    const lastUsed = new LastUsed(store, log, lastUsedEveryMs);
    undo.push(() => lastUsed.close());
    const webhooks = new WebhookDispatcher({ store, log, now, toLocal: true });
    undo.push(() => webhooks.close());
    await webhooks.start();
    const app = await makeAdminApi({
      ...{ store, work: workHere, lastUsed, webhooks, now, logger: log },
      // Nobody is served yet: the server publishes all of it when it starts.
      publish: () => Promise.resolve(),
      fleet: notServing(now),
      status: () => Promise.resolve({ ready: false }),
      metrics: () => Promise.resolve(''),
      figures: () => Promise.reject(new Error('No delivery process runs yet.')),
    });
    undo.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    return {
      url: `http://127.0.0.1:${port}`,
      ownerToken,
      ownerTokenFile,
      passTo: async (atMs) => {
        for (;;) {
          const nextMs = Math.min(...(await nextAttempts(store, now)).values());
          if (nextMs >= atMs) break;
          setClock(nextMs);
          await settle(store, webhooks, now);
        }
        setClock(atMs);
      },
      settle: () => settle(store, webhooks, now),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lanes that sleep until another attempt do not know that the clock was set: they are woken. */
async function settle(store: Store, webhooks: WebhookDispatcher, now: () => number): Promise<void> {
  for (;;) {
    const next = await nextAttempts(store, now);
    const due = [...next].filter(([, atMs]) => atMs <= now());
    if (due.length === 0) return;
    for (const [id] of due) webhooks.wake(id);
    await setTimeout(settleEveryMs);
  }
}

/** When each webhook that has something to be told is told next, by its id: milliseconds since the epoch. */
async function nextAttempts(store: Store, now: () => number): Promise<Map<string, number>> {
  return store.read(async (db) => {
    const next = new Map<string, number>();
    for (const id of await webhooksWithWork(db)) {
      const { atMs } = await nextDelivery(db, id, now());
      if (atMs !== null) next.set(id, atMs);
    }
    return next;
  });
}

/** Whoever asked would be told that nobody serves yet. */
function notServing(now: () => number): SingleServer {
  const state = () => ({ sequence: 0, serving: 0 });
  return new SingleServer({ name: '', address: '', version: '', startedAtMs: now(), now, state });
}
