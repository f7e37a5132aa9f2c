/**
 * Goal: how the network cuts a request into segments changes nothing about its answer. Method: requests of every kind, cut
 * in two at every position and in three at a sample of pairs, over TCP and over TLS (one record for each segment); every
 * answer is compared byte by byte with that of the whole request. All pairs: test/soak/fragmented-requests.
 */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../support/seeded-random.js';
import { startFragmented } from '../support/wire/fragmented-server.js';
import {
  cutsInThree,
  cutsInTwo,
  describeDifferences,
  findDifferences,
} from '../support/wire/fragments.js';

const connections = 200;
/** Cuts in two: at every position of requests up to this, at a sample of positions of longer ones. */
const wholeBytesMax = 600;
const sampleCount = 200;
/** Cuts in three of one kind. */
const threeCount = 60;

describe.each(['TCP', 'TLS'] as const)('a request in segments over %s', (transport) => {
  it('is answered as the whole one is, wherever it is cut', async () => {
    const { wire, references } = await startFragmented(transport === 'TLS');
    const random = seededRandom(11);
    const cuts = references.flatMap((reference) => [
      ...cutsInTwo(reference, wholeBytesMax, sampleCount, random),
      ...cutsInThree(reference, threeCount, random),
    ]);
    const differences = await findDifferences(wire, cuts, connections);
    expect(describeDifferences(differences)).toEqual([]);
  }, 120_000);
});
