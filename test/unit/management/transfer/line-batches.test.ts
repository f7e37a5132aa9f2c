import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LineLimits,
  lineBatches,
  StreamTooLarge,
} from '../../../../src/management/transfer/reading/line-batches.js';

const roomy: LineLimits = { batchBytes: 20, lineBytesMax: 1_000, streamBytesMax: 10_000 };

async function* inChunks(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function numbered(
  text: string,
  sizes: readonly number[],
  limits: LineLimits = roomy,
): Promise<[number, string][]> {
  const lines: [number, string][] = [];
  for await (const { numbers, bytes, ends } of lineBatches(inChunks(text, sizes), limits)) {
    for (const [index, end] of ends.entries()) {
      const line = Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end)).toString();
      lines.push([numbers[index] ?? 0, line]);
    }
  }
  return lines;
}

describe('line batches', () => {
  it('are the lines of the stream with their numbers, however its bytes come in', async () => {
    const lines = fc.array(fc.string({ maxLength: 30 }).map((line) => line.replaceAll('\n', '')));
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lines, sizes, fc.boolean(), async (all, chunks, ended) => {
        const text = all.join('\n') + (ended ? '\n' : '');
        const wanted = all
          .map((line, index): [number, string] => [index + 1, line])
          .filter(([, line]) => line !== '');
        expect(await numbered(text, chunks)).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  it('end where a line or the stream is larger than it may be', async () => {
    const small = { ...roomy, lineBytesMax: 5 };
    expect(await numbered('12345\n12345', [3], small)).toHaveLength(2);
    await expect(numbered('1\n123456', [3], small)).rejects.toThrow(/^Line 2 is larger than 5/);
    const short = { ...roomy, streamBytesMax: 6 };
    await expect(numbered('1\n2\n3\n4', [2], short)).rejects.toBeInstanceOf(StreamTooLarge);
  });

  it('hold about as much as was asked for, in a buffer of their own', async () => {
    const text = 'x'.repeat(8).concat('\n').repeat(10);
    for await (const { bytes } of lineBatches(inChunks(text, [90]), roomy)) {
      expect(bytes.byteLength).toBeLessThan(roomy.batchBytes + 9);
      expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
    }
  });
});
