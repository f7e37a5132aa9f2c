/** That each stream tells its player what single requests answer, whatever was edited, and nothing else. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../support/seeded-random.js';
import { sharedServer } from '../../support/server/server.js';
import { streamRounds } from '../../support/stream/stream-rounds.js';

it('beside random edits, edges of windows, revoked keys and lost connections', async () => {
  const { violations, figures } = await streamRounds({
    server: sharedServer(),
    random: seededRandom(20_261_124),
    ...{ edits: 80, streams: 60, edgeMs: 1_000 },
  });
  expect(violations).toEqual([]);
  // A run that drew next to nothing has promised next to nothing.
  expect(figures.compared).toBeGreaterThan(60 * 70);
  expect(figures.wakes).toBeGreaterThan(60 * 70);
  expect(figures.connections).toBeGreaterThan(120);
  expect(figures.passedEdges).toBeGreaterThan(20);
  expect(figures.revoked).toBeGreaterThan(0);
});
