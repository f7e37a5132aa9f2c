/** Whom the streams belong to. Everything follows from the number of the stream. */
import type { PlainContext } from '../../data/mappings.js';

/** A hundredth of the players is in each. */
export const cohorts = 100;

export function cohortOf(stream: number): number {
  return stream % cohorts;
}

/** The context of the benchmarks' one player, with a user id and a cohort of its own. */
export function contextOf(stream: number): PlainContext {
  return {
    u: `player-${stream}`,
    p: {
      cohort: cohortOf(stream),
      country: stream % 3 === 0 ? 'US' : 'DE',
      level: stream % 60,
      days: stream % 365,
      language: 'en',
      platform: 'ios',
    },
    v: '1.5.2',
  };
}
