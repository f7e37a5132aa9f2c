/** Says in an operator's words what was measured: how many players a listener carries, and what that assumes. */
import type { Finding } from '../bench.js';
import { short } from './text-table.js';

export interface Carried {
  readonly what: string;
  /** Requests of one listener, measured. */
  readonly perSecond: number;
  /** Of players who send one such request each. */
  readonly perHour: number;
  /** The load generator was the bottleneck: the listener carries more. */
  readonly isAtLeast: boolean;
  /** Requests a second for which the CPU time of one core would last; null where the system does not tell. */
  readonly byCpu: number | null;
  readonly assumes: string;
}

/** By the question that measures it. */
const requests: Readonly<Record<string, { readonly what: string; readonly assumes: string }>> = {
  'http/refresh/unchanged-30x2kb': {
    what: 'start-ups, nothing changed',
    assumes:
      'a start-up is one refresh request of a client that holds 30 content items of 2 KB with three rules each; none has changed',
  },
  'http/combine/wrapped-10x2kb': {
    what: 'first start-ups',
    assumes:
      'a first start-up is one combine request for ten content items of 2 KB with three rules each',
  },
  'http/one-content/wrapped-1kb': {
    what: 'fetches of a small content item',
    assumes: 'a fetch is one request for a content item of 1 KB with three rules',
  },
  'http/one-content/gzip-100kb': {
    what: 'fetches of a large content item',
    assumes: 'a fetch is one gzip request for a content item of 100 KB with three rules',
  },
};

const secondsPerHour = 3600;

/** @returns one for each finding that measures a request of players */
export function carriedBy(findings: readonly Finding[]): readonly Carried[] {
  return Object.entries(requests).flatMap(([question, { what, assumes }]) => {
    const found = findings.find((finding) => finding.question === question);
    const own = found?.figures.filter(({ contender }) => contender === 'loadout') ?? [];
    const rate = own.find(({ name }) => name === 'rate');
    if (rate === undefined) return [];
    const perSecond = rate.spread.median;
    const micros = own.find(({ name }) => name === 'server CPU')?.spread.median ?? Number.NaN;
    return {
      ...{ what, assumes, perSecond },
      perHour: Math.floor(perSecond * secondsPerHour),
      isAtLeast: rate.better === 'neither',
      byCpu: Number.isFinite(micros) && micros > 0 ? 1e6 / micros : null,
    };
  });
}

/**
 * The table that a report begins with.
 * @param warnings about the run: the figures must not be read without them
 */
export function carriedFinding(
  carried: readonly Carried[],
  warnings: readonly string[] = [],
): Finding {
  return {
    question: 'What one listener of this machine carries',
    columns: ['', 'a second', 'players in an hour', 'a second, by CPU time'],
    rows: carried.map(({ what, perSecond, perHour, isAtLeast, byCpu }) => {
      const least = isAtLeast ? 'at least ' : '';
      return [
        ...[what, `${least}${short(perSecond)}`, `${least}${millions(perHour)}`],
        byCpu === null ? '-' : short(byCpu),
      ];
    }),
    notes: [
      ...warnings.map((warning) => `warning: ${warning}`),
      'players in an hour: each sends one such request, and they come evenly',
      ...carried.map(({ what, assumes }) => `${what}: ${assumes}`),
      ...(carried.some(({ isAtLeast }) => isAtLeast)
        ? ['at least: the load generator was the bottleneck; more cores for it, or the CPU time']
        : []),
      'over loopback, on connections that stay open, without TLS; plan for half of it',
    ],
    figures: [],
  };
}

/** `64.4 million`, for figures that nobody reads to the last digit. */
function millions(count: number): string {
  return count >= 1e6 ? `${short(count / 1e6)} million` : short(count);
}
