import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  streamNetworkRetrySecondsMax,
  streamSlotSecondsMax,
  streamsBytesMax,
  streamsBytesPerAddressMax,
} from '../../../../src/delivery/limits.js';
import { type StreamClaim, StreamLimits } from '../../../../src/delivery/stream/stream-limits.js';

const bytesOf = (claims: readonly StreamClaim[]) => claims.reduce((sum, one) => sum + one.bytes, 0);
const options = { max: 12, perKey: 7, perNetwork: 4 };

describe('limits of streams', () => {
  it('admit exactly what fits each of them, and forget what is given back', () => {
    const claims = fc.record({
      network: fc.constantFrom('a', 'b', 'c', 'd'),
      keyHash: fc.constantFrom('k', 'l', '__proto__'),
      bytes: fc.constantFrom(1, 1_000, streamsBytesMax / 9),
    });
    const steps = fc.array(fc.tuple(claims, fc.nat(), fc.boolean()), { maxLength: 120 });
    fc.assert(
      fc.property(steps, (all) => {
        const limits = new StreamLimits(options);
        const open: StreamClaim[] = [];
        for (const [claim, pick, leaves] of all) {
          if (leaves && open.length > 0) {
            const [gone] = open.splice(pick % open.length, 1) as [StreamClaim];
            limits.giveBack(gone);
          }
          const { network, keyHash, bytes } = claim;
          const held = bytesOf(open);
          const heldThere = bytesOf(open.filter((one) => one.network === network));
          const fits =
            open.length < options.max &&
            open.filter((one) => one.network === network).length < options.perNetwork &&
            open.filter((one) => one.keyHash === keyHash).length < options.perKey &&
            heldThere + bytes <= streamsBytesPerAddressMax &&
            held + bytes <= streamsBytesMax;
          expect(limits.refuses(network, keyHash, bytes)).toBe(!fits);
          if (!fits) continue;
          limits.take(claim);
          open.push(claim);
          expect(limits.open).toBe(open.length);
        }
        for (const claim of open) limits.giveBack(claim);
        expect(limits.open).toBe(0);
        expect(limits.refuses('a', 'k', streamsBytesPerAddressMax)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('let the refused come back one after the other, in whole seconds, and within five minutes', () => {
    const limits = new StreamLimits(options);
    const delays = Array.from({ length: 200_000 }, () => limits.retryAfter('a', 5_000));
    expect(delays.every((delay) => /^[1-9]\d*$/.test(delay))).toBe(true);
    expect(Math.max(...delays.slice(0, 100_000).map(Number))).toBeLessThanOrEqual(
      streamSlotSecondsMax,
    );
    const perSecond = new Map<string, number>();
    for (const delay of delays.slice(0, 100_000)) {
      perSecond.set(delay, (perSecond.get(delay) ?? 0) + 1);
    }
    expect(Math.max(...perSecond.values())).toBeLessThanOrEqual(501);
    expect(Number(limits.retryAfter('a', 1e9))).toBeLessThanOrEqual(3);
  });

  it('give no slot to a network that has all its streams', () => {
    const limits = new StreamLimits(options);
    for (let taken = 0; taken < options.perNetwork; taken += 1) {
      limits.take({ network: 'a', keyHash: 'k', bytes: 1 });
    }
    const delays = Array.from({ length: 20_000 }, () => Number(limits.retryAfter('a', 5_000)));
    expect(Math.min(...delays)).toBe(1);
    expect(Math.max(...delays)).toBe(streamNetworkRetrySecondsMax);
    // Nobody else waits for them.
    expect(Number(limits.retryAfter('b', 5_000))).toBeLessThanOrEqual(2);
  });

  it('count what is held beside streams', () => {
    const limits = new StreamLimits(options);
    limits.hold('a', streamsBytesPerAddressMax - 10);
    expect(limits.refuses('a', 'k', 10)).toBe(false);
    expect(limits.refuses('a', 'k', 11)).toBe(true);
    expect(limits.refuses('b', 'k', 11)).toBe(false);
    limits.hold('a', -(streamsBytesPerAddressMax - 10));
    expect(limits.refuses('a', 'k', 11)).toBe(false);
  });
});
