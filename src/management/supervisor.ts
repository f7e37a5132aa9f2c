/** Keeps the wanted number of delivery processes running, and is the publish barrier they pass together. */
import type { Logger } from 'pino';
import type { DeliveryMeasures, DeliveryOptions } from '../published/barrier.js';
import { acknowledgeMsMax, drainMsMax, measureMsMax, restartDelayMsMax } from './limits.js';
import { Listener } from './listener.js';

/** A process that lived this long is restarted at once when it ends; one that did not, ever later. */
const livedMs = 5_000;
const restartDelayMsMin = 100;

export interface MeasuredListener {
  readonly slot: number;
  readonly pid: number;
  readonly measures: DeliveryMeasures;
}

export class Supervisor {
  readonly #options: DeliveryOptions;
  readonly #log: Logger;
  readonly #count: number;
  readonly #listeners = new Set<Listener>();
  readonly #failures: number[];
  readonly #watchers = new Set<() => void>();
  /** The newest sequence that published.db holds. */
  #sequence: number;
  #stopping = false;

  /** @param sequence what published.db holds now */
  constructor(options: DeliveryOptions, count: number, sequence: number, log: Logger) {
    this.#options = options;
    this.#count = count;
    this.#sequence = sequence;
    this.#log = log;
    this.#failures = new Array<number>(count).fill(0);
  }

  /** Starts them all; resolves when each has its port open. Rejects when one cannot. */
  async start(): Promise<void> {
    for (let slot = 0; slot < this.#count; slot += 1) this.#spawn(slot);
    await this.#until(() => {
      if (this.#failures.some((failures) => failures >= 3)) {
        throw new Error('The delivery processes cannot start; the log says why.');
      }
      return this.serving === this.#count;
    });
  }

  /** How many have their port open. */
  get serving(): number {
    return [...this.#listeners].filter((listener) => listener.state === 'serving').length;
  }

  get wanted(): number {
    return this.#count;
  }

  /**
   * Tells all of a sequence and resolves when nobody can be answered from anything older: each has
   * acknowledged, or was killed for not doing so in time, and is gone.
   */
  async announce(sequence: number): Promise<void> {
    this.#sequence = Math.max(this.#sequence, sequence);
    for (const listener of this.#listeners) listener.announce(this.#sequence);
    const behind = (): Listener[] =>
      [...this.#listeners].filter((listener) => listener.mayServe && listener.sequence < sequence);
    if (await this.#untilOrTimeout(() => behind().length === 0, acknowledgeMsMax)) return;
    await Promise.all(
      behind().map((listener) => {
        this.#log.error(
          { slot: listener.slot, pid: listener.pid, sequence },
          'a listener does not acknowledge; it is replaced',
        );
        return listener.kill();
      }),
    );
  }

  /** Replaces the processes one by one; each successor serves before its predecessor drains. */
  async replaceAll(): Promise<void> {
    for (const old of [...this.#listeners].filter((listener) => listener.mayServe)) {
      if (this.#stopping) return;
      const successor = this.#spawn(old.slot);
      await this.#until(() => successor.state === 'serving' || successor.state === 'ended');
      if (successor.state === 'ended') {
        throw new Error('A new delivery process could not start; the old ones go on.');
      }
      await old.drain(drainMsMax);
    }
  }

  /** Drains all of them; resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#listeners].map((listener) => listener.drain(drainMsMax)));
  }

  async measure(): Promise<MeasuredListener[]> {
    const measured = await Promise.all(
      [...this.#listeners].map(async (listener) => {
        const measures = await listener.measure(measureMsMax);
        return measures === null ? [] : [{ slot: listener.slot, pid: listener.pid, measures }];
      }),
    );
    return measured.flat().sort((a, b) => a.slot - b.slot);
  }

  #spawn(slot: number): Listener {
    const listener = new Listener(slot, this.#options, {
      moved: (moved) => this.#moved(moved),
      ended: (ended, reason) => this.#ended(ended, reason),
    });
    this.#listeners.add(listener);
    return listener;
  }

  #moved(listener: Listener): void {
    // Nobody can slip past here: the newest sequence is compared and the state changed in one turn.
    if (listener.state === 'starting') {
      if (listener.sequence >= this.#sequence) listener.open();
      else listener.announce(this.#sequence);
    }
    if (listener.state === 'serving') this.#failures[listener.slot] = 0;
    this.#notify();
  }

  #ended(listener: Listener, reason: string): void {
    const { slot, pid } = listener;
    const replaced = [...this.#listeners].some(
      (other) => other !== listener && other.slot === slot,
    );
    this.#listeners.delete(listener);
    if (!this.#stopping && !replaced) {
      this.#log.error({ slot, pid, reason }, 'a delivery process ended; it is restarted');
      const lived = Date.now() - listener.startedAtMs >= livedMs;
      const failures = lived ? 0 : (this.#failures[slot] ?? 0) + 1;
      this.#failures[slot] = failures;
      // The first restart is immediate whatever happened; the next ones wait, ever longer.
      const delayMs =
        failures <= 1 ? 0 : Math.min(restartDelayMsMax, restartDelayMsMin * 2 ** failures);
      setTimeout(() => {
        if (!this.#stopping) this.#spawn(slot);
      }, delayMs);
    }
    this.#notify();
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Resolves once the condition holds; it is asked again whenever a listener moved or ended. */
  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const watcher = (): void => {
        try {
          if (!holds()) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        this.#watchers.delete(watcher);
      };
      this.#watchers.add(watcher);
      watcher();
    });
  }

  async #untilOrTimeout(holds: () => boolean, msMax: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    let expired = false;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        expired = true;
        this.#notify();
        resolve(false);
      }, msMax);
    });
    const reached = this.#until(() => expired || holds()).then(() => !expired);
    const result = await Promise.race([reached, timeout]);
    clearTimeout(timer);
    return result;
  }
}
