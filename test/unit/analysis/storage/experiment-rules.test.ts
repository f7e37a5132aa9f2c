import { describe, expect, it } from 'vitest';
import { ExperimentRules } from '../../../../src/analysis/storage/experiment-rules.js';
import { bucketOf, uidOf } from '../../../../src/content/bucket.js';
import { noon, priceExperiment } from './event-files.js';

const [phase = undefined] = priceExperiment.phases;
if (phase === undefined) throw new Error('the experiment has a phase');

const reported = {
  ...{ environment: 'live', content: 'shop', segment: 'price', variant: 'high', u: 'ann' },
  at: noon,
};
const users = Array.from({ length: 200 }, (_, at) => `user-${at}`);
const bucket = (salt: string | null, u: string) => bucketOf(salt, { u, mod: uidOf(u) % 1000 });

describe('the experiment of an exposure', () => {
  it('is the one whose phase was valid when it was seen', () => {
    const second = {
      ...phase,
      number: 2,
      startedAtMs: noon,
      endedAtMs: noon + 10,
      salt: 'price-2',
    };
    const first = { ...phase, endedAtMs: noon };
    const rules = new ExperimentRules([{ ...priceExperiment, phases: [first, second] }]);
    const phaseAt = (at: number) =>
      rules.resolve({ ...reported, at }).map(({ phase: number }) => number);
    expect(phaseAt(first.startedAtMs - 2_001)).toEqual([]);
    expect(phaseAt(first.startedAtMs)).toEqual([1]);
    expect(phaseAt(noon - 1)).toEqual([1]);
    expect(phaseAt(noon)).toEqual([2]);
    expect(phaseAt(noon + 10)).toEqual([]);
  });

  it('is of the phase that begins within two seconds, by the clock of a client that is behind', () => {
    const first = { ...phase, endedAtMs: noon };
    const second = { ...phase, number: 2, startedAtMs: noon, salt: 'price-2' };
    const rules = new ExperimentRules([{ ...priceExperiment, phases: [first, second] }]);
    const resolvedAt = (u: string, at: number) => rules.resolve({ ...reported, u, at });
    const moved = users.filter((u) => bucket('price-1', u) < 500 && bucket('price-2', u) >= 500);
    expect(moved.length).toBeGreaterThan(20);
    for (const u of moved) {
      const inSecond = [{ experiment: priceExperiment.id, phase: 2, contradiction: false }];
      expect(resolvedAt(u, noon - 2_000)).toEqual(inSecond);
      expect(resolvedAt(u, noon - 2_001)).toMatchObject([{ phase: 1, contradiction: true }]);
    }
    expect(resolvedAt('ann', first.startedAtMs - 2_000)).toMatchObject([{ phase: 1 }]);
  });

  it('is of the same environment, content item and rule', () => {
    const rules = new ExperimentRules([priceExperiment]);
    expect(rules.resolve(reported)).toHaveLength(1);
    for (const other of [{ environment: 'dev' }, { content: 'hud' }, { segment: 'vip' }]) {
      expect(rules.resolve({ ...reported, ...other })).toEqual([]);
    }
  });

  it('is contradicted by a variant that the bucket of the user is not in', () => {
    const rules = new ExperimentRules([priceExperiment]);
    for (const u of users) {
      const given = bucket('price-1', u) < 500 ? 'control' : 'high';
      for (const variant of ['control', 'high', 'unknown']) {
        const [resolved] = rules.resolve({ ...reported, u, variant });
        expect(resolved?.contradiction).toBe(variant !== given);
      }
    }
  });

  it('is contradicted by a user outside the slice of its layer, and goes by the user without a salt', () => {
    const layer = { salt: 'layer', slice: [0, 299] as const };
    const inLayer = { ...priceExperiment, phases: [{ ...phase, salt: null, layer }] };
    const rules = new ExperimentRules([inLayer]);
    const believed = users.filter((u) => {
      const [resolved] = rules.resolve({ ...reported, u, variant: 'high' });
      return resolved?.contradiction === false;
    });
    const expected = users.filter((u) => bucket('layer', u) <= 299 && bucket(null, u) >= 500);
    expect(believed).toEqual(expected);
    expect(believed.length).toBeGreaterThan(0);
  });

  it('is the one that gives the user the variant, of two rules of one name', () => {
    const other = { ...priceExperiment, id: 'other', phases: [{ ...phase, salt: 'other' }] };
    const rules = new ExperimentRules([priceExperiment, other]);
    for (const u of users) {
      const found = rules.resolve({ ...reported, u, variant: 'high' });
      const agreeing = [priceExperiment, other].filter(
        ({ phases }) => bucket(phases[0]?.salt ?? null, u) >= 500,
      );
      expect(found.map(({ experiment }) => experiment)).toEqual(
        agreeing.length > 0 ? agreeing.map(({ id }) => id) : ['price-test'],
      );
    }
  });
});
