/** Exposures and metric events of one player: a queue, which is stored, and sent where the server takes events. */
import { checksum, toHex } from './checksum.js';
import { post } from './exchange.js';
import type { ItemStore } from './item-store.js';
import type { Player } from './player.js';
import type { Run } from './run.js';

/** What is kept while nothing can be sent. */
const eventsMax = 1_000;
const queueBytesMax = 256 * 1024;
/** Of a request's body. */
const bodyBytesMax = 64 * 1024;
/** Events of so long go together. */
const gatherMs = 10_000;
/** With so many failures in a row a run without updates gives up. */
const failuresMax = 4;
const retrySecondsMax = 300;
const nameCharsMax = 100;

interface Queued {
  readonly event: object;
  readonly bytes: number;
}

export class Events {
  private readonly run: Run;
  private readonly items: ItemStore;
  private readonly player: Player;
  private queue: Queued[] = [];
  /** What the player saw in this run: ids with tags. */
  private readonly exposed = new Set<string>();
  private failures = 0;
  private cancelTimer: (() => void) | null = null;
  private abandonRequest: (() => void) | null = null;
  private waiters: (() => void)[] = [];

  constructor(run: Run, items: ItemStore, player: Player) {
    this.run = run;
    this.items = items;
    this.player = player;
  }

  load(): Promise<void> {
    return this.items.inOrder(async () => {
      const stored = await this.items.read(`${this.player.prefix}-events`);
      if (stored?.owner !== this.player.owner) return;
      const added = this.queue.splice(0).map(({ event }) => event);
      for (const event of [...stored.events, ...added]) this.add(event);
    });
  }

  expose(id: string): void {
    const entry = this.player.active?.entries.get(id.toLowerCase());
    if (!entry || entry.seg.length === 0) return;
    const { tag, seg } = entry;
    const key = `${entry.id} ${tag}`;
    if (this.exposed.has(key)) return;
    if (this.push({ t: 'exposure', id: entry.id, tag, seg })) this.exposed.add(key);
  }

  track(name: string, value: number): void {
    const isMetric = name.length > 0 && name.length <= nameCharsMax && Number.isFinite(value);
    if (isMetric) this.push({ t: 'metric', n: name, x: value });
  }

  /** Sends what is queued, a while later. */
  gather(): void {
    if (!this.cancelTimer && !this.abandonRequest && this.canSend()) this.later(gatherMs);
  }

  /** Completes when all was sent, with a failure, or at once where nothing may be sent. */
  async flush(): Promise<void> {
    void this.save();
    if (this.canSend()) {
      const sent = new Promise<void>((resolve) => this.waiters.push(resolve));
      if (!this.abandonRequest) this.send();
      await sent;
    }
    await this.save();
  }

  empty(): void {
    this.queue = [];
    void this.save();
  }

  /** Ends the timer and the request, and stores what is queued. */
  halt(): Promise<unknown> {
    this.cancelTimer?.();
    this.abandonRequest?.();
    this.cancelTimer = this.abandonRequest = null;
    this.settle();
    return this.save();
  }

  private canSend(): boolean {
    const { isActive, isKeyRejected, takesEvents, hasConsent } = this.run;
    return isActive && !isKeyRejected && takesEvents && hasConsent && this.queue.length > 0;
  }

  private push(event: object): boolean {
    const { run } = this;
    if (!run.hasConsent || this.player.user === '') return false;
    const at = new Date(run.nowMs()).toISOString();
    const eid = toHex(run.random() * 2 ** 32) + toHex(run.random() * 2 ** 32);
    this.add({ ...event, at, eid });
    this.gather();
    return true;
  }

  private add(event: object): void {
    const { bytes } = checksum(JSON.stringify(event));
    this.queue.push({ event, bytes });
    const count = this.queue.length;
    let left = queueBytesMax;
    for (const each of this.queue) left -= each.bytes;
    while (this.queue.length > eventsMax || left < 0) left += this.queue.shift()?.bytes ?? 0;
    this.logDropped(count - this.queue.length);
  }

  private logDropped(count: number): void {
    if (count > 0) this.run.log('events_dropped', `Events that were dropped: ${count}.`);
  }

  private send(): void {
    const { run } = this;
    const { user } = this.player;
    let left = bodyBytesMax - checksum(JSON.stringify({ u: user, events: [] })).bytes;
    const fitting = this.queue.filter(({ bytes }) => {
      left -= bytes + 1;
      return left >= 0;
    });
    this.cancelTimer?.();
    this.cancelTimer = null;
    const events = fitting.map(({ event }) => event);
    this.abandonRequest = post(run, 'events', { u: user, events }, {}, (outcome) => {
      this.abandonRequest = null;
      if ('code' in outcome && !outcome.isFinal) return this.retry(outcome.retryAfterMs);
      if ('code' in outcome) run.log('events_rejected', `Events: ${outcome.code}.`);
      this.failures = 0;
      this.queue = this.queue.filter((each) => !fitting.includes(each));
      if (this.canSend()) return this.send();
      void this.save();
      this.settle();
    });
  }

  private retry(retryAfterMs: number): void {
    const { run } = this;
    this.failures += 1;
    this.settle();
    if (run.options.updates === 'none' && this.failures >= failuresMax) return;
    this.later(run.backoffMs(this.failures, retrySecondsMax) + retryAfterMs);
  }

  private later(ms: number): void {
    this.cancelTimer = this.run.clock.setTimer(
      () => {
        this.cancelTimer = null;
        if (this.canSend()) this.send();
      },
      ms,
      true,
    );
  }

  private settle(): void {
    for (const waiter of this.waiters.splice(0)) waiter();
  }

  private save(): Promise<unknown> {
    return this.items.inOrder(() => {
      const events = this.queue.map(({ event }) => event);
      const { owner, prefix } = this.player;
      return this.items.write(`${prefix}-events`, events.length ? { owner, events } : undefined);
    });
  }
}
