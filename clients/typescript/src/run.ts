/** What lasts from the construction of a client to its end, whichever player it is for. */
import { attempt } from './attempt.js';
import type { Options } from './client.js';
import { fetchTransport } from './fetch-transport.js';
import type { Clock, Storage, Transport } from './platform.js';
import { systemClock } from './system-clock.js';

/** The options with their defaults, and what the run has learned. */
export interface Run extends Options {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: () => number;
  readonly storage: Storage | null;
  readonly user: string;
  readonly updates: 'stream' | 'poll' | 'none';
  readonly pollSeconds: number;
  attributes: Readonly<Record<string, unknown>>;
  /** null: it was not asked for yet. */
  hasConsent: boolean | null;
  /** Milliseconds that the server's clock is ahead of the device's; null: unknown. */
  aheadMs: number | null;
  takesEvents: boolean;
  /** Requests may be sent: the game runs, and the server has not rejected the key. */
  isOpen: boolean;
}

export function createRun(options: Options): Run {
  // A script may write `undefined` for what it leaves out.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    transport: fetchTransport,
    clock: systemClock,
    random: Math.random,
    storage: pageStorage(),
    user: '',
    attributes: {},
    updates: 'stream',
    pollSeconds: 300,
    ...(Object.fromEntries(given) as Options),
    hasConsent: !options.consentRequired || null,
    aheadMs: null,
    takesEvents: false,
    isOpen: false,
  };
}

/** Milliseconds since 1970 by the server's clock, as far as it is known. */
export function nowMs(run: Run): number {
  return run.clock.wallMs() + (run.aheadMs ?? 0);
}

/** Takes over the server's clock from the `Date` of its response. */
export function setClock(run: Run, date: string | null): void {
  const serverMs = Date.parse(date ?? '');
  if (serverMs > 0) run.aheadMs = serverMs - run.clock.wallMs();
}

/** Calls the log function with the code, and the same in words. */
export function log(run: Run, code: string, detail: unknown = ''): void {
  void callGame(run.log, code, `Loadout: ${code.replace(/_/g, ' ')} ${detail}`);
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

/** `localStorage`, where there is one that the page may use. */
function pageStorage(): Storage | null {
  return attempt(() => (typeof document === 'object' ? localStorage : null)) ?? null;
}
