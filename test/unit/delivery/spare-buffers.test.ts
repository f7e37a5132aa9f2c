import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { recycledBytesMin, spareBytesMax } from '../../../src/delivery/limits.js';
import { BufferPool } from '../../../src/delivery/render/buffer-pool.js';

describe('spare buffers', () => {
  it('are used again from the next turn on, for bodies of about the same length', async () => {
    const spares = new BufferPool();
    const first = spares.take(100_000);
    expect(first).toHaveLength(100_000);
    spares.give(first);
    expect(spares.take(100_000).buffer).not.toBe(first.buffer);
    await nextTurn();
    expect(spares.take(2 * 100_000).buffer).not.toBe(first.buffer);
    const second = spares.take(100_001);
    expect(second.buffer).toBe(first.buffer);
    expect(second).toHaveLength(100_001);
    expect(spares.take(100_000).buffer).not.toBe(first.buffer);
  });

  it('are kept up to a limit, and not for small bodies', async () => {
    const spares = new BufferPool();
    const given = Array.from({ length: spareBytesMax / (1024 * 1024) + 1 }, () =>
      spares.take(1024 * 1024),
    );
    const small = spares.take(recycledBytesMin - 1);
    for (const bytes of [...given, small]) spares.give(bytes);
    await nextTurn();
    const before = new Set(given.map(({ buffer }) => buffer));
    const again = given.map(() => before.has(spares.take(1024 * 1024).buffer));
    expect(again.filter((known) => known)).toHaveLength(given.length - 1);
    expect(spares.take(recycledBytesMin - 1).buffer).not.toBe(small.buffer);
  });
});
