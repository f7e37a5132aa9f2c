/**
 * Sends what waits for webhooks: each has a queue of its own, which sends one message at a time, so that a slow
 * receiver delays no other. What waits is in the store: a queue that ends, however it ends, is continued from there,
 * by this server or by another one of the fleet.
 */
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { WebhookFormat } from '../../contract/events.js';
import { webhooksMax } from '../../contract/limits.js';
import { PeriodicJob } from '../jobs/periodic-job.js';
import {
  chatPaceMs,
  webhookAttemptMsMax,
  webhookCloseMsMax,
  webhookErrorRetryMs,
  webhookLookEveryMs,
  webhookSleepMsMax,
} from '../limits/webhooks.js';
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
interface Run {
  readonly queues: Map<string, Queue>;
  /** By webhook: nothing is sent to its URL before, for its service limits rates. */
  readonly rests: Map<string, Rest>;
  /** Gives messages under way up. */
  readonly ending: AbortController;
  readonly unsubscribe: () => void;
  /** Looks now and then for what no commit event announced. */
  readonly looks: PeriodicJob;
  over: boolean;
}

interface Rest {
  readonly url: string;
  /** Since the epoch. */
  readonly untilMs: number;
}

interface Queue {
  /** Null: it sleeps, or is done. */
  running: Promise<void> | null;
  /** Something came while it ran: it looks again before it sleeps. */
  woken: boolean;
  timer: NodeJS.Timeout | null;
}

export class WebhookDispatcher {
  readonly #options: Required<DispatcherOptions>;
  /** Null: it is stopped. */
  #present: Run | null = null;
  /** Resolves when every run that was begun has ended. */
  #ended: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(options: DispatcherOptions) {
    this.#options = {
      delaysMs: retryDelaysMs,
      attemptMsMax: webhookAttemptMsMax,
      lookEveryMs: webhookLookEveryMs,
      ...options,
    };
    // One listener per test of a webhook under way.
    setMaxListeners(2 * webhooksMax, this.#closing.signal);
  }

  /** Whether messages may go to loopback and link-local addresses. */
  get toLocal(): boolean {
    return this.#options.toLocal;
  }

  /** Begins with what an earlier server left, and goes on with what is written from now on. */
  start(): void {
    if (this.#present !== null || this.#closing.signal.aborted) return;
    const ending = new AbortController();
    // One listener per message: of each webhook one under way, and one whose connection closes.
    setMaxListeners(2 * webhooksMax, ending.signal);
    const unsubscribe = this.#options.store.onCommit(({ webhooks = [] }) => {
      for (const id of webhooks) this.wake(id);
    });
    const looks = new PeriodicJob((signal) => this.#look(signal), {
      firstMs: 0,
      everyMs: this.#options.lookEveryMs,
      log: this.#options.log,
      event: 'webhook_look_failed',
      failed: 'webhook messages wait for the store',
    });
    this.#present = {
      queues: new Map(),
      rests: new Map(),
      ending,
      unsubscribe,
      looks,
      over: false,
    };
    looks.start();
  }

  /** Looks what there is to send to a webhook, if it is this server that sends: something came, or it was changed. */
  wake(webhookId: string): void {
    const run = this.#present;
    if (run === null) return;
    const queue = run.queues.get(webhookId) ?? { running: null, woken: false, timer: null };
    run.queues.set(webhookId, queue);
    if (queue.running !== null) {
      queue.woken = true;
      return;
    }
    if (queue.timer !== null) clearTimeout(queue.timer);
    queue.timer = null;
    queue.running = this.#run(run, webhookId, queue);
  }

  /** One message now, beside what waits and whether it is started or not; nothing is written down. */
  send(message: Message, signal: AbortSignal = this.#closing.signal): Promise<Attempt> {
    return sendMessage(message, { ...this.#options, signal });
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
    // Tests of webhooks are in no queue: their requests have ended.
    this.#closing.abort();
  }

  #end(msMax: number): void {
    const run = this.#present;
    if (run === null) return;
    this.#present = null;
    run.over = true;
    this.#ended = Promise.all([this.#ended, endRun(run, msMax)]);
  }

  /** Commits of other servers may have been missed while this one was cut off. What they queued is in the store. */
  async #look(signal: AbortSignal | undefined): Promise<void> {
    const ids = await this.#options.store.read(webhooksWithWork);
    if (signal?.aborted === true) return;
    // A queue that sleeps or sends knows what it waits for; it finds an edit that it missed when it wakes.
    for (const id of ids) if (this.#present?.queues.has(id) === false) this.wake(id);
  }

  async #run(run: Run, webhookId: string, queue: Queue): Promise<void> {
    let waitMs: number | null = null;
    try {
      do {
        queue.woken = false;
        waitMs = await this.#sendWhatIsDue(run, webhookId);
      } while (queue.woken && !run.over);
    } catch (error) {
      this.#options.log.error(
        { event: 'webhook_store_unavailable', err: error, webhook: webhookId },
        'webhook messages wait for the store',
      );
      waitMs = webhookErrorRetryMs;
    }
    queue.running = null;
    if (waitMs === null || run.over) {
      run.queues.delete(webhookId);
      return;
    }
    const sleepMs = Math.min(waitMs, webhookSleepMsMax);
    queue.timer = setTimeout(() => this.wake(webhookId), sleepMs);
  }

  /** Milliseconds until there is more to do; null: nothing waits, or the run is over. */
  async #sendWhatIsDue(run: Run, webhookId: string): Promise<number | null> {
    while (!run.over) {
      const nowMs = this.#options.now();
      const next = await this.#options.store.read(async (db) => {
        const webhook = await findWebhook(db, webhookId);
        if (webhook === null || webhook.disabledAtMs !== null) return null;
        const secrets = await signingSecrets(db, webhookId, nowMs);
        const next = await nextDelivery(db, webhookId, nowMs);
        return { url: webhook.url, format: webhook.format, secrets, ...next };
      });
      if (next === null || next.atMs === null) return null;
      if (next.delivery === null) return Math.max(1, next.atMs - nowMs);
      if (run.over) return null;
      const rest = run.rests.get(webhookId);
      if (rest !== undefined && rest.url === next.url && rest.untilMs > nowMs) {
        return rest.untilMs - nowMs;
      }
      await this.#deliver(run, next.delivery, next);
    }
    return null;
  }

  async #deliver(
    run: Run,
    delivery: DeliveryWithBody,
    { url, format, secrets }: Pick<Message, 'url' | 'format' | 'secrets'>,
  ): Promise<void> {
    const { id, webhookId, eventId, payload } = delivery;
    const { signal } = run.ending;
    const attempt = await this.send({ id: eventId, url, format, secrets, body: payload }, signal);
    // Given up because the run ends: it was no attempt.
    if (signal.aborted && attempt.error !== '') return;
    const { value } = await this.#options.store.write(systemActor, (write) =>
      recordAttempt(
        write,
        delivery,
        { url, format },
        attempt,
        Math.random(),
        this.#options.delaysMs,
      ),
    );
    const restMs = restMsAfter(format, attempt);
    if (restMs > 0) run.rests.set(webhookId, { url, untilMs: this.#options.now() + restMs });
    const about = { webhook: webhookId, delivery: id, attempt: delivery.attempts + 1 };
    if (attempt.error !== '') {
      this.#options.log.info(
        { event: 'webhook_attempt_failed', ...about, error: attempt.error },
        'a webhook message was not delivered',
      );
    }
    if (value.switchedOff !== null) {
      this.#options.log.warn(
        { event: 'webhook_disabled', ...about, reason: value.switchedOff },
        'a webhook was switched off',
      );
    }
  }
}

/** A chat limits all messages to it; what another receiver asks for is about one message, which its retry minds. */
function restMsAfter(format: WebhookFormat, { status, retryAfterMs }: Attempt): number {
  return Math.max(chatPaceMs[format], format !== 'loadout' && status === 429 ? retryAfterMs : 0);
}

/** @param msMax how long messages under way may take */
async function endRun(run: Run, msMax: number): Promise<void> {
  run.unsubscribe();
  if (msMax === 0) run.ending.abort();
  const late = setTimeout(() => run.ending.abort(), msMax);
  await run.looks.stop();
  for (const { timer } of run.queues.values()) if (timer !== null) clearTimeout(timer);
  await Promise.all([...run.queues.values()].map((queue) => queue.running));
  clearTimeout(late);
}
