/**
 * The admin API on the demo's store before the server starts, with a clock that is set to the day of each act (D42).
 * Histories, audit and deliveries therefore reach back for weeks, and only the API writes them.
 */

import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { AssignedReports } from '../../management/experiments/assigned/assigned-reports.js';
import { SingleServer } from '../../management/fleet/single-server.js';
import { ServerHistory } from '../../management/health/history/server-history.js';
import { RequestMinutes } from '../../management/health/rejections/request-minutes.js';
import type { Work } from '../../management/jobs/work.js';
import { lastUsedEveryMs } from '../../management/limits/sessions.js';
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
import type { AssignedReport } from '../../published/barrier.js';

export interface PastOptions {
  readonly data: string;
  /** LOADOUT_ADMIN_TOKEN. */
  readonly adminToken: string | null;
  /** Whether a generated token is written to a file. */
  readonly ownerTokenToFile?: boolean;
  /** The first time of the clock: milliseconds since the epoch. */
  readonly startMs: number;
}

/** What the server has workers for, run at once: here nothing else waits for the thread. */
const workHere: Work = {
  tasks,
  run: async (name, input) => (tasks[name] as (given: typeof input) => never)(input),
};

const nameless = { name: '', address: '', version: '' };
const notServing = () => ({ sequence: 0, serving: 0 });
const notRunning = () => Promise.reject(new Error('No delivery process runs yet.'));

/** How often it is checked whether webhooks are done. */
const settleEveryMs = 8;

export async function startPastServer(options: PastOptions) {
  let clock = { atMs: options.startMs, setMs: performance.now() };
  const now = (): number => Math.floor(clock.atMs + performance.now() - clock.setMs);
  // It runs on from there, and never goes back.
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
    // Without flushes to disk: after a power cut, the demo starts from a fresh folder anyway.
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
      hasPrometheus: false,
      // The server publishes all of it when it starts.
      publish: () => Promise.resolve(),
      // No delivery process serves yet.
      fleet: new SingleServer({ ...nameless, startedAtMs: now(), now, state: notServing }),
      status: () => Promise.resolve({ ready: false }),
      metrics: () => Promise.resolve(''),
      figures: notRunning,
      facts: notRunning,
      requests: new RequestMinutes(now),
      kept: { history: new ServerHistory(), node: '', startedMs: now() },
    });
    undo.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    return {
      /** The admin API, without a slash at the end. */
      url: `http://127.0.0.1:${port}`,
      /** Made at the first start; null when the operator gave one. */
      ownerToken,
      /** Path of the file that has it, too. */
      ownerTokenFile,
      /** Lets time pass until then, with every webhook attempt at its time. Milliseconds since the epoch. */
      passTo: async (atMs: number) => {
        for (;;) {
          const nextMs = Math.min(...(await nextAttempts(store, now)).values());
          if (nextMs >= atMs) break;
          setClock(nextMs);
          await settle(store, webhooks, now);
        }
        setClock(atMs);
      },
      /** The secret that delivery processes count players by. */
      streamKey: store.streamKey,
      /** Writes which players were given which variant of experiments. */
      recordAssigned: async (reports: readonly AssignedReport[]) => {
        const assigned = new AssignedReports({ store, log, node: hostname() });
        for (const report of reports) assigned.add(report);
        await assigned.close();
      },
      /** Resolves when all messages that are due by now were attempted. */
      settle: () => settle(store, webhooks, now),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Queues that sleep until their next attempt do not notice that the clock was set: they are woken. */
async function settle(store: Store, webhooks: WebhookDispatcher, now: () => number): Promise<void> {
  for (;;) {
    const next = await nextAttempts(store, now);
    const due = [...next].filter(([, atMs]) => atMs <= now());
    if (due.length === 0) return;
    for (const [id] of due) webhooks.wake(id);
    await setTimeout(settleEveryMs);
  }
}

/** The time of the next attempt of each webhook with waiting messages, by its id: milliseconds since the epoch. */
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
