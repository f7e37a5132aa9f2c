/** Requests with events as client kits send them: a seeded game whose players see a test and buy things. */
import { SeededRandom } from './random.js';

export const eventsPath = '/api/v1/events';
export const eventsPerRequest = 10;

/** @returns bodies, of another player each; every third event is an exposure */
export function eventBodies(count: number, nowMs: number): readonly string[] {
  const random = new SeededRandom(20);
  const hex = () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const times = () => ({
    at: new Date(nowMs - random.below(60_000)).toISOString(),
    eid: hex() + hex(),
  });
  const exposure = (at: number) => ({
    ...{ t: 'exposure', id: `shop-${at}`, tag: hex() + hex() },
    ...{ seg: [{ n: 'price-test', v: random.pick(['control', 'high']) }], ...times() },
  });
  const metric = () => ({
    ...{ t: 'metric', n: random.pick(['purchase', 'level_done']), x: random.below(1_000) / 100 },
    ...times(),
  });
  return Array.from({ length: count }, () => {
    const events = Array.from({ length: eventsPerRequest }, (_, at) =>
      at % 3 === 0 ? exposure(at) : metric(),
    );
    return JSON.stringify({ u: `player-${hex()}`, events });
  });
}
