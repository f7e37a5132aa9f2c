/** A save is all of an edit or none of it, whenever the server is killed, and what was typed is still there. */
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser/browser.js';
import { KilledSaves } from '../support/browser/killed-saves.js';
import { seededRandom } from '../support/seeded-random.js';
import { makeDataFolder } from '../support/server/server.js';

/** A hundred of them: `npm run soak`. */
const rounds = 3;

describe.skipIf(!hasBrowser)('a server that is killed while the console saves', () => {
  it('has all of the edit or none of it', { timeout: 120_000 }, async () => {
    const saves = await KilledSaves.start(makeDataFolder(), seededRandom(15));
    try {
      for (let round = 0; round < rounds; round++) await saves.round();
    } finally {
      await saves.stop();
    }
    const { done, undone } = saves.counts;
    expect(done + undone).toBe(rounds);
  });
});
