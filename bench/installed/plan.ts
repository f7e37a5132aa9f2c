/** What `loadout bench` asks, and for how long. */
import { askedOf } from '../asked.mjs';
import { type Plan, secondsOf } from '../catalogue.mjs';
import { combine } from '../http/combine.js';
import { listeners } from '../http/listeners.js';
import { oneContent } from '../http/one-content.js';
import { refresh } from '../http/refresh.js';
import { steady } from '../http/steady.js';

/** The questions that need neither a compiler nor a program that a package does not bring. */
export const offered = [...oneContent, ...combine, ...refresh, ...steady, ...listeners].filter(
  ({ name }) => !name.includes('/tls-'),
);

const usual = [
  'http/one-content/wrapped-1kb',
  'http/one-content/gzip-100kb',
  'http/combine/wrapped-10x2kb',
  'http/refresh/unchanged-30x2kb',
  'http/steady/wrapped-1kb',
  'http/steady/unchanged-30x2kb',
];
const quick = [
  'http/one-content/wrapped-1kb',
  'http/refresh/unchanged-30x2kb',
  'http/steady/unchanged-30x2kb',
];
const scaling = 'http/listeners/wrapped-1kb';

interface Wanted {
  readonly quick: boolean;
  /** Beginnings of names; empty: the usual ones. */
  readonly only: readonly string[];
  readonly rounds: number | null;
  readonly seconds: number | null;
}

/**
 * @param serverCores what listeners can be counted up to
 * @throws UsageError for a name that no question has
 */
export function questionsOf({ quick: isQuick, only }: Wanted, serverCores: number) {
  const unnamed = isQuick ? quick : [...usual, ...(serverCores > 1 ? [scaling] : [])];
  const names = askedOf(
    only,
    offered.map(({ name }) => name),
    unnamed,
  );
  return names.flatMap((name) => offered.filter((question) => question.name === name));
}

/** How often and how long. The yardstick `floor` is the one other contender. */
export function planOf({ quick: isQuick, rounds, seconds }: Wanted): Plan & { wrk: 'never' } {
  const load = seconds ?? (isQuick ? 0.6 : 1.5);
  return {
    rounds: rounds ?? (isQuick ? 1 : 3),
    seconds: load,
    warmSeconds: isQuick ? 0.5 : Math.min(1, load / 2),
    ...{ quick: isQuick, wrk: 'never', soakMinutes: 1, contenders: ['floor'], listeners: 0 },
  };
}

/** About how many seconds a run takes. */
export function durationOf(names: readonly string[], plan: Plan): number {
  return secondsOf(names, plan);
}
