/** The place of one delivery process: starts its process, starts it again when it ends, and puts another in its place. */
import type { Logger } from 'pino';
import type {
  AssignedReport,
  DeliveryOptions,
  KeyUse,
  ReceiptBatch,
} from '../../published/barrier.js';
import type { RequestReport } from '../../published/request-report.js';
import type { SeenTraffic } from '../../published/traffic.js';
import type { ConditionVariable } from '../condition-variable.js';
import { drainMsMax, restartDelayMsMax } from '../limits/processes.js';
import { DeliveryProcess } from './delivery-process.js';
import type { RestartCounts } from './restart-counts.js';

/** A process that lived this long is restarted at once when it ends; one that did not, ever later. */
const livedMs = 5_000;
const restartDelayMsMin = 100;

export const cannotStart = 'A new delivery process could not start; the old ones go on.';

interface SlotDeps {
  readonly options: DeliveryOptions;
  /** A process acknowledged a sequence, or its state changed. */
  readonly moved: (child: DeliveryProcess) => void;
  /** A process reports which keys were used. */
  readonly used: (keys: readonly KeyUse[]) => void;
  /** A process reports what requests carried. */
  readonly traffic: (seen: readonly SeenTraffic[]) => void;
  /** A process reports players of ramps that have started a game. */
  readonly receipts: (batches: readonly ReceiptBatch[]) => void;
  /** A process reports users of experiments that run. */
  readonly assigned: (report: AssignedReport) => void;
  /** A process reports requests, and why some were rejected. */
  readonly requests: (report: RequestReport) => void;
  /** A process has ended without having written so many events. */
  readonly eventsLost: (count: number) => void;
  /** A process is gone, and whatever it had open is closed. */
  readonly ended: (pid: number) => void;
  /** A process found published.db damaged, or could not load it (null). */
  readonly damaged: (detail: string | null) => void;
  /** A line of a process's log. */
  readonly logged: (line: string) => void;
  /** Of all slots. */
  readonly restarts: RestartCounts;
  /** Notified of every change, the end of a process included. */
  readonly watch: ConditionVariable;
  readonly log: Logger;
}

export class ProcessSlot {
  readonly number: number;
  readonly #deps: SlotDeps;
  /** The process whose place this is; null while it waits for its restart. */
  #current: DeliveryProcess | null = null;
  /** The one that is to take the place as soon as it serves. */
  #successor: DeliveryProcess | null = null;
  /** Those that gave up the place and finish what they have. */
  readonly #leaving = new Set<DeliveryProcess>();
  #restart: NodeJS.Timeout | undefined;
  #stopping = false;
  /** No process may be started for now; and whether one was to be. */
  #held = false;
  #startHeld = false;
  /** Processes in a row that ended soon after their start without having served. */
  failures = 0;
  /** Why the last one ended. */
  failure = '';

  constructor(number: number, deps: SlotDeps) {
    this.number = number;
    this.#deps = deps;
  }

  get current(): DeliveryProcess | null {
    return this.#current;
  }

  /** All its processes that live. */
  get processes(): DeliveryProcess[] {
    const living = [this.#current, this.#successor, ...this.#leaving];
    return living.filter((child) => child !== null);
  }

  start(): void {
    if (this.#held) this.#startHeld = true;
    else this.#current = this.#spawn(this.#deps.options);
  }

  /** Starts no process until `letGo`. */
  hold(): void {
    this.#held = true;
  }

  letGo(): void {
    this.#held = false;
    if (this.#startHeld && !this.#stopping) this.start();
    this.#startHeld = false;
    this.#deps.watch.notify();
  }

  /**
   * Puts a new process in the place of the current one, which drains once the new one serves.
   * Rejects when the new one ends before that; the old one goes on.
   * @param trial options that no process has served with yet; null: those of every process
   * @param serves is called when the new one serves, before the old one drains
   */
  async replace(trial: DeliveryOptions | null, serves: () => void): Promise<void> {
    await this.#deps.watch.until(() => !this.#held || this.#stopping);
    const old = this.#current;
    // A process that waits for its restart is a new one anyway, but not one with other options.
    if (this.#stopping || (old === null && trial === null)) return;
    const successor = this.#spawn(trial ?? this.#deps.options);
    if (old === null) {
      clearTimeout(this.#restart);
      this.#current = successor;
    } else {
      this.#successor = successor;
    }
    await this.#deps.watch.until(() => {
      return successor.state === 'serving' || successor.state === 'ended' || this.#stopping;
    });
    if (this.#stopping) return;
    if (successor.state === 'ended') {
      // Without the old one its end was like any other's: another was started.
      if (this.#current !== old) return;
      throw new Error([cannotStart, successor.failure].join(' ').trim());
    }
    this.#successor = null;
    this.#current = successor;
    this.#deps.restarts.replaced += 1;
    if (old !== null && old.state !== 'ended') this.#leaving.add(old);
    serves();
    await old?.drain(drainMsMax);
  }

  /** Drains all of them; resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    this.#deps.watch.notify();
    await Promise.all(this.processes.map((child) => child.drain(drainMsMax)));
  }

  #spawn(options: DeliveryOptions): DeliveryProcess {
    return new DeliveryProcess(this.number, options, {
      moved: (child) => {
        if (child.state === 'serving') this.failures = 0;
        this.#deps.moved(child);
        this.#deps.watch.notify();
      },
      ended: (child, reason) => {
        this.#deps.ended(child.pid);
        this.#ended(child, reason);
        this.#deps.watch.notify();
      },
      used: this.#deps.used,
      traffic: this.#deps.traffic,
      receipts: this.#deps.receipts,
      assigned: this.#deps.assigned,
      requests: this.#deps.requests,
      eventsLost: this.#deps.eventsLost,
      damaged: this.#deps.damaged,
      logged: this.#deps.logged,
    });
  }

  #ended(child: DeliveryProcess, reason: string): void {
    if (this.#leaving.delete(child) || this.#stopping) return;
    const { pid } = child;
    this.#deps.log.error(
      { event: 'delivery_process_ended', slot: this.number, pid, reason },
      'a delivery process ended',
    );
    // It may have ended of what it read: a signal says nothing of it.
    if (!child.hasLoaded) this.#deps.damaged(null);
    if (child === this.#successor) {
      this.#successor = null;
      return;
    }
    this.#deps.restarts[child.wasKilled ? 'killed' : 'died'] += 1;
    this.#current = this.#successor;
    this.#successor = null;
    if (this.#current === null) this.#startLater(child, reason);
  }

  /** The first restart is immediate whatever happened; the next ones wait, ever longer. */
  #startLater(ended: DeliveryProcess, reason: string): void {
    const lived = Date.now() - ended.startedAtMs >= livedMs;
    this.failures = lived ? 0 : this.failures + 1;
    this.failure = reason;
    const delayMs =
      this.failures <= 1 ? 0 : Math.min(restartDelayMsMax, restartDelayMsMin * 2 ** this.failures);
    this.#restart = setTimeout(() => this.start(), delayMs);
  }
}
