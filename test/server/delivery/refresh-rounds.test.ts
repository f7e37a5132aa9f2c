/** That a client of refresh holds what single requests get, whatever was edited, and is sent nothing that it holds. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../support/seeded-random.js';
import { sharedServer } from '../../support/server/server.js';
import { refreshRounds } from '../../support/specification/refresh-rounds.js';

it('beside random edits, with pages, interruptions and windows', async () => {
  const random = seededRandom(20_261_123);
  const { violations, figures } = await refreshRounds({
    server: sharedServer(),
    random,
    refreshes: 1_500,
  });
  expect(violations).toEqual([]);
  // A run that drew next to nothing has promised next to nothing.
  expect(figures.compared).toBeGreaterThan(1_400);
  expect(figures.edits).toBeGreaterThan(100);
  expect(figures.interrupted).toBeGreaterThan(30);
  expect(figures.unchanged).toBeGreaterThan(100);
  expect(figures.gone).toBeGreaterThan(20);
  expect(figures.compressed).toBeGreaterThan(8);
  expect(figures.serialized).toBeGreaterThan(300);
  expect(figures.inSequence).toBeGreaterThan(300);
});
