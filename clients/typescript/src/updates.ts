/** Asks the server for the player's configuration: refreshes with their retries, polls, and the stream beside them. */
import { ChangeStream } from './change-stream.js';
import type { Entry, Page } from './configuration.js';
import { readPage } from './configuration.js';
import { type Failure, failureOf, hasType, post, type Response, unauthorized } from './exchange.js';
import type { Player } from './player.js';
import type { Run } from './run.js';

/** About what a phone takes in within the time of one request. */
const pageBytesMax = 2 ** 20;
/** With so many failures in a row what waits for the server completes. */
const failuresMax = 4;
/** Between two attempts. */
const retrySecondsMax = 300;
/** What a server ever asks for: beyond it the device's clock was moved. */
const holdMsMax = 300_000;
/** How long the server may be behind the instant that an event named. */
const atMsMax = 60_000;

/** Called when the server has been used, or cannot be. */
type Waiter = (failure: string | null, hasChanged: boolean) => void;

export interface UpdatesDeps {
  /** The server cannot be used. */
  failed(code: string): void;
  /** A complete response came, which says whether events are taken. */
  completed(takesEvents: boolean): void;
}

export class Updates {
  private readonly run: Run;
  private readonly deps: UpdatesDeps;
  private readonly stream: ChangeStream;
  private player: Player | null = null;
  /** The entries that came, also of a refresh that was interrupted, by id in lower case. */
  private held = new Map<string, Entry>();
  private waiters: Waiter[] = [];
  private abandonRequest: (() => void) | null = null;
  private cancelTimer: (() => void) | null = null;
  private failures = 0;
  /** The code of the last failure in the row. */
  private lastFailure: string | null = null;
  private holdUntilMs = 0;
  private store = '';
  /** The last one seen in this run; -1: none. */
  private sequence = -1;
  private notReached = 0;
  /** Events of the stream that were taken: a refresh that was asked before one is asked again. */
  private eventCount = 0;
  private at: { readonly text: string; readonly cameAtMs: number } | null = null;

  constructor(run: Run, deps: UpdatesDeps) {
    this.run = run;
    this.deps = deps;
    this.stream = new ChangeStream(run, {
      body: () => this.body(),
      headers: () => this.headers(),
      isWanted: () => this.isPermitted(),
      opened: () => this.cancelPoll(),
      closed: (failure) => this.streamClosed(failure),
      take: (text) => this.takeEvent(text),
    });
  }

  /** Another player: what is under way for the one before is abandoned. */
  enter(player: Player | null): void {
    this.player = player;
    this.held = new Map(player?.held);
  }

  wait(waiter: Waiter): void {
    this.waiters.push(waiter);
  }

  /** Why what waits has not got a configuration yet. */
  get reason(): string {
    return this.lastFailure ?? 'timeout';
  }

  /** Asks as soon as the server permits it. During a request it joins that one. */
  ask(): void {
    if (this.abandonRequest !== null || !this.isPermitted()) return;
    this.clearTimer();
    const holdMs = this.holdUntilMs - this.run.clock.wallMs();
    if (holdMs > 0 && holdMs <= holdMsMax) this.later(holdMs);
    else this.request();
  }

  /** Ends requests, the stream and timers, until the next `ask`. */
  halt(): void {
    this.abandonRequest?.();
    this.abandonRequest = null;
    this.clearTimer();
    this.stream.close();
  }

  /** Completes what waits. */
  settle(failure: string | null, hasChanged = false): void {
    for (const waiter of this.waiters.splice(0)) waiter(failure, hasChanged);
  }

  private isPermitted(): boolean {
    return this.run.isActive && !this.run.isKeyRejected && this.player !== null;
  }

  private body(): unknown {
    const { appVersion, ids } = this.run.options;
    const have: Record<string, string> = {};
    for (const { id, tag } of this.held.values()) have[id] = tag;
    const { at, run } = this;
    const isRecent = at !== null && run.clock.wallMs() - at.cameAtMs < atMsMax;
    return {
      u: this.player?.user,
      p: run.attributes,
      v: appVersion,
      ids,
      have,
      bytesMax: pageBytesMax,
      ...(isRecent && { at: at.text }),
    };
  }

  private headers(): Record<string, string> {
    if (this.sequence < 0 || this.notReached > 1) return {};
    return { 'X-Min-Sequence': String(this.sequence) };
  }

  private request(): void {
    const { eventCount, run } = this;
    const path = 'refresh?responseType=serialized';
    this.abandonRequest = post(run, path, this.body(), this.headers(), (outcome) => {
      this.abandonRequest = null;
      if ('code' in outcome) this.fail(outcome);
      // The response may be older than the event.
      else if (eventCount !== this.eventCount) this.request();
      else this.takeResponse(outcome);
    });
  }

  private takeResponse({ status, header, text }: Response): void {
    const isOurs = status === 200 && hasType(header, 'application/json');
    const page = isOurs ? readPage(text) : null;
    const isNew = page?.entries.some(({ id, tag }) => this.held.get(id.toLowerCase())?.tag !== tag);
    // With nothing new and more to come it would go on for ever.
    if (page === null || (page.more && !isNew)) return this.fail(failureOf('garbage'));
    this.run.setClock(header('date'));
    if (this.isStale(page)) return this.fail(failureOf('stale'));
    this.merge(page);
    if (page.more) return this.request();
    this.failures = 0;
    this.lastFailure = null;
    void this.complete(page).then((hasChanged) => this.settle(null, hasChanged));
    this.stream.open();
    this.schedulePoll();
  }

  /** @returns whether the event is one */
  private takeEvent(text: string): boolean {
    const page = readPage(text);
    if (page === null) return false;
    // It says what a refresh has brought already.
    if (this.isStale(page)) return true;
    this.eventCount += 1;
    if (page.at !== undefined) this.at = { text: page.at, cameAtMs: this.run.clock.wallMs() };
    this.merge(page);
    if (!page.more) void this.complete(page);
    return true;
  }

  private isStale({ origin }: Page): boolean {
    return origin.store === this.store && origin.sequence < this.sequence && this.notReached < 2;
  }

  private merge({ origin, entries, gone }: Page): void {
    this.store = origin.store;
    this.sequence = origin.sequence;
    this.notReached = 0;
    for (const entry of entries) this.held.set(entry.id.toLowerCase(), entry);
    for (const id of gone) this.held.delete(id.toLowerCase());
  }

  private async complete(page: Page): Promise<boolean> {
    const { player } = this;
    const hasChanged = await (player as Player).take(new Map(this.held), page.origin);
    if (player === this.player) this.deps.completed(page.takesEvents);
    return hasChanged;
  }

  private fail({ code, isFinal, retryAfterMs }: Failure): void {
    this.countNotReached(code);
    this.holdUntilMs = this.run.clock.wallMs() + retryAfterMs;
    this.lastFailure = code;
    if (isFinal) return this.reject(code);
    this.failures += 1;
    if (this.failures === failuresMax) this.deps.failed(code);
    if (this.failures >= failuresMax) {
      this.settle(code);
      if (this.run.options.updates === 'none') return;
    }
    this.later(this.run.backoffMs(this.failures, retrySecondsMax) + retryAfterMs);
  }

  /** The same request would be rejected again. */
  private reject(code: string): void {
    if (code === unauthorized) {
      this.run.isKeyRejected = true;
      this.halt();
    }
    this.deps.failed(code);
    this.settle(code);
    this.schedulePoll();
  }

  private countNotReached(code: string): void {
    if (code === 'sequence_not_reached') this.notReached += 1;
    else if (this.notReached < 2) this.notReached = 0;
  }

  private streamClosed(failure: Failure | null): void {
    if (failure) this.countNotReached(failure.code);
    if (failure?.code === unauthorized) this.reject(unauthorized);
    else this.schedulePoll();
  }

  private schedulePoll(): void {
    const { run, stream } = this;
    const { updates, pollSeconds = 300 } = run.options;
    const isBusy = this.cancelTimer !== null || this.abandonRequest !== null;
    if (isBusy || stream.isOpen || updates === 'none' || !this.isPermitted()) return;
    const pollMs = pollSeconds * 1000 * (0.8 + 0.4 * run.random());
    const changesAtMs = Date.parse(this.player?.latest?.changesAt ?? '');
    const changeMs = changesAtMs - run.nowMs() + 2000 + 1000 * run.random();
    this.later(changeMs > 0 && changeMs < pollMs ? changeMs : pollMs);
  }

  /** With the stream open there are no polls; a retry that something waits for stays. */
  private cancelPoll(): void {
    if (this.waiters.length === 0) this.clearTimer();
  }

  private later(ms: number): void {
    this.clearTimer();
    const isBackground = this.waiters.length === 0;
    this.cancelTimer = this.run.clock.setTimer(
      () => {
        this.cancelTimer = null;
        this.ask();
      },
      ms,
      isBackground,
    );
  }

  private clearTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }
}
