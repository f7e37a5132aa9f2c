/**
 * The whole of test/hostile/fragmented-requests: requests of every kind up to 600 bytes, cut in three at every pair of
 * positions, over TCP and over TLS.
 */
import { describe, expect, it } from 'vitest';
import { startFragmented } from '../support/wire/fragmented-server.js';
import { allCutsInThree, describeDifferences, findDifferences } from '../support/wire/fragments.js';

const connections = 400;
const requestBytesMax = 600;

describe.each(['TCP', 'TLS'] as const)('a request in three segments over %s', (transport) => {
  it('is answered as the whole one is, wherever it is cut', async () => {
    const { wire, references } = await startFragmented(transport === 'TLS');
    for (const reference of references) {
      const { name, bytes } = reference.kind;
      if (bytes.byteLength > requestBytesMax) continue;
      const found = await findDifferences(wire, allCutsInThree(reference), connections);
      console.log(`${transport}, ${name}: ${found.length} differences`);
      expect.soft(describeDifferences(found)).toEqual([]);
    }
  });
});
