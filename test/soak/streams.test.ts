/** A million answers of two thousand streams beside random edits, each held to single requests. */
import { afterAll, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { startServer } from '../support/server/server.js';
import type { LoadoutServer } from '../support/server/server-process.js';
import { streamRounds } from '../support/stream/stream-rounds.js';

const seed = Number(process.env['LOADOUT_SOAK_SEED'] ?? 20_261_124);
/** A trial of the soak itself: `LOADOUT_SOAK_PART=0.02` makes 10 edits. */
const edits = Math.ceil(500 * Number(process.env['LOADOUT_SOAK_PART'] ?? 1));
const streams = 2_000;

let server: LoadoutServer | undefined;
afterAll(() => server?.stop());

it('2,000 streams are right after every edit, and are told of nothing in vain', async () => {
  const flags = ['--streams-per-address', '5000', '--streams-per-key', '5000'];
  server = await startServer({ flags });
  const random = seededRandom(seed);
  const { violations, figures } = await streamRounds({
    ...{ server, random, edits, streams },
    edgeMs: 10_000,
  });
  console.log(`seed ${seed}: ${JSON.stringify(figures)}`);
  expect(violations).toEqual([]);
});
