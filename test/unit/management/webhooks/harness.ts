/** What the tests of sending stand on: a store with a clock, webhooks in it, and dispatchers that have little time. */
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { insertKey } from '../../../../src/management/keys/rows.js';
import { insertEnvironment } from '../../../../src/management/store/environments.js';
import {
  type Delivery,
  listDeliveries,
} from '../../../../src/management/store/events/webhook-deliveries.js';
import type { Store } from '../../../../src/management/store/store.js';
import {
  type DispatcherOptions,
  WebhookDispatcher,
} from '../../../../src/management/webhooks/dispatcher.js';
import {
  findWebhook,
  insertWebhook,
  type Webhook,
  type WebhookOptions,
} from '../../../../src/management/webhooks/rows.js';
import { makeSigningSecret } from '../../../../src/management/webhooks/signature.js';
import { openStore, temporaryFolder, tester } from '../harness.js';

/** Real time, which a test can put forward. */
export class Clock {
  aheadMs = 0;
  readonly now = (): number => Date.now() + this.aheadMs;
}

export const secret: string = makeSigningSecret();

export class Outbox {
  readonly store: Store;
  readonly clock: Clock;
  #keys = 0;

  private constructor(store: Store, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  /** A store with the environment `dev`. */
  static async open(file: string = join(temporaryFolder(), 'store.db')): Promise<Outbox> {
    const clock = new Clock();
    const store = await openStore(file, clock.now);
    await store.write(tester, (write) =>
      insertEnvironment(write, { id: 'dev', name: 'dev', protected: false }),
    );
    return new Outbox(store, clock);
  }

  async webhook(url: string, more: Partial<WebhookOptions> = {}): Promise<Webhook> {
    const wish = {
      format: 'loadout' as const,
      description: '',
      environments: null,
      events: null,
      enabled: true,
      secret,
    };
    const { value } = await this.store.write(tester, (write) =>
      insertWebhook(write, { ...wish, url, ...more }),
    );
    return value;
  }

  async find(webhook: Webhook): Promise<Webhook> {
    const found = await this.store.read((db) => findWebhook(db, webhook.id));
    if (found === null) throw new Error('the webhook is gone');
    return found;
  }

  /** An event: a key is made, whose label is a number that counts up. Gives the label. */
  async happen(): Promise<string> {
    const label = String(++this.#keys);
    await this.store.write(tester, (write) =>
      insertKey(write, 'dev', { label, expiresAtMs: null }),
    );
    return label;
  }

  /** Oldest first. */
  async deliveries(webhook: Webhook): Promise<Delivery[]> {
    const newestFirst = await this.store.read((db) =>
      listDeliveries(db, webhook.id, { limit: 1_000 }),
    );
    return newestFirst.reverse();
  }

  /** Status and attempts of each delivery, oldest first. */
  async states(webhook: Webhook): Promise<string[]> {
    return (await this.deliveries(webhook)).map(({ status, attempts }) => `${status} ${attempts}`);
  }

  /** Started; ends with the test. Waits of 30 ms between attempts, ten of them. */
  async dispatch(more: Partial<DispatcherOptions> = {}): Promise<WebhookDispatcher> {
    const dispatcher = new WebhookDispatcher({
      store: this.store,
      log: pino({ level: 'silent' }),
      now: this.clock.now,
      toLocal: true,
      delaysMs: Array.from({ length: 10 }, () => 30),
      attemptMsMax: 5_000,
      ...more,
    });
    onTestFinished(() => dispatcher.close());
    dispatcher.start();
    return dispatcher;
  }
}
