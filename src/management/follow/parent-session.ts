/**
 * A follower's part of the way to its parent: asks for what comes next, and says with it how far this server and those below it
 * are. What changes while the parent holds the question is said in a report.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { PublishedPosition } from '../../published/writer.js';
import { ConditionVariable } from '../condition-variable.js';
import {
  followBeatMs,
  followLeaveMs,
  followReportMs,
  followRetryMsMax,
  followRetryMsMin,
  followServeMs,
} from '../limits/follow.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import type { Below } from './followers.js';
import type { ParentRequests } from './parent-requests.js';
import type { NextPosition, ParentStore } from './parent-store.js';
import type { RelayedReports } from './relayed-reports.js';
import { type FollowerReport, type FollowerState, followPaths } from './wire.js';

const parentUp = metric({
  name: 'loadout_parent_up',
  help: '1 while the parent responds; 0: players are served what was published last.',
  onlyIf: 'on a server with `--follow`',
});

export const parentMetrics: readonly Metric[] = [parentUp];

export interface ParentSessionParts {
  readonly requests: Pick<ParentRequests, 'json' | 'url'>;
  readonly store: Pick<ParentStore, 'next'>;
  readonly relayed: Pick<RelayedReports, 'pass' | 'isEmpty'>;
  readonly self: Pick<FollowerReport, 'id' | 'name' | 'address' | 'version'>;
  readonly served: () => PublishedPosition;
  readonly serving: () => number;
  readonly below: () => Below;
  /** The parent has another position. */
  readonly pull: () => void;
  /** It responds again. */
  readonly resume: () => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export class ParentSession {
  readonly #parts: ParentSessionParts;
  readonly #startedMs = performance.now();
  readonly #run = randomUUID();
  readonly #changed = new ConditionVariable();
  readonly #ended = new AbortController();
  #isUp = true;
  #failures = 0;
  /** Whether the parent holds a question, which says where this server was then. */
  #isAsking = false;
  /** What was said last of this server and those below it. */
  #said = '';
  #saidMs = 0;
  #saidCount = 0;
  #isMoved = false;
  #isReported = true;
  #isWaitedFor = true;

  constructor(parts: ParentSessionParts) {
    this.#parts = parts;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  start(): void {
    void this.#ask();
    void this.#reportAll();
  }

  /** This server or one below it serves another position. */
  moved(): void {
    if (this.#isMoved) return;
    this.#isMoved = true;
    // Once for all that report in the same turn of the event loop: a look at them costs as much as there are.
    setImmediate(() => {
      this.#isMoved = false;
      this.#changed.notify();
    });
  }

  /** From then on no edit waits for this server. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#changed.notify();
    // The timer alone does not keep the process from ending.
    const late = pause(followLeaveMs, undefined, { ref: false });
    await Promise.race([this.#report(true).catch(() => undefined), late]);
  }

  gauges(): Gauge[] {
    return [sample(parentUp, this.#isUp ? 1 : 0)];
  }

  async #ask(): Promise<void> {
    const { store, served, pull } = this.#parts;
    // What was told is what is waited to change: what cannot be read yet is tried again by publishing itself.
    let known: PublishedPosition = served();
    while (!this.#isOver) {
      try {
        const { isWaitedFor, ...next } = await this.#next(store, known);
        if (this.#isOver) return;
        this.#responded();
        this.#waitedFor(isWaitedFor);
        if (!isSame(next, known)) {
          pull();
          // The next question says that it is served, or a later one.
          const isThere = (): boolean =>
            this.#isOver || isSame(next, served()) || served().sequence > next.sequence;
          await this.#changed.untilOrTimeout(isThere, followServeMs);
        }
        known = next;
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  async #next(store: ParentSessionParts['store'], known: PublishedPosition): Promise<NextPosition> {
    this.#isAsking = true;
    try {
      return await store.next(known, this.#say());
    } finally {
      this.#isAsking = false;
    }
  }

  /** What the question did not say: it is held while this changes, and says nothing of what delivery processes have counted. */
  async #reportAll(): Promise<void> {
    const { relayed } = this.#parts;
    while (!this.#isOver) {
      const isDue = (): boolean =>
        this.#isOver || (this.#isAsking && wordsOf(this.#state()) !== this.#said);
      // What waits beyond one report is sent by the next ones, without a long pause.
      const waitMs = relayed.isEmpty ? followReportMs : followReportMs / 2;
      const isNews = await this.#changed.untilOrTimeout(isDue, waitMs);
      if (this.#isOver) return;
      const isSilent = performance.now() - this.#saidMs >= followBeatMs;
      if (!isNews && !isSilent && relayed.isEmpty) continue;
      try {
        await this.#report(false);
        this.#isReported = true;
      } catch (error) {
        await this.#notReported(error);
      }
    }
  }

  async #report(leaves: boolean): Promise<void> {
    const { requests, relayed } = this.#parts;
    await relayed.pass(async (taken) => {
      const report: FollowerReport = { ...this.#say(), leaves, relayed: taken };
      await requests.json({ path: followPaths.report, body: report, schema: z.object({}) });
    });
  }

  #say(): FollowerState {
    const state = this.#state();
    this.#said = wordsOf(state);
    this.#saidMs = performance.now();
    this.#saidCount += 1;
    return state;
  }

  #state(): FollowerState {
    const { self, served, serving, below } = this.#parts;
    const { sequence, mark } = served();
    return {
      ...{ ...self, run: this.#run, said: this.#saidCount },
      ...{ served: { sequence, mark }, serving: serving(), ...below() },
      upMs: performance.now() - this.#startedMs,
    };
  }

  #responded(): void {
    this.#failures = 0;
    if (this.#isUp) return;
    this.#isUp = true;
    const { log, requests, resume } = this.#parts;
    log.info({ event: 'parent_back', parent: requests.url }, 'the parent responds again');
    resume();
  }

  async #failed(error: unknown): Promise<void> {
    if (this.#isOver) return;
    if (this.#isUp) {
      this.#isUp = false;
      this.#parts.log.warn(
        { event: 'parent_away', err: error },
        'the parent is away: players are served what was published last',
      );
    }
    const retryMs = Math.min(followRetryMsMax, followRetryMsMin * 2 ** this.#failures);
    this.#failures += 1;
    // Many followers lost the same parent: they do not all come back at the same moment.
    const jitteredMs = retryMs * (0.5 + Math.random());
    await pause(jitteredMs, null, { signal: this.#ended.signal }).catch(() => undefined);
  }

  async #notReported(error: unknown): Promise<void> {
    if (this.#isOver) return;
    // It is said again once the parent takes it.
    this.#said = '';
    // Otherwise it is away, which is logged already.
    if (this.#isReported && this.#isUp) {
      this.#parts.log.warn(
        { event: 'follow_report_failed', err: error },
        'the parent has refused a report of this server',
      );
    }
    this.#isReported = false;
    await pause(followRetryMsMax * (0.5 + Math.random()), null, {
      signal: this.#ended.signal,
    }).catch(() => undefined);
  }

  #waitedFor(isWaitedFor: boolean): void {
    if (!isWaitedFor && this.#isWaitedFor) {
      this.#parts.log.warn(
        { event: 'follower_not_waited_for', parent: this.#parts.requests.url },
        'the parent has as many followers as its --followers-max allows: edits do not wait for this server',
      );
    }
    this.#isWaitedFor = isWaitedFor;
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }
}

function isSame(one: PublishedPosition, other: PublishedPosition): boolean {
  return one.sequence === other.sequence && one.mark === other.mark;
}

/** What edits wait for: where it differs, the parent is told at once. Names and times follow with the next question. */
function wordsOf({ served, serving, tree, live, away }: FollowerState): string {
  return JSON.stringify([served, serving, tree, live, away]);
}
