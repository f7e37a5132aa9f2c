/** All the streams of a measurement, in as many processes as descriptors ask for. */
import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { loadCores, messageOf, startNode, stop } from '../../measure/child.js';
import type { FromHeld, HeldPlan, HeldState, ToHeld, Wake } from './held-plan.js';

/** Of a process that may have 20,000 descriptors. */
export const streamsPerProcess = 18_000;

/** An address has 28,000 ports, and the kernel looks long for a free one when many are taken. */
const addressesPerProcess = 32;
/** Of this measurement so far: each has addresses of its own. */
let crews = 0;

export interface HeldCrewOptions extends Pick<HeldPlan, 'port' | 'secure' | 'key' | 'ids'> {
  /** The most streams that will be held. */
  readonly streams: number;
  /** Streams of one process; left out: `streamsPerProcess`. */
  readonly perProcess?: number;
}

interface Holder {
  readonly child: ChildProcess;
  readonly capacity: number;
  state: HeldState;
}

export class HeldCrew {
  /** Since `forgetWakes`. */
  readonly wakes: Wake[] = [];
  readonly faults: string[] = [];
  readonly #holders: Holder[] = [];
  #waiting: (() => void)[] = [];

  static async start(options: HeldCrewOptions): Promise<HeldCrew> {
    const crew = new HeldCrew();
    crews = (crews % 250) + 1;
    const { port, secure, key, ids, streams, perProcess = streamsPerProcess } = options;
    const count = Math.ceil(streams / perProcess);
    for (let at = 0; at < count; at += 1) {
      const from = at * perProcess;
      const addresses = Array.from(
        { length: addressesPerProcess },
        (_, host) => `127.${crews}.${at}.${1 + host}`,
      );
      const plan = { port, secure, key, ids, addresses, from };
      await crew.#add(plan, Math.min(perProcess, streams - from));
    }
    return crew;
  }

  /** Streams that are open, with a complete first answer. */
  get up(): number {
    return this.#sum(({ up }) => up);
  }

  /** When the last of them came up or went down, milliseconds of the monotonic clock. */
  get upAtMs(): number {
    return Math.max(...this.#holders.map(({ state }) => state.upAtMs));
  }

  /** Streams that were open, and ended, since the start. */
  get ended(): number {
    return this.#sum(({ ended }) => ended);
  }

  /** Attempts that were answered with 429 or 503. */
  get refused(): number {
    return this.#sum(({ refused }) => refused);
  }

  /** Holds that many from now on, and resolves when all of them are up. */
  async hold(count: number, msMax: number): Promise<void> {
    let left = count;
    for (const holder of this.#holders) {
      const share = Math.min(holder.capacity, left);
      left -= share;
      this.#send(holder, { type: 'hold', count: share });
    }
    await this.until(`${count} streams are open`, msMax, () => this.up === count);
  }

  forgetWakes(): void {
    this.wakes.length = 0;
  }

  /** Resolves when `isTrue` is so after a message; fails after `msMax`. */
  async until(what: string, msMax: number, isTrue: () => boolean): Promise<void> {
    const endsAt = performance.now() + msMax;
    while (!isTrue()) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) {
        throw new Error(
          `Not within ${msMax} ms: ${what} (${this.up} open). ${this.faults.join('; ')}`,
        );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#holders.map(({ child }) => stop(child)));
  }

  async #add(plan: HeldPlan, capacity: number): Promise<void> {
    const script = resolve(import.meta.dirname, 'held-process.js');
    const core = loadCores()[this.#holders.length % loadCores().length] as number;
    const child = startNode(script, [], { core });
    const holder: Holder = { child, capacity, state: { up: 0, upAtMs: 0, ended: 0, refused: 0 } };
    this.#holders.push(holder);
    child.on('message', (message) => this.#take(holder, message as FromHeld));
    this.#send(holder, { type: 'plan', plan });
    await messageOf(child, 30_000, (message) =>
      (message as FromHeld).type === 'ready' ? true : undefined,
    );
  }

  #take(holder: Holder, message: FromHeld): void {
    switch (message.type) {
      case 'state':
        holder.state = message;
        break;
      case 'woken':
        for (const wake of message.wakes) this.wakes.push(wake);
        break;
      case 'fault':
        this.faults.push(message.text);
        break;
      case 'ready':
        break;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #sum(of: (state: HeldState) => number): number {
    return this.#holders.reduce((sum, { state }) => sum + of(state), 0);
  }

  #send(holder: Holder, message: ToHeld): void {
    holder.child.send(message);
  }
}
