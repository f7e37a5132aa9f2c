/**
 * Sends what waits for webhooks: each has a lane of its own, in which one message goes at a time, so that a slow
 * receiver delays nobody else. What waits is in the store: a lane that ends, however it ends, is taken up again there.
 */
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import {
  webhookAttemptMsMax,
  webhookCloseMsMax,
  webhookFaultRetryMs,
  webhookSleepMsMax,
  webhooksMax,
} from '../limits.js';
import type { Store } from '../store/store.js';
import {
  type DeliveryWithBody,
  nextDelivery,
  webhooksWithWork,
} from '../store/webhook-deliveries.js';
import { findWebhook, signingSecrets } from '../store/webhooks.js';
import { systemActor } from '../store/write.js';
import { recordAttempt } from './record-attempt.js';
import { retryDelaysMs } from './retry-schedule.js';
import { type Attempt, type Message, sendMessage } from './send-message.js';

export interface DispatcherOptions {
  readonly store: Store;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Milliseconds since the epoch; the store's clock. */
  readonly now: () => number;
  /** Whether messages may go to loopback and link-local addresses. */
  readonly toLocal: boolean;
  /** `retryDelaysMs` unless a test has less time. */
  readonly delaysMs?: readonly number[];
  /** Milliseconds; `webhookAttemptMsMax` unless a test has less time. */
  readonly attemptMsMax?: number;
}

interface Lane {
  /** Null: it sleeps, or is done. */
  running: Promise<void> | null;
  /** Something came while it ran: it looks again before it sleeps. */
  woken: boolean;
  timer: NodeJS.Timeout | null;
}

export class WebhookDispatcher {
  readonly #store: Store;
  readonly #log: DispatcherOptions['log'];
  readonly #now: () => number;
  readonly #delaysMs: readonly number[];
  readonly #attemptMsMax: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #ending = new AbortController();
  #unsubscribe: (() => void) | null = null;
  #closing = false;
  readonly toLocal: boolean;

  constructor(options: DispatcherOptions) {
    this.#store = options.store;
    this.#log = options.log;
    this.#now = options.now;
    this.#delaysMs = options.delaysMs ?? retryDelaysMs;
    this.#attemptMsMax = options.attemptMsMax ?? webhookAttemptMsMax;
    this.toLocal = options.toLocal;
    // One listener per message under way: as many as there are webhooks, and tests of them.
    setMaxListeners(2 * webhooksMax, this.#ending.signal);
  }

  /** Begins with what an earlier server left, and goes on with what is written from now on. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#store.onDeliveries((webhookIds) => {
      for (const id of webhookIds) this.wake(id);
    });
    for (const id of await this.#store.read(webhooksWithWork)) this.wake(id);
  }

  /** Looks what there is to send to a webhook: something came, or it was changed. */
  wake(webhookId: string): void {
    if (this.#unsubscribe === null || this.#closing) return;
    const lane = this.#lanes.get(webhookId) ?? { running: null, woken: false, timer: null };
    this.#lanes.set(webhookId, lane);
    if (lane.running !== null) {
      lane.woken = true;
      return;
    }
    if (lane.timer !== null) clearTimeout(lane.timer);
    lane.timer = null;
    lane.running = this.#run(webhookId, lane);
  }

  /** One message now, beside what waits; nothing is written down. */
  send(message: Message): Promise<Attempt> {
    return sendMessage(message, {
      toLocal: this.toLocal,
      now: this.#now,
      signal: this.#ending.signal,
      attemptMsMax: this.#attemptMsMax,
    });
  }

  /** Messages under way get a moment; what did not arrive is sent after the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#unsubscribe?.();
    for (const { timer } of this.#lanes.values()) if (timer !== null) clearTimeout(timer);
    const late = setTimeout(() => this.#ending.abort(), webhookCloseMsMax);
    await Promise.all([...this.#lanes.values()].map((lane) => lane.running));
    clearTimeout(late);
    // Tests of webhooks are nobody's lane: who asked for one is gone.
    this.#ending.abort();
  }

  async #run(webhookId: string, lane: Lane): Promise<void> {
    let waitMs: number | null = null;
    try {
      do {
        lane.woken = false;
        waitMs = await this.#sendWhatIsDue(webhookId);
      } while (lane.woken && !this.#closing);
    } catch (error) {
      this.#log.error({ err: error, webhook: webhookId }, 'webhook messages wait for the store');
      waitMs = webhookFaultRetryMs;
    }
    lane.running = null;
    if (waitMs === null || this.#closing) {
      this.#lanes.delete(webhookId);
      return;
    }
    const sleepMs = Math.min(waitMs, webhookSleepMsMax);
    lane.timer = setTimeout(() => this.wake(webhookId), sleepMs);
  }

  /** Milliseconds until there is more to do; null: nothing waits, or the server ends. */
  async #sendWhatIsDue(webhookId: string): Promise<number | null> {
    while (!this.#closing) {
      const nowMs = this.#now();
      const next = await this.#store.read(async (db) => {
        const webhook = await findWebhook(db, webhookId);
        if (webhook === null || webhook.disabledAtMs !== null) return null;
        const secrets = await signingSecrets(db, webhookId, nowMs);
        return { url: webhook.url, secrets, ...(await nextDelivery(db, webhookId, nowMs)) };
      });
      if (next === null || next.atMs === null) return null;
      if (next.delivery === null) return Math.max(1, next.atMs - nowMs);
      await this.#deliver(next.delivery, next.url, next.secrets);
    }
    return null;
  }

  async #deliver(
    delivery: DeliveryWithBody,
    url: string,
    secrets: readonly string[],
  ): Promise<void> {
    const { id, webhookId, eventId, payload } = delivery;
    const attempt = await this.send({ id: eventId, url, secrets, body: payload });
    // Given up because the server ends: it was no attempt.
    if (this.#ending.signal.aborted) return;
    const { value } = await this.#store.write(systemActor, (write) =>
      recordAttempt(write, delivery, attempt, Math.random(), this.#delaysMs),
    );
    const about = { webhook: webhookId, delivery: id, attempt: delivery.attempts + 1 };
    if (attempt.error !== '') {
      this.#log.info({ ...about, error: attempt.error }, 'a webhook message was not delivered');
    }
    if (value.switchedOff !== null) {
      this.#log.warn({ ...about, reason: value.switchedOff }, 'a webhook was switched off');
    }
  }
}
