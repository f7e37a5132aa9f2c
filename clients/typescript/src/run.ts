/** What lasts from the construction of a client to its end, whichever player it is for. */
import type { Options } from './client.js';
import { fetchTransport } from './fetch-transport.js';
import type { Clock, Storage, Transport } from './platform.js';
import { memoryStorage, pageStorage } from './storage.js';
import { systemClock } from './system-clock.js';

export class Run {
  readonly options: Options;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly storage: Storage;
  readonly random: () => number;
  /** Milliseconds that the server's clock is ahead of the device's; null: unknown. */
  aheadMs: number | null = null;
  attributes: Readonly<Record<string, unknown>>;
  hasConsent: boolean;
  /** The server takes events. */
  takesEvents = false;
  /** The key was rejected: the kit sends nothing of its own accord. */
  isKeyRejected = false;
  /** Between `start` and `stop`, and not suspended. */
  isActive = false;

  constructor(options: Options) {
    const { storage = pageStorage() } = options;
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.transport = options.transport ?? fetchTransport;
    this.storage = storage ?? memoryStorage();
    this.random = options.random ?? Math.random;
    this.attributes = options.attributes ?? {};
    this.hasConsent = !options.consentRequired;
  }

  /** Milliseconds since 1970 by the server's clock, as far as it is known. */
  nowMs(): number {
    return this.clock.wallMs() + (this.aheadMs ?? 0);
  }

  /** Takes over the clock of the server from the `Date` of its response. */
  setClock(date: string | null): void {
    const serverMs = Date.parse(date ?? '');
    if (serverMs > 0) this.aheadMs = serverMs - this.clock.wallMs();
  }

  /** A random delay before what follows the n-th failure in a row. */
  backoffMs(failures: number, secondsMax: number): number {
    return this.random() * Math.min(2 ** (failures - 1), secondsMax) * 1000;
  }

  log(code: string, sentence: string): void {
    void callGame(this.options.log, code, sentence);
  }
}

/** Calls a function of the game. What it throws, at once or in a promise, is ignored. */
export async function callGame<T extends unknown[]>(
  call: ((...args: T) => unknown) | undefined,
  ...args: T
): Promise<void> {
  try {
    await call?.(...args);
  } catch {
    // The game's own.
  }
}
