/** That a client which does what the specification says has the right contents after every edit, and fetches no others. */
import { expect, it } from 'vitest';
import { seededRandom } from '../../support/seeded-random.js';
import { sharedServer } from '../../support/server/server.js';
import { specificationRounds } from '../../support/specification/rounds.js';

it('is up to date after one round, whatever was edited, and fetches nothing in vain', async () => {
  const random = seededRandom(20_261_122);
  const { faults, figures } = await specificationRounds({
    servers: [sharedServer()],
    random,
    edits: 60,
  });
  expect(faults).toEqual([]);
  // A run that drew next to nothing has promised next to nothing.
  expect(Object.keys(figures.edits).length).toBeGreaterThan(12);
  expect(figures.fetched).toBeGreaterThan(100);
  expect(figures.compared).toBeGreaterThan(3_000);
});
