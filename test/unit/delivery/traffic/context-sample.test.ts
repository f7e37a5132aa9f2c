import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { keptContextBytesMax } from '../../../../src/delivery/limits.js';
import { ContextSample, keptContext } from '../../../../src/delivery/traffic/context-sample.js';

const kept = (u: string, p: Record<string, unknown>, v: string | null = null) => {
  const { json, isReduced } = keptContext(makeEvaluationContext(u, p, v));
  return { context: JSON.parse(json), isReduced };
};

describe('a context that is kept', () => {
  it('has a pseudonym, the same for the same user', () => {
    const { context } = kept(
      'player-1',
      { country: 'DE', tags: ['new', 'eu'], stats: { wins: 3 } },
      '1.4.0',
    );
    expect(context).toEqual({
      u: expect.stringMatching(/^[0-9a-f]{16}$/),
      p: { country: 'DE', tags: ['new', 'eu'], stats: { wins: 3 } },
      v: '1.4.0',
    });
    expect(kept('player-1', {}).context.u).toBe(context.u);
    expect(kept('player-2', {}).context.u).not.toBe(context.u);
    expect(kept('', {})).toEqual({ context: { u: '', p: {} }, isReduced: false });
  });

  it('lacks what could say who the player is, as a whole', () => {
    const p = {
      level: 3,
      email: 'ada@example.com',
      contacts: ['ada@example.com', 'x'],
      profile: { userId: 'a', vip: true },
      steam: 76_561_198_000_000_000,
      story: 'x'.repeat(500),
    };
    expect(kept('player-1', p)).toMatchObject({ context: { p: { level: 3 } }, isReduced: true });
  });

  it('is bounded, is JSON, and names no one, whatever clients send', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (u, p) => {
        const { json } = keptContext(makeEvaluationContext(u, p as Record<string, unknown>, null));
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(keptContextBytesMax + 64);
        const context = JSON.parse(json);
        if (u.length > 16) expect(json).not.toContain(JSON.stringify(u));
        expect(context.u === '').toBe(u === '');
        for (const [name, value] of Object.entries(context.p)) {
          expect(JSON.stringify(value)).toBe(JSON.stringify(p[name]));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a sample of contexts', () => {
  it('is all of a few requests, and then empty', () => {
    const sample = new ContextSample(Math.random, 10);
    expect(sample.take()).toBeNull();
    for (let at = 0; at < 3; at += 1) sample.add(makeEvaluationContext('', { at }, null), 1);
    const taken = sample.take();
    expect(taken?.requests).toBe(3);
    expect(taken?.contexts).toHaveLength(3);
    expect(sample.take()).toBeNull();
  });

  it('is uniform over many requests, also where each looked-at one stands for many', () => {
    const chosen = new Map<number, number>();
    const rounds = 3_000;
    for (let round = 0; round < rounds; round += 1) {
      const sample = new ContextSample(Math.random, 10);
      for (let at = 0; at < 100; at += 1) {
        sample.add(makeEvaluationContext('', { at }, null), at < 50 ? 1 : 3);
      }
      for (const { json } of sample.take()?.contexts ?? []) {
        const { at } = JSON.parse(json).p;
        chosen.set(at, (chosen.get(at) ?? 0) + 1);
      }
    }
    const part = (from: number): number =>
      Array.from({ length: 50 }, (_, at) => chosen.get(from + at) ?? 0).reduce((a, b) => a + b) /
      rounds;
    expect(part(0) + part(50)).toBe(10);
    // 50 requests and 150 requests: a quarter and three quarters, a little less for what a full sample holds already.
    expect(part(0)).toBeGreaterThan(2.3);
    expect(part(0)).toBeLessThan(3);
    // The first and the last of the same weight are as likely.
    const halves = [0, 25].map((from) =>
      Array.from({ length: 25 }, (_, at) => chosen.get(from + at) ?? 0).reduce((a, b) => a + b),
    ) as [number, number];
    expect(halves[0] / halves[1]).toBeGreaterThan(0.85);
    expect(halves[0] / halves[1]).toBeLessThan(1.18);
  });
});
