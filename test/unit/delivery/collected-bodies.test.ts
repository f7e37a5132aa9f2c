/** That bodies which arrive slowly hold a bounded amount of memory, and what becomes of those beyond it. */
import { describe, expect, it } from 'vitest';
import { bodyMsFor } from '../../../src/delivery/http/body-deadlines.js';
import { CollectedBodies, CollectedBody } from '../../../src/delivery/http/collected-bodies.js';
import {
  bodyBytesMaxDefault,
  bodyBytesPerSecondMin,
  bodyMsMax,
  collectedBytesMax,
} from '../../../src/delivery/limits.js';
import { seededRandom } from '../../support/seeded-random.js';

const MiB = 1024 * 1024;

function chunkOf(bytes: number, value = 0): ArrayBuffer {
  return new Uint8Array(bytes).fill(value).buffer;
}

describe('a collected body', () => {
  it('is what its chunks were, though they are emptied afterwards', () => {
    const random = seededRandom(1);
    const body = new CollectedBody(new CollectedBodies(), MiB);
    const sent: number[] = [];
    while (body.length < 300_000) {
      const chunk = new Uint8Array(1 + Math.floor(random() * 20_000)).fill(sent.length);
      sent.push(...chunk);
      body.add(chunk.buffer);
      chunk.fill(255);
    }
    expect(Buffer.from(body.bytes).equals(Buffer.from(sent))).toBe(true);
  });

  it('never holds more than the longest body that is admitted', () => {
    const body = new CollectedBody(new CollectedBodies(), 100_000);
    for (let at = 0; at < 10; at += 1) body.add(chunkOf(10_000));
    expect(body.heldBytes).toBe(100_000);
  });
});

describe('the bodies of a process', () => {
  it('hold no more than their budget: the one that has been arriving the longest is dropped', () => {
    const bodies = new CollectedBodies();
    const begun = Array.from({ length: 70 }, () => new CollectedBody(bodies, MiB));
    for (const body of begun) body.add(chunkOf(MiB, 7));
    expect(bodies.heldBytes).toBe(collectedBytesMax);
    expect(begun.map(({ dropped }) => dropped)).toEqual(begun.map((_, at) => at < 6));
    expect(begun[0]?.bytes.byteLength).toBe(0);
    expect(begun[6]?.bytes.byteLength).toBe(MiB);
  });

  it('hold nothing for a dropped body, whatever still arrives of it', () => {
    const bodies = new CollectedBodies();
    const first = new CollectedBody(bodies, MiB);
    first.add(chunkOf(MiB / 2));
    for (let at = 0; at < 64; at += 1) new CollectedBody(bodies, MiB).add(chunkOf(MiB));
    first.add(chunkOf(MiB / 2));
    expect([first.dropped, first.heldBytes, first.length]).toEqual([true, 0, MiB]);
    expect(bodies.heldBytes).toBe(collectedBytesMax);
  });

  it('do not count those of ordinary length, which are never dropped', () => {
    const bodies = new CollectedBodies();
    const small = new CollectedBody(bodies, bodyBytesMaxDefault);
    for (let at = 0; at < 64; at += 1) small.add(chunkOf(1024));
    expect(bodies.heldBytes).toBe(0);
    for (let at = 0; at < 70; at += 1) new CollectedBody(bodies, MiB).add(chunkOf(MiB));
    expect(small.dropped).toBe(false);
  });

  it('count to nothing when all have gone, in any order, and once each', () => {
    const random = seededRandom(2);
    const bodies = new CollectedBodies();
    const open: CollectedBody[] = [];
    for (let at = 0; at < 500; at += 1) {
      if (random() < 0.3) open.push(new CollectedBody(bodies, MiB));
      const body = open[Math.floor(random() * open.length)];
      if (body === undefined) continue;
      if (random() < 0.1) body.release();
      else if (body.length < MiB / 2) body.add(chunkOf(Math.floor((random() * MiB) / 2)));
      expect(bodies.heldBytes).toBeLessThanOrEqual(collectedBytesMax);
    }
    for (const body of [...open, ...open]) body.release();
    expect(bodies.heldBytes).toBe(0);
  });
});

describe('the time for a body', () => {
  it('is that of an ordinary one up to 64 KiB, and grows with what has arrived beyond', () => {
    expect(bodyMsFor(0)).toBe(bodyMsMax);
    expect(bodyMsFor(bodyBytesMaxDefault)).toBe(bodyMsMax);
    expect(bodyMsFor(bodyBytesMaxDefault + bodyBytesPerSecondMin)).toBe(bodyMsMax + 1_000);
    expect(bodyMsFor(MiB)).toBe(bodyMsMax + 48_000);
  });
});
