import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { flagKeptBytesMax, flagsKeptBytesMax } from '../../../../src/delivery/limits.js';
import { FlagResponses } from '../../../../src/delivery/ofrep/flag-responses.js';
import { FlagResponse } from '../../../../src/delivery/render/flag-response.js';
import type { RenderSlot } from '../../../../src/delivery/render/render-slot.js';

const compress = async (bytes: Uint8Array) => gzipSync(bytes);
const slotOf = () => ({ flags: null }) as unknown as RenderSlot;

function responseOf(key: string, length: number): FlagResponse {
  return new FlagResponse(key, new Uint8Array(length), 0);
}

describe('kept flags', () => {
  it('are found at their slot, by key', () => {
    const responses = new FlagResponses({ compress });
    const [slot, other] = [slotOf(), slotOf()];
    const kept = responseOf('a', 10);
    expect(responses.find(slot, 'a', 0)).toBeUndefined();
    responses.keep(slot, kept);
    expect(responses.find(slot, 'a', 0)).toBe(kept);
    expect(responses.find(slot, 'b', 0)).toBeUndefined();
    expect(responses.find(other, 'a', 0)).toBeUndefined();
  });

  it('hold no more than they may, and those in use stay', () => {
    const responses = new FlagResponses({ compress });
    const slot = slotOf();
    const used = responseOf('used', 10);
    responses.keep(slot, used);
    const length = flagKeptBytesMax / 2;
    const count = (2 * flagsKeptBytesMax) / length;
    for (let at = 0; at < count; at += 1) {
      responses.keep(slot, responseOf(`${at}`, length));
      expect(responses.find(slot, 'used', 1_000 * (at + 1))).toBe(used);
      expect(responses.bytes).toBeLessThanOrEqual(flagsKeptBytesMax);
    }
    expect(responses.find(slot, '0', 0)).toBeUndefined();
    expect(slot.flags?.size).toBeLessThan(count);
    const large = responseOf('large', flagKeptBytesMax + 1);
    responses.keep(slot, large);
    expect(responses.find(slot, 'large', 0)).toBeUndefined();
  });

  it('are compressed from the second request on, and counted with that', async () => {
    const responses = new FlagResponses({ compress });
    const slot = slotOf();
    const kept = responseOf('a', 5_000);
    responses.keep(slot, kept);
    const before = responses.bytes;
    responses.pack(slot, kept);
    expect(kept.isPacking).toBe(false);
    responses.pack(slot, kept);
    expect(kept.isPacking).toBe(true);
    await expect.poll(() => kept.packed).not.toBeNull();
    expect(responses.bytes).toBe(before + (kept.packed as Uint8Array).byteLength);
    expect(responses.find(slot, 'a', 0)).toBe(kept);
  });

  it('are sent as they are where compressing fails', async () => {
    let tried = 0;
    const responses = new FlagResponses({
      compress: () => {
        tried += 1;
        return Promise.reject(new Error('no worker'));
      },
    });
    const slot = slotOf();
    const kept = responseOf('a', 5_000);
    responses.keep(slot, kept);
    responses.pack(slot, kept);
    responses.pack(slot, kept);
    await expect.poll(() => kept.isPacking).toBe(false);
    expect([tried, kept.packed]).toEqual([1, null]);
    responses.pack(slot, kept);
    expect(tried).toBe(2);
  });
});
