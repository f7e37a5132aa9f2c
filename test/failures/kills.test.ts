/** A few of the kills that `npm run soak` makes a hundred of. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { KillRounds } from '../support/server/kill-rounds.js';
import { makeDataFolder } from '../support/server/server.js';

const seed = Date.now() % 1_000_000;

describe(`kill -9 of the control process (seed ${seed})`, () => {
  let rounds: KillRounds;
  beforeAll(async () => {
    const random = seededRandom(seed);
    rounds = await KillRounds.start({ data: makeDataFolder(), listeners: 1, random });
  });
  afterAll(() => rounds.stop());

  it.each(['import', 'sync', 'publish', 'import', 'sync'] as const)(
    'during %s leaves the state before or after, and all that was answered',
    async (kind) => {
      await rounds.round(kind);
      const { acknowledged, done, undone } = rounds.counts;
      expect(acknowledged + done + undone).toBeGreaterThan(0);
    },
  );
});
