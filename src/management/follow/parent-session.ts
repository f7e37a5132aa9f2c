/**
 * A follower's part of the way to its parent: asks for newer positions, and reports how far this server and those below it are,
 * at once when that changes and every other beat otherwise.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { PublishedPosition } from '../../published/writer.js';
import { ConditionVariable } from '../condition-variable.js';
import { followBeatMs, followRetryMsMax, followRetryMsMin } from '../limits/follow.js';
import { type Gauge, type Metric, metric, sample } from '../metrics/definition.js';
import type { Below } from './followers.js';
import type { ParentRequests } from './parent-requests.js';
import type { ParentStore } from './parent-store.js';
import type { RelayedReports } from './relayed-reports.js';
import { type FollowerReport, followPaths } from './wire.js';

const parentUp = metric({
  name: 'loadout_parent_up',
  help: '1 while the parent responds; 0: players are served what was published last.',
  onlyIf: 'on a server with `--follow`',
});

export const parentMetrics: readonly Metric[] = [parentUp];

export interface ParentSessionParts {
  readonly requests: Pick<ParentRequests, 'json' | 'url'>;
  readonly store: Pick<ParentStore, 'position'>;
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
  readonly #changed = new ConditionVariable();
  readonly #ended = new AbortController();
  #changes = 0;
  #isUp = true;
  #failures = 0;
  #isReported = true;

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
    this.#changes += 1;
    this.#changed.notify();
  }

  /** From then on no edit waits for this server. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#changed.notify();
    await Promise.race([this.#report(true).catch(() => undefined), pause(followBeatMs)]);
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
        const { sequence, mark } = await store.position(known, true);
        this.#responded();
        if (this.#isOver) return;
        if (sequence !== known.sequence || mark !== known.mark) pull();
        known = { sequence, mark };
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  async #reportAll(): Promise<void> {
    while (!this.#isOver) {
      const { relayed } = this.#parts;
      const before = this.#changes;
      try {
        await this.#report(false);
      } catch (error) {
        await this.#notReported(error);
        continue;
      }
      this.#isReported = true;
      const isDue = (): boolean => this.#changes > before || this.#isOver;
      // What waits beyond one report is sent by the next ones, without a pause.
      if (relayed.isEmpty) await this.#changed.untilOrTimeout(isDue, followBeatMs);
      else await this.#changed.untilOrTimeout(isDue, followBeatMs / 2);
    }
  }

  async #report(leaves: boolean): Promise<void> {
    const { requests, relayed, self, served, serving, below } = this.#parts;
    await relayed.pass(async (taken) => {
      const { sequence, mark } = served();
      const report: FollowerReport = {
        ...self,
        ...{ served: { sequence, mark }, serving: serving(), ...below(), leaves, relayed: taken },
        upMs: performance.now() - this.#startedMs,
      };
      await requests.json({ path: followPaths.report, body: report, schema: z.object({}) });
    });
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

  /** The parent may be away, which is said already, or takes no report of this server. */
  async #notReported(error: unknown): Promise<void> {
    if (this.#isOver) return;
    if (this.#isReported && this.#isUp) {
      this.#parts.log.warn(
        { event: 'follow_report_failed', err: error },
        'the parent has not taken the report of this server: edits do not wait for it',
      );
    }
    this.#isReported = false;
    await pause(followRetryMsMax * (0.5 + Math.random()), null, {
      signal: this.#ended.signal,
    }).catch(() => undefined);
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }
}
