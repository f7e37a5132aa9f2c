/** A release that crashes games is stopped by itself, and every game starts again: a smaller one than in `npm run soak`. */
import { expect, it } from 'vitest';
import { incident } from '../support/incident/incident.js';
import { seededRandom } from '../support/seeded-random.js';

it('a wrong type at 1 % is stopped by the brake, and every player is healthy at the next start', async () => {
  const random = seededRandom(20_261_124);
  const { timeline, ...figures } = await incident({ random, population: 15_000, players: 400 });
  expect(figures).toMatchObject({
    ...{ state: 'stopped', crashedOutside: [], unhealthyAfterwards: [] },
    reason: expect.stringMatching(/have not confirmed a healthy start within 1 min/),
  });
  expect(figures.crashes).toBeGreaterThanOrEqual(figures.reached);
  expect(figures.reached).toBeGreaterThan(30);
  expect(timeline.at(-1)).toContain('release.stop by system');
}, 300_000);
