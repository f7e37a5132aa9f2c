/** Keeps the wanted number of delivery processes running, and is the publish barrier they pass together. */

import type { Logger } from 'pino';
import type {
  AssignedReport,
  DeliveryMetrics,
  DeliveryOptions,
  KeyUse,
  ReceiptBatch,
} from '../../published/barrier.js';
import { PublishedDamaged } from '../../published/damage.js';
import type { RequestReport } from '../../published/request-report.js';
import type { SeenTraffic } from '../../published/traffic.js';
import { ConditionVariable } from '../condition-variable.js';
import {
  acknowledgeMsMax,
  measureMsMax,
  releaseMsMax,
  startFailuresMax,
} from '../limits/processes.js';
import { NobodyServes } from '../nobody-serves.js';
import { ServeRejected } from '../serve-rejected.js';
import type { DeliveryProcess } from './delivery-process.js';
import { cannotStart, ProcessSlot } from './process-slot.js';
import type { RestartCounts } from './restart-counts.js';

export interface MeasuredProcess {
  readonly slot: number;
  readonly pid: number;
  readonly measures: DeliveryMetrics;
}

interface SupervisorDeps {
  readonly options: DeliveryOptions;
  /** How many processes there should be. */
  readonly count: number;
  /** What published.db holds now. */
  readonly sequence: number;
  readonly log: Logger;
  /** Receives which keys were used, now and then. */
  readonly used: (keys: readonly KeyUse[]) => void;
  /** Receives what requests carried, now and then. */
  readonly traffic: (seen: readonly SeenTraffic[]) => void;
  /** Receives players of ramps that have started a game. */
  readonly receipts: (batches: readonly ReceiptBatch[]) => void;
  /** Receives users of experiments that run. */
  readonly assigned: (report: AssignedReport) => void;
  /** Receives how many requests there were, and why some were rejected. */
  readonly requests: (report: RequestReport) => void;
  /** Receives how many events an ending process could not write. */
  readonly eventsLost: (count: number) => void;
  /** A process is gone. */
  readonly ended: (pid: number) => void;
  /** Receives that published.db was found damaged, or (null) that a process ended before it had loaded it. */
  readonly damaged: (detail: string | null) => void;
  /** Receives each line of the processes' logs, with its line break. */
  readonly logged: (line: string) => void;
}

/** A certificate that no process has served with yet. */
export interface Trial {
  /** The file that the first process to be replaced reads, instead of the one that all read. */
  readonly tlsFile: string;
  /** That process serves: the file takes the place of the other one now, for all that are started from now on. */
  readonly proven: () => void;
}

export class Supervisor {
  readonly restarts: RestartCounts = { died: 0, killed: 0, replaced: 0 };
  readonly #options: DeliveryOptions;
  readonly #log: Logger;
  readonly #slots: readonly ProcessSlot[];
  readonly #watch = new ConditionVariable();
  /** The newest sequence that published.db holds. */
  #sequence: number;
  #stopping = false;
  /** No process may open published.db for now. */
  #isHeld = false;
  #isLeaving = false;

  constructor(deps: SupervisorDeps) {
    const { options, count, sequence, log } = deps;
    this.#sequence = sequence;
    this.#options = options;
    this.#log = log;
    const slotDeps = {
      ...deps,
      moved: (child: DeliveryProcess) => this.#moved(child),
      restarts: this.restarts,
      watch: this.#watch,
    };
    this.#slots = Array.from({ length: count }, (_, number) => new ProcessSlot(number, slotDeps));
  }

  /**
   * Starts them all; resolves when each has its port open.
   * @throws ServeRejected when one cannot
   */
  async start(): Promise<void> {
    for (const slot of this.#slots) slot.start();
    await this.#watch.until(() => {
      const failed = this.#slots.find((slot) => slot.failures >= startFailuresMax);
      if (failed !== undefined) {
        throw new ServeRejected(`The delivery processes cannot start: ${failed.failure}`);
      }
      return this.#slots.every((slot) => slot.current?.state === 'serving');
    });
  }

  /** How many have their port open. */
  get serving(): number {
    return this.#processes.filter((child) => child.state === 'serving').length;
  }

  get wanted(): number {
    return this.#slots.length;
  }

  /**
   * Announces a sequence to all. Resolves when no response can come from anything older, and some process serves this: each
   * has acknowledged, or was killed for not doing so in time, and is gone.
   * @throws NobodyServes when none of them serves it in time, PublishedDamaged when one cannot read it
   */
  async announce(sequence: number): Promise<void> {
    this.#sequence = Math.max(this.#sequence, sequence);
    for (const child of this.#processes) child.announce(this.#sequence);
    const behind = (): DeliveryProcess[] =>
      this.#processes.filter((child) => child.mayServe && child.sequence < sequence);
    const isServed = (): boolean =>
      this.#processes.some(({ state, sequence: at }) => state === 'serving' && at >= sequence);
    const done = (): boolean => behind().length === 0 && (isServed() || this.#stopping);
    const hindered = (): DeliveryProcess | undefined =>
      this.#processes.find((child) => child.damage !== null && child.sequence < sequence);
    const isOver = (): boolean => done() || hindered() !== undefined;
    const isInTime = await this.#watch.untilOrTimeout(isOver, acknowledgeMsMax);
    const damaged = hindered();
    // It cannot follow, and goes on with what it has in memory until there is a sound file.
    if (damaged !== undefined) throw new PublishedDamaged(damaged.damage ?? '');
    if (isInTime && isServed()) return;
    await Promise.all(
      behind().map((child) => {
        this.#log.error(
          { event: 'delivery_process_hung', slot: child.slot, pid: child.pid, sequence },
          'a delivery process does not acknowledge; it is replaced',
        );
        return child.kill();
      }),
    );
    if (!isServed()) throw new NobodyServes(this.#stopping);
  }

  /**
   * Does the work while no process has published.db open; those that do not close it in time are killed. Players are
   * served from memory meanwhile. Then each opens what is there, and acknowledges it like an edit (`announce`).
   */
  async withoutReaders(work: () => void): Promise<void> {
    this.#isHeld = true;
    for (const slot of this.#slots) slot.hold();
    try {
      for (const child of this.#processes) child.release();
      const readers = (): DeliveryProcess[] => this.#processes.filter((child) => !child.released);
      await this.#watch.untilOrTimeout(() => readers().length === 0, releaseMsMax);
      await Promise.all(readers().map((child) => child.kill()));
      work();
    } finally {
      this.#isHeld = false;
      for (const child of this.#processes) child.announce(this.#sequence);
      for (const slot of this.#slots) slot.letGo();
    }
  }

  /**
   * Replaces the processes one by one; each successor serves before its predecessor drains. One that was restarted
   * meanwhile is new already. Rejects when a new one cannot start: the rest stays as it is.
   */
  async replaceAll(trial: Trial | null = null): Promise<void> {
    let old = this.#slots.map((slot) => slot.current);
    let proven = trial === null;
    for (const [at, slot] of this.#slots.entries()) {
      if (slot.current !== old[at]) continue;
      const options = proven || trial === null ? null : withCertificate(this.#options, trial);
      await slot.replace(options, () => {
        if (proven) return;
        proven = true;
        trial?.proven();
        // Those that were restarted until now have read the other file.
        old = this.#slots.map(({ current }) => current);
      });
      if (!proven && !this.#stopping) throw new Error(cannotStart);
    }
    if (!this.#stopping)
      this.#log.info(
        { event: 'delivery_processes_replaced' },
        'the delivery processes were replaced',
      );
  }

  /** Has the health checks of all say that the server is going to end: balancers send new requests elsewhere. They go on serving. */
  leave(): void {
    this.#isLeaving = true;
    for (const child of this.#processes) child.leave();
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Drains all of them; resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#watch.notify();
    await Promise.all(this.#slots.map((slot) => slot.stop()));
  }

  /** What each process that serves counted since it started; two of one slot while it is replaced. */
  async measure(): Promise<MeasuredProcess[]> {
    const serving = this.#processes.filter((child) => child.mayServe);
    const measured = await Promise.all(
      serving.map(async (child) => {
        const measures = await child.measure(measureMsMax);
        return measures === null ? [] : [{ slot: child.slot, pid: child.pid, measures }];
      }),
    );
    return measured.flat();
  }

  get #processes(): DeliveryProcess[] {
    return this.#slots.flatMap((slot) => slot.processes);
  }

  #moved(child: DeliveryProcess): void {
    if (this.#isLeaving && child.state === 'serving') child.leave();
    if (child.state !== 'starting' || this.#isHeld || child.damage !== null) return;
    // No edit can slip in between: the newest sequence is compared and the state changed in one turn.
    if (child.sequence >= this.#sequence) child.open();
    else child.announce(this.#sequence);
  }
}

function withCertificate(options: DeliveryOptions, { tlsFile }: Trial): DeliveryOptions {
  return { ...options, tlsCert: tlsFile, tlsKey: tlsFile };
}
