/**
 * Sends what waits for webhooks: each has a lane of its own, in which one message goes at a time, so that a slow
 * receiver delays nobody else. What waits is in the store: a lane that ends, however it ends, is taken up again there,
 * by this server or by another one of the fleet.
 */
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { webhooksMax } from '../../contract/limits.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  webhookAttemptMsMax,
  webhookCloseMsMax,
  webhookFaultRetryMs,
  webhookLookEveryMs,
  webhookSleepMsMax,
} from '../limits.js';
import { retryDelaysMs } from '../store/events/retry-schedule.js';
import {
  type DeliveryWithBody,
  nextDelivery,
  webhooksWithWork,
} from '../store/events/webhook-deliveries.js';
import type { Store } from '../store/store.js';
import { systemActor } from '../store/unit-of-work.js';
import { recordAttempt } from './record-attempt.js';
import { findWebhook, signingSecrets } from './rows.js';
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
  /** Milliseconds; `webhookLookEveryMs` unless a test has less time. */
  readonly lookEveryMs?: number;
}

/** From a start to its stop. */
interface Shift {
  readonly lanes: Map<string, Lane>;
  /** Gives messages under way up. */
  readonly ending: AbortController;
  readonly unsubscribe: () => void;
  /** Looks now and then for what nobody was heard to tell of. */
  readonly looks: PeriodicJob;
  over: boolean;
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
  readonly #lookEveryMs: number;
  /** Null: it is stopped. */
  #shift: Shift | null = null;
  /** Resolves when every shift that was begun has ended. */
  #ended: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();
  readonly toLocal: boolean;

  constructor(options: DispatcherOptions) {
    this.#store = options.store;
    this.#log = options.log;
    this.#now = options.now;
    this.#delaysMs = options.delaysMs ?? retryDelaysMs;
    this.#attemptMsMax = options.attemptMsMax ?? webhookAttemptMsMax;
    this.#lookEveryMs = options.lookEveryMs ?? webhookLookEveryMs;
    this.toLocal = options.toLocal;
    // One listener per test of a webhook under way.
    setMaxListeners(2 * webhooksMax, this.#closing.signal);
  }

  /** Begins with what an earlier server left, and goes on with what is written from now on. */
  start(): void {
    if (this.#shift !== null || this.#closing.signal.aborted) return;
    const ending = new AbortController();
    // One listener per message: of each webhook one under way, and one whose connection closes.
    setMaxListeners(2 * webhooksMax, ending.signal);
    const unsubscribe = this.#store.onCommit(({ webhooks = [] }) => {
      for (const id of webhooks) this.wake(id);
    });
    const looks = new PeriodicJob((signal) => this.#look(signal), {
      firstMs: 0,
      everyMs: this.#lookEveryMs,
    });
    this.#shift = { lanes: new Map(), ending, unsubscribe, looks, over: false };
    looks.start();
  }

  /** Looks what there is to send to a webhook, if it is this server that sends: something came, or it was changed. */
  wake(webhookId: string): void {
    const shift = this.#shift;
    if (shift === null) return;
    const lane = shift.lanes.get(webhookId) ?? { running: null, woken: false, timer: null };
    shift.lanes.set(webhookId, lane);
    if (lane.running !== null) {
      lane.woken = true;
      return;
    }
    if (lane.timer !== null) clearTimeout(lane.timer);
    lane.timer = null;
    lane.running = this.#run(shift, webhookId, lane);
  }

  /** One message now, beside what waits and whether it is started or not; nothing is written down. */
  send(message: Message, signal: AbortSignal = this.#closing.signal): Promise<Attempt> {
    return sendMessage(message, {
      toLocal: this.toLocal,
      now: this.#now,
      signal,
      attemptMsMax: this.#attemptMsMax,
    });
  }

  /** Gives up messages under way: who sends next sends them again. Resolves when there are none any more. */
  async stop(): Promise<void> {
    this.#end(0);
    await this.#ended;
  }

  /** Messages under way get a moment; what did not arrive is sent after the next start. */
  async close(): Promise<void> {
    this.#end(webhookCloseMsMax);
    await this.#ended;
    // Tests of webhooks are nobody's lane: who asked for one is gone.
    this.#closing.abort();
  }

  #end(msMax: number): void {
    const shift = this.#shift;
    if (shift === null) return;
    this.#shift = null;
    shift.over = true;
    this.#ended = Promise.all([this.#ended, endShift(shift, msMax)]);
  }

  /** A server of the fleet that was cut off for a moment has not heard everything: what it missed is in the store. */
  async #look(signal: AbortSignal): Promise<void> {
    try {
      const ids = await this.#store.read(webhooksWithWork);
      if (signal.aborted) return;
      // Who sleeps or sends knows what it waits for; an edit that it did not hear of is seen when it wakes.
      for (const id of ids) if (this.#shift?.lanes.has(id) === false) this.wake(id);
    } catch (error) {
      this.#log.error(
        { event: 'webhook_look_failed', err: error },
        'webhook messages wait for the store',
      );
    }
  }

  async #run(shift: Shift, webhookId: string, lane: Lane): Promise<void> {
    let waitMs: number | null = null;
    try {
      do {
        lane.woken = false;
        waitMs = await this.#sendWhatIsDue(shift, webhookId);
      } while (lane.woken && !shift.over);
    } catch (error) {
      this.#log.error(
        { event: 'webhook_store_unavailable', err: error, webhook: webhookId },
        'webhook messages wait for the store',
      );
      waitMs = webhookFaultRetryMs;
    }
    lane.running = null;
    if (waitMs === null || shift.over) {
      shift.lanes.delete(webhookId);
      return;
    }
    const sleepMs = Math.min(waitMs, webhookSleepMsMax);
    lane.timer = setTimeout(() => this.wake(webhookId), sleepMs);
  }

  /** Milliseconds until there is more to do; null: nothing waits, or the shift is over. */
  async #sendWhatIsDue(shift: Shift, webhookId: string): Promise<number | null> {
    while (!shift.over) {
      const nowMs = this.#now();
      const next = await this.#store.read(async (db) => {
        const webhook = await findWebhook(db, webhookId);
        if (webhook === null || webhook.disabledAtMs !== null) return null;
        const secrets = await signingSecrets(db, webhookId, nowMs);
        return { url: webhook.url, secrets, ...(await nextDelivery(db, webhookId, nowMs)) };
      });
      if (next === null || next.atMs === null) return null;
      if (next.delivery === null) return Math.max(1, next.atMs - nowMs);
      if (shift.over) return null;
      await this.#deliver(shift, next.delivery, next.url, next.secrets);
    }
    return null;
  }

  async #deliver(
    shift: Shift,
    delivery: DeliveryWithBody,
    url: string,
    secrets: readonly string[],
  ): Promise<void> {
    const { id, webhookId, eventId, payload } = delivery;
    const { signal } = shift.ending;
    const attempt = await this.send({ id: eventId, url, secrets, body: payload }, signal);
    // Given up because the shift ends: it was no attempt.
    if (signal.aborted && attempt.error !== '') return;
    const { value } = await this.#store.write(systemActor, (write) =>
      recordAttempt(write, delivery, attempt, Math.random(), this.#delaysMs),
    );
    const about = { webhook: webhookId, delivery: id, attempt: delivery.attempts + 1 };
    if (attempt.error !== '') {
      this.#log.info(
        { event: 'webhook_attempt_failed', ...about, error: attempt.error },
        'a webhook message was not delivered',
      );
    }
    if (value.switchedOff !== null) {
      this.#log.warn(
        { event: 'webhook_disabled', ...about, reason: value.switchedOff },
        'a webhook was switched off',
      );
    }
  }
}

/** @param msMax how long messages under way may take */
async function endShift(shift: Shift, msMax: number): Promise<void> {
  shift.unsubscribe();
  if (msMax === 0) shift.ending.abort();
  const late = setTimeout(() => shift.ending.abort(), msMax);
  await shift.looks.stop();
  for (const { timer } of shift.lanes.values()) if (timer !== null) clearTimeout(timer);
  await Promise.all([...shift.lanes.values()].map((lane) => lane.running));
  clearTimeout(late);
}
