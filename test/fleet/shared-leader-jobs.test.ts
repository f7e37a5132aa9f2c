/**
 * Background work of servers that share a store. Method: two stores on one database, with dispatchers and leader jobs as two
 * servers have them; what the one tells is handed to the other by hand, or not.
 */
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { digestOf } from '../../src/content/hash.js';
import { LeaderJobs } from '../../src/management/jobs/leader-jobs.js';
import { insertKey, listKeys } from '../../src/management/keys/rows.js';
import { runHousekeeping } from '../../src/management/retention/housekeeping-run.js';
import { insertEnvironment } from '../../src/management/store/environments.js';
import {
  listDeliveries,
  retryFailed,
} from '../../src/management/store/events/webhook-deliveries.js';
import { postgresStore } from '../../src/management/store/postgres/postgres.js';
import { parseDatabaseUrl } from '../../src/management/store/postgres/url.js';
import { Store } from '../../src/management/store/store.js';
import { systemActor } from '../../src/management/store/unit-of-work.js';
import { TextStage } from '../../src/management/transfer/reading/text-stage.js';
import { LastUsed } from '../../src/management/users/last-used.js';
import { WebhookDispatcher } from '../../src/management/webhooks/dispatcher.js';
import { insertWebhook, type Webhook } from '../../src/management/webhooks/rows.js';
import { makeSigningSecret } from '../../src/management/webhooks/signature.js';
import { hasPostgres, preparedDatabase } from '../support/postgres/postgres.js';
import { status, WebhookReceiver } from '../support/wire/webhook-receiver.js';
import { tester } from '../unit/management/harness.js';

const log = pino({ level: 'silent' });
const waitMsMax = 20_000;

interface Server {
  readonly store: Store;
  readonly leaderJobs: LeaderJobs;
}

let url: string;
let one: Server;
let two: Server;

describe.skipIf(!hasPostgres)('of two servers on one store', () => {
  beforeEach(async () => {
    url = await preparedDatabase();
    one = await startServer();
    two = await startServer();
    await one.store.write(tester, (write) =>
      insertEnvironment(write, { id: 'dev', name: 'dev', protected: false }),
    );
  });

  it('the one that does the leader jobs sends what was written on the other', async () => {
    connect(one, two);
    const receiver = await WebhookReceiver.start();
    const webhook = await makeWebhook(receiver);
    await two.leaderJobs.start();
    await happen(two, 'its own');
    await receiver.have(1);
    await happen(one, 'told');
    await receiver.have(2);
    await expect.poll(() => states(webhook), { timeout: waitMsMax }).toEqual({ delivered: 2 });
  });

  it('the one that does the leader jobs is woken by what somebody does to a webhook on the other', async () => {
    connect(one, two);
    const receiver = await WebhookReceiver.start();
    receiver.react = status(500);
    const webhook = await makeWebhook(receiver);
    await two.leaderJobs.start();
    await happen(one, 'failing');
    await expect.poll(() => states(webhook), { timeout: waitMsMax }).toEqual({ failed: 1 });
    receiver.react = status(204);
    await one.store.write(tester, (write) => retryFailed(write, webhook.id));
    await expect.poll(() => states(webhook), { timeout: waitMsMax }).toEqual({ delivered: 1 });
  });

  it('the one that does the leader jobs sends also what it did not hear of', async () => {
    const receiver = await WebhookReceiver.start();
    const webhook = await makeWebhook(receiver);
    const looking = await startServer(100);
    await looking.leaderJobs.start();
    // It has looked once when this has arrived.
    await happen(looking, 'its own');
    await receiver.have(1);
    await happen(one, 'unheard');
    await receiver.have(2);
    await expect.poll(() => states(webhook), { timeout: waitMsMax }).toEqual({ delivered: 2 });
  });

  it('nothing is lost, nor left waiting, while the leader jobs go to and fro and both do them at times', async () => {
    connect(one, two);
    const receiver = await WebhookReceiver.start();
    const webhook = await makeWebhook(receiver);
    const labels = Array.from({ length: 60 }, (_, index) => `event ${index}`);
    await one.leaderJobs.start();
    for (const [index, label] of labels.entries()) {
      await happen(index % 2 === 0 ? one : two, label);
      if (index % 10 !== 9) continue;
      // The next one begins before the one before has ended.
      const [to, from] = index % 20 === 9 ? [two, one] : [one, two];
      void to.leaderJobs.start();
      void from.leaderJobs.stop();
    }
    await expect
      .poll(() => states(webhook), { timeout: waitMsMax })
      .toEqual({ delivered: labels.length });
    const heard = receiver.received.map(({ body }) => body.data.label as string);
    expect(new Set(heard)).toEqual(new Set(labels));
  });

  it('housekeeping on the one spares the texts that the other is importing, until it has ended', async () => {
    const stage = new TextStage(one.store, tester);
    const texts = Array.from({ length: 300 }, (_, index) => Buffer.from(String(index)));
    const keepHouse = () =>
      runHousekeeping({
        store: two.store,
        rules: { revisionsKept: null, deletedDaysKept: null },
        actor: systemActor,
        dryRun: false,
        nowMs: Date.now(),
        signal: new AbortController().signal,
      });
    const removed = [];
    for (const [index, text] of texts.entries()) {
      await stage.put(digestOf(text), text);
      if (index % 100 === 50) removed.push((await keepHouse()).texts);
    }
    await stage.flush();
    removed.push((await keepHouse()).texts);
    expect(removed).toEqual([0, 0, 0, 0]);
    await stage.release();
    expect((await keepHouse()).texts).toBe(texts.length);
  });

  it('the newest use of a key is kept, whichever server reports it and in whatever order', async () => {
    await happen(one, 'used');
    const hash = await one.store.read(async (db) => {
      const { hash } = await db.selectFrom('apiKeys').select('hash').executeTakeFirstOrThrow();
      return hash;
    });
    const [first, second] = [one, two].map(({ store }) => new LastUsed(store, log, 3_600_000));
    onTestFinished(async () => void (await Promise.all([first?.close(), second?.close()])));
    const atMs = Date.UTC(2026, 5, 1);
    first?.key(hash, atMs + 1);
    second?.key(hash, atMs + 2);
    await Promise.all([first?.write(), second?.write()]);
    first?.key(hash, atMs);
    await first?.write();
    const [key] = await two.store.read((db) => listKeys(db, 'dev'));
    expect(key?.lastUsedAtMs).toBe(atMs + 2);
  });
});

/**
 * Ends with the test. Attempts that fail are not repeated.
 * @param lookEveryMs how often it looks for what it did not hear of
 */
async function startServer(lookEveryMs = 600_000): Promise<Server> {
  const store = await Store.open(postgresStore(parseDatabaseUrl(url)), Date.now);
  onTestFinished(() => store.close());
  const webhooks = new WebhookDispatcher({
    ...{ store, log, now: Date.now, toLocal: true },
    ...{ delaysMs: [], lookEveryMs },
  });
  const leaderJobs = new LeaderJobs([webhooks]);
  onTestFinished(() => leaderJobs.close());
  return { store, leaderJobs };
}

/** Each hears what the other tells, as by a notification. */
function connect(first: Server, second: Server): void {
  const told = new WeakSet<object>();
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const) {
    from.store.onCommit((news) => {
      if (told.has(news)) return;
      told.add(news);
      to.store.receive(news);
    });
  }
}

async function makeWebhook(receiver: WebhookReceiver): Promise<Webhook> {
  const { value } = await one.store.write(tester, (write) =>
    insertWebhook(write, {
      ...{ url: receiver.url, description: '', environments: null, events: null },
      ...{ format: 'loadout', enabled: true, secret: makeSigningSecret() },
    }),
  );
  return value;
}

async function happen({ store }: Server, label: string): Promise<void> {
  await store.write(tester, (write) => insertKey(write, 'dev', { label, expiresAtMs: null }));
}

/** How many messages are in each state. */
async function states(webhook: Webhook): Promise<Record<string, number>> {
  const deliveries = await one.store.read((db) => listDeliveries(db, webhook.id, { limit: 1_000 }));
  const counts: Record<string, number> = {};
  for (const { status: state } of deliveries) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
