import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copyFrom,
  type UnsentResponse,
  UnsentResponses,
} from '../../../src/delivery/http/unsent-responses.js';
import {
  readBytesPerSecondMin,
  readGraceMs,
  unsentBytesMax,
  unsentBytesPerKeyMax,
  unsentBytesPerNetworkMax,
} from '../../../src/delivery/limits.js';

const MiB = 1024 * 1024;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A response as `Exchange` hands it over; closing removes it, as the end of its connection does. */
function add(
  unsent: UnsentResponses,
  open: Set<UnsentResponse>,
  bytes: number,
  keyHash: string,
  network: string,
): UnsentResponse {
  const response: UnsentResponse = {
    bytes,
    keyHash,
    network,
    sinceMs: 0,
    sentBytes: 0,
    close: () => {
      open.delete(response);
      unsent.remove(response);
    },
  };
  open.add(response);
  unsent.add(response);
  return response;
}

function sumBy(
  open: Iterable<UnsentResponse>,
  by: 'keyHash' | 'network',
): Map<string, UnsentResponse[]> {
  const sums = new Map<string, UnsentResponse[]>();
  for (const response of open)
    sums.set(response[by], [...(sums.get(response[by]) ?? []), response]);
  return sums;
}

const bytesOf = (responses: readonly UnsentResponse[]) =>
  responses.reduce((sum, { bytes }) => sum + bytes, 0);

describe('unread responses', () => {
  it('never pass a budget for longer than a turn, but for one that is alone in it', async () => {
    const response = fc.record({
      mib: fc.integer({ min: 1, max: 70 }),
      key: fc.constantFrom('a', 'b', 'c'),
      network: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      leave: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(response, { maxLength: 60 }), async (responses) => {
        const unsent = new UnsentResponses();
        const open = new Set<UnsentResponse>();
        for (const { mib, key, network, leave } of responses) {
          const added = add(unsent, open, mib * MiB, key, network);
          await nextTurn();
          expect(unsent.bytes).toBe(bytesOf([...open]));
          expect(unsent.bytes <= unsentBytesMax || open.size === 1).toBe(true);
          for (const held of sumBy(open, 'keyHash').values())
            expect(bytesOf(held) <= unsentBytesPerKeyMax || held.length === 1).toBe(true);
          for (const held of sumBy(open, 'network').values())
            expect(bytesOf(held) <= unsentBytesPerNetworkMax || held.length === 1).toBe(true);
          if (leave && open.has(added)) added.close();
        }
      }),
      { numRuns: 100 },
    );
  });

  it('of the network that holds too much go first, the largest of them', async () => {
    const unsent = new UnsentResponses();
    const open = new Set<UnsentResponse>();
    const other = add(unsent, open, 40 * MiB, 'key', 'other');
    const small = add(unsent, open, 10 * MiB, 'key', 'greedy');
    const large = add(unsent, open, 60 * MiB, 'key', 'greedy');
    await nextTurn();
    expect(open.has(other)).toBe(true);
    expect(open.has(small)).toBe(true);
    expect(open.has(large)).toBe(false);
    expect(unsent.closedOverBudget).toBe(1);
  });

  it('are closed when the client reads more slowly than it must', () => {
    const unsent = new UnsentResponses();
    const open = new Set<UnsentResponse>();
    const slow = add(unsent, open, 40 * MiB, 'key', '1');
    const fast = add(unsent, open, 40 * MiB, 'key', '2');
    slow.sentBytes = 10 * readBytesPerSecondMin - 1;
    fast.sentBytes = 10 * readBytesPerSecondMin;
    unsent.sweep(readGraceMs);
    expect(open.size).toBe(2);
    unsent.sweep(readGraceMs + 10_000);
    expect([...open]).toEqual([fast]);
    expect(unsent.closedSlow).toBe(1);
  });
});

describe('the rest of a response', () => {
  it.each([
    ['a Buffer', Buffer.from('abcdef')],
    ['an array', new Uint8Array(Buffer.from('abcdef'))],
  ])('shares no memory with the whole of %s', (_, whole) => {
    const rest = copyFrom(whole, 2);
    expect(rest.buffer).not.toBe(whole.buffer);
    expect(rest.buffer.byteLength).toBe(4);
    expect(Buffer.from(rest).toString()).toBe('cdef');
  });
});
