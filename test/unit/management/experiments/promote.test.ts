/** Where the values of a winner go: into the texts only where every player gets what the rule gave them. */
import { describe, expect, it } from 'vitest';
import { promote } from '../../../../src/management/experiments/promote.js';
import { priceTest } from './harness.js';

const text = '{\n  "price": 5, // euros\n  "packs": [{ "gold": 1 }]\n}';

interface Given {
  readonly rules?: readonly unknown[];
  readonly mapping?: string;
  readonly lines?: readonly string[];
  readonly condition?: string | null;
}

function promoted({ rules = [], mapping, lines = [text], condition = null }: Given) {
  const result = promote({
    lines: lines.map((line, at) => ({ version: `${at}.0.0`, text: Buffer.from(line) })),
    mapping: Buffer.from(mapping ?? JSON.stringify(rules)),
    ...{ segment: 'price-test', condition, variant: 'cheap', keepRule: false },
  });
  if (result === null) return null;
  return {
    promoted: result.promoted,
    lines: result.lines.map((line) => Buffer.from(line.text).toString()),
    mapping: result.mapping === null ? null : Buffer.from(result.mapping).toString(),
  };
}

const patched = {
  ...priceTest,
  variants: [
    priceTest.variants[0],
    {
      ...{ name: 'cheap', groups: [500, 999] },
      patch: [{ op: 'replace', path: '/packs/0/gold', value: 2 }],
    },
  ],
};

describe('a winner', () => {
  it('goes into every line, by a patch as well, and keeps what stands around it', () => {
    const result = promoted({ rules: [patched], lines: [text, text.replace('1', '7')] });
    const gold = text.replace('"gold": 1', '"gold": 2');
    expect(result).toEqual({ promoted: 'text', lines: [gold, gold], mapping: null });
  });

  it('stays in the rule where it cannot apply to some line', () => {
    const result = promoted({ rules: [patched], lines: [text, '{"price":5}'] });
    expect(result?.promoted).toBe('rule');
    expect(result?.lines).toEqual([text, '{"price":5}']);
  });

  it('is for everybody where the saved segment is', () => {
    const { when: _, ...saved } = priceTest;
    expect(promoted({ rules: [saved], condition: '{ }' })?.promoted).toBe('text');
    expect(promoted({ rules: [saved], condition: '{"level":1}' })?.promoted).toBe('rule');
    expect(promoted({ rules: [saved] })?.promoted).toBe('rule');
  });

  it('stays in the rule where a rule before it writes the same, or a patch could read what it writes', () => {
    const earlier = (merge: unknown) => ({ segment: 'vip', when: { vip: true }, merge });
    expect(promoted({ rules: [earlier({ gold: 1 }), priceTest] })?.promoted).toBe('text');
    expect(promoted({ rules: [earlier({ price: 1 }), priceTest] })?.promoted).toBe('rule');
    expect(promoted({ rules: [earlier({ gold: 1 }), patched] })?.promoted).toBe('rule');
    expect(promoted({ rules: [priceTest, earlier({ price: 1 })] })?.promoted).toBe('text');
  });

  it('leaves the other rules as they are written, and its own without variants, salt, layer and slice', () => {
    const rule = { ...priceTest, when: { level: 1 }, layer: 'shop', slice: [0, 99], info: 'i' };
    const others = '{ "segment": "vip",\n    "when": {"vip": true}, "merge": {"n": 1.0} }';
    const mapping = `[\n  ${others},\n  ${JSON.stringify(rule)}\n]`;
    const kept = '{"segment":"price-test","when":{"level":1}, "info":"i", "merge":{"price":3}}';
    const result = promoted({ mapping });
    expect(result?.promoted).toBe('rule');
    expect(result?.mapping).toContain(`[\n  ${others},\n  {`);
    expect(JSON.parse(result?.mapping ?? '')[1]).toEqual(JSON.parse(kept));
  });

  it('is none of a rule or a variant that is not there', () => {
    expect(promoted({ rules: [] })).toBeNull();
    expect(promoted({ rules: [{ ...priceTest, segment: 'other' }] })).toBeNull();
    const [control] = priceTest.variants;
    expect(promoted({ rules: [{ ...priceTest, variants: [control] }] })).toBeNull();
  });
});
