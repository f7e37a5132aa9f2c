import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeEvaluationContext } from '../../../../src/content/evaluation-context.js';
import { digestOf } from '../../../../src/content/hash.js';
import {
  type MappingIssue,
  parseMapping,
  type Rule,
} from '../../../../src/content/mapping/mapping.js';
import {
  mappingIssuesMax,
  mappingRulesMax,
} from '../../../../src/content/mapping/mapping-limits.js';

function parse(mapping: unknown): ReturnType<typeof parseMapping> {
  return parseMapping(Buffer.from(typeof mapping === 'string' ? mapping : JSON.stringify(mapping)));
}

function rulesOf(mapping: unknown): readonly Rule[] {
  const parsed = parse(mapping);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.rules;
}

function faultsOf(mapping: unknown): readonly MappingIssue[] {
  const parsed = parse(mapping);
  return parsed.ok ? [] : parsed.issues;
}

/** The issues of one rule that is otherwise in order, as paths within it. */
function pathsOf(members: object): string[] {
  return faultsOf([{ segment: 's', when: {}, ...members }]).map((fault) =>
    fault.path.replace(/^mapping\[0\]\.?/, ''),
  );
}

const bytesOf = (rule: Rule | undefined): string =>
  Buffer.from(rule?.mutation?.document.bytes ?? []).toString();

describe('a mapping', () => {
  it('is read as docs/targeting.md describes it, comments included', () => {
    const rules = rulesOf(`[
      { "segment": "whales-us",                       // reported as n
        "when": { "country": { "$in": ["US", "CA"] }, "level": { "$gte": 10 }, "@v": { "$vgte": "1.4.0" } },
        "info": "promo-7",                            // reported as i
        "merge": { "shop": { "discount": 20, "banner": null } } },      // RFC 7396 merge patch
      { "segment": "price-test", "when": {},
        "from": "2026-11-01T00:00:00Z", "until": "2026-12-01T00:00:00Z",  // optional window, RFC 3339
        "salt": null,
        "variants": [ { "name": "control", "groups": [0, 499] },
                      { "name": "high",    "groups": [500, 999], "patch": [{ "op": "replace", "path": "/shop/items/3/price", "value": 7.99 }] } ] }
    ]`);
    expect(rules).toHaveLength(2);
    const [whales, prices] = rules;
    expect(whales).toMatchObject({
      segment: 'whales-us',
      info: 'promo-7',
      fromMs: Number.NEGATIVE_INFINITY,
      untilMs: Number.POSITIVE_INFINITY,
      salt: null,
      variants: null,
      mutation: { kind: 'merge' },
    });
    expect(bytesOf(whales)).toBe('{"shop":{"discount":20,"banner":null}}');
    expect(
      whales?.condition?.(makeEvaluationContext('', { country: 'CA', level: 10 }, '1.4.0')),
    ).toBe(true);
    expect(
      whales?.condition?.(makeEvaluationContext('', { country: 'CA', level: 10 }, '1.3.9')),
    ).toBe(false);
    expect(prices).toMatchObject({
      segment: 'price-test',
      info: null,
      fromMs: Date.parse('2026-11-01T00:00:00Z'),
      untilMs: Date.parse('2026-12-01T00:00:00Z'),
      salt: null,
      mutation: null,
      variants: [
        { name: 'control', from: 0, to: 499, mutation: null },
        { name: 'high', from: 500, to: 999, mutation: { kind: 'patch' } },
      ],
    });
  });

  it('may be empty', () => {
    expect(rulesOf([])).toEqual([]);
  });

  it('uses the saved segment where it gives no condition', () => {
    expect(rulesOf([{ segment: 'whales' }])[0]?.condition).toBeNull();
  });

  it('may have a rule that changes nothing', () => {
    expect(rulesOf([{ segment: 'watched', when: {} }])[0]?.mutation).toBeNull();
  });

  it('takes a salt or null for none', () => {
    expect(
      rulesOf([{ segment: 's', salt: 'a' }, { segment: 's', salt: null }, { segment: 's' }]).map(
        (rule) => rule.salt,
      ),
    ).toEqual(['a', null, null]);
  });

  it('keeps every byte of what a mutation inserts', () => {
    const values = [
      '{"n":1e400,"big":9007199254740993,"price":1.10,"__proto__":{"x":1},"2":0,"1":0,"a":1,"a":2,"s":"\\u0041\\/"}',
      '[1.0,{"b":-0}]',
      '"text"',
      'null',
      '1e-7',
    ];
    for (const value of values) {
      expect(bytesOf(rulesOf(`[{"segment":"s","merge":${value}}]`)[0])).toBe(value);
      expect(bytesOf(rulesOf(`[ { "segment" : "s" , "replace" : ${value} } ]`)[0])).toBe(value);
    }
    const patch = '[{"op":"add","path":"/a","value":1.10}]';
    expect(bytesOf(rulesOf(`[{"segment":"s","patch":${patch}}]`)[0])).toBe(patch);
  });

  it('keeps the bytes of any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const minified = JSON.stringify(JSON.parse(json));
        expect(bytesOf(rulesOf(`[{"segment":"s","replace":${minified}}]`)[0])).toBe(minified);
      }),
      { numRuns: 500 },
    );
  });

  it('gives equal mutations equal digests, and others different ones', () => {
    const digest = (rule: string): string | undefined =>
      rulesOf(`[{"segment":"s",${rule}}]`)[0]?.mutation?.digest;
    expect(digest('"merge":{"a":1}')).toBe(digest('"info":"x","merge": { "a" : 1 }'));
    expect(digest('"merge":{"a":1}')).toBe(digestOf('merge:{"a":1}'));
    const digests = [
      '"merge":{"a":1}',
      '"replace":{"a":1}',
      '"merge":{"a":1.0}',
      '"merge":{}',
      '"replace":{}',
    ].map(digest);
    expect(new Set(digests).size).toBe(digests.length);
  });

  it('takes the last of a repeated key', () => {
    const [rule] = rulesOf(
      '[{"segment":"a","segment":"b","merge":{"x":1},"merge":{"x":2},"se\\u0067ment":"c"}]',
    );
    expect(rule?.segment).toBe('c');
    expect(bytesOf(rule)).toBe('{"x":2}');
  });
});

describe('a mapping is refused', () => {
  it('with line and column when it is not JSON', () => {
    expect(faultsOf('[\n  { "segment": }\n]')).toEqual([
      { path: 'mapping', message: expect.any(String), line: 2, column: expect.any(Number) },
    ]);
    expect(faultsOf('')).toHaveLength(1);
    expect(faultsOf('['.repeat(100_000))).toHaveLength(1);
  });

  it('when it is not a list of objects', () => {
    for (const mapping of [{}, null, 1, '"x"']) {
      expect(faultsOf(mapping).map((fault) => fault.path)).toEqual(['mapping']);
    }
    expect(faultsOf([{ segment: 's' }, 1, [], null]).map((fault) => fault.path)).toEqual([
      'mapping[1]',
      'mapping[2]',
      'mapping[3]',
    ]);
  });

  it('for a member it does not know, by name', () => {
    expect(pathsOf({ wehn: {} })).toEqual(['wehn']);
    expect(pathsOf({ Merge: {}, __proto: 1 })).toEqual(['Merge', '__proto']);
    expect(pathsOf({ variants: [{ name: 'a', groups: [0, 1], salt: 'x' }] })).toEqual([
      'variants[0].salt',
    ]);
    expect(faultsOf('[{"segment":"s","__proto__":1}]').map((fault) => fault.path)).toEqual([
      'mapping[0].__proto__',
    ]);
  });

  it('for a segment, info or salt that is no usable text', () => {
    for (const segment of [undefined, '', 1, null, [], 'x'.repeat(129)])
      expect(pathsOf({ segment })).toEqual(['segment']);
    for (const info of [1, null, {}, 'x'.repeat(1_025)])
      expect(pathsOf({ info })).toEqual(['info']);
    for (const salt of [1, {}, 'x'.repeat(257)]) expect(pathsOf({ salt })).toEqual(['salt']);
    expect(pathsOf({ segment: '語'.repeat(128), info: '', salt: '' })).toEqual([]);
    const arms = (info: unknown): object => ({ variants: [{ name: 'a', groups: [0, 1], info }] });
    for (const info of [1, null, {}, 'x'.repeat(1_025)]) {
      expect(pathsOf(arms(info))).toEqual(['variants[0].info']);
    }
    expect(pathsOf(arms('x'.repeat(1_024)))).toEqual([]);
  });

  it('for a condition that is refused, with the path in it', () => {
    expect(pathsOf({ when: { level: { $gtee: 1 }, $or: [{ a: { $x: 1 } }] } })).toEqual([
      'when.level.$gtee',
      'when.$or[0].a.$x',
    ]);
    for (const when of [null, [], 'x', 1]) expect(pathsOf({ when })).toEqual(['when']);
  });

  it('for a window that is no window', () => {
    for (const from of ['2026-11-01', 1, null, '']) expect(pathsOf({ from })).toEqual(['from']);
    const at = '2026-11-01T00:00:00Z';
    expect(pathsOf({ from: at, until: at })).toEqual(['until']);
    expect(pathsOf({ from: at, until: '2026-11-01T00:30:00+01:00' })).toEqual(['until']);
    expect(pathsOf({ from: at, until: '2026-11-01T00:00:00.001Z' })).toEqual([]);
    expect(pathsOf({ until: at })).toEqual([]);
  });

  it('for a window of which one end is local and the other is not', () => {
    const [instant, local] = ['2026-11-01T00:00:00+14:00', '2026-11-02T00:00:00'];
    expect(pathsOf({ from: instant, until: local })).toEqual(['until']);
    expect(pathsOf({ from: '2026-10-01T00:00:00', until: instant })).toEqual(['until']);
    expect(pathsOf({ from: local, until: local })).toEqual(['until']);
    expect(pathsOf({ from: '2026-11-01T00:00:00.5', until: local })).toEqual([]);
    for (const end of ['from', 'until']) expect(pathsOf({ [end]: local })).toEqual([]);
  });

  it('for a repeat that is none, each member by its path', () => {
    const repeat = { days: ['fri'], from: '18:00', until: '23:00' };
    const inRepeat = (members: object, window: object = {}) =>
      pathsOf({ ...window, repeat: { ...repeat, ...members } });
    expect(inRepeat({})).toEqual([]);
    for (const none of [null, [], 'fri', 1, true])
      expect(pathsOf({ repeat: none })).toEqual(['repeat']);
    expect(pathsOf({ repeat: {} })).toEqual(['repeat.days', 'repeat.from', 'repeat.until']);
    expect(inRepeat({ every: 2, zone: 'Z' })).toEqual(['repeat.every', 'repeat.zone']);
    for (const days of [[], 'fri', null, ['Fri'], ['friday'], [5], ['fri', 'fri'], {}]) {
      expect([days, inRepeat({ days })]).toEqual([days, ['repeat.days']]);
    }
    expect(inRepeat({ days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] })).toEqual([]);
    for (const time of ['24:00', '18:60', '8:00', '18', '18:00:00', '18:00Z', '', 18, null]) {
      expect([time, inRepeat({ from: time, until: '23:59' })]).toEqual([time, ['repeat.from']]);
      expect([time, inRepeat({ from: '00:00', until: time, plusDays: 1 })]).toEqual([
        time,
        ['repeat.until'],
      ]);
    }
    for (const plusDays of [-1, 7, 0.5, '1', null]) {
      expect([plusDays, inRepeat({ plusDays })]).toEqual([plusDays, ['repeat.plusDays']]);
    }
    expect(inRepeat({ plusDays: 6 })).toEqual([]);
    // An occurrence that ends before it starts, and one without a moment in it.
    expect(inRepeat({ until: '10:00', plusDays: 0 })).toEqual(['repeat.plusDays']);
    expect(inRepeat({ until: '18:00', plusDays: 0 })).toEqual(['repeat.plusDays']);
    const from = '2026-11-01T00:00:00';
    for (const everyWeeks of [0, 53, 1.5, '2', null]) {
      expect([everyWeeks, inRepeat({ everyWeeks }, { from })]).toEqual([
        everyWeeks,
        ['repeat.everyWeeks'],
      ]);
    }
    for (const everyWeeks of [1, 2, 52]) expect(inRepeat({ everyWeeks }, { from })).toEqual([]);
    expect(inRepeat({ everyWeeks: 1 })).toEqual([]);
    expect(inRepeat({ everyWeeks: 2 }, { until: from })).toEqual(['repeat.everyWeeks']);
  });

  it('for variants that are not well named', () => {
    for (const variants of [{}, null, 'x', []]) expect(pathsOf({ variants })).toEqual(['variants']);
    expect(pathsOf({ variants: [1] })).toEqual(['variants[0]']);
    expect(pathsOf({ variants: [{ groups: [0, 1] }] })).toEqual(['variants[0].name']);
    expect(pathsOf({ variants: [{ name: '', groups: [0, 1] }] })).toEqual(['variants[0].name']);
    expect(
      pathsOf({
        variants: [
          { name: 'a', groups: [0, 1] },
          { name: 'a', groups: [2, 3] },
        ],
      }),
    ).toEqual(['variants[1].name']);
  });

  it('for groups that are no range of 0 to 999, or overlap', () => {
    const bad = [
      undefined,
      null,
      5,
      [],
      [0],
      [0, 1, 2],
      [-1, 5],
      [0, 1_000],
      [0.5, 2],
      ['0', '1'],
      [5, 4],
      {},
    ];
    for (const groups of bad) {
      expect([groups, pathsOf({ variants: [{ name: 'a', groups }] })]).toEqual([
        groups,
        ['variants[0].groups'],
      ]);
    }
    const ranges = (a: number[], b: number[]): string[] =>
      pathsOf({
        variants: [
          { name: 'a', groups: a },
          { name: 'b', groups: b },
        ],
      });
    expect(ranges([0, 499], [499, 999])).toEqual(['variants[1].groups']);
    expect(ranges([100, 200], [0, 999])).toEqual(['variants[1].groups']);
    expect(ranges([7, 7], [8, 8])).toEqual([]);
    expect(ranges([500, 999], [0, 499])).toEqual([]);
  });

  it('for more than one mutation in a rule or variant, or one beside variants', () => {
    expect(pathsOf({ merge: {}, replace: {} })).toEqual(['replace']);
    expect(pathsOf({ variants: [{ name: 'a', groups: [0, 1], patch: [], merge: {} }] })).toEqual([
      'variants[0].patch',
    ]);
    expect(pathsOf({ variants: [{ name: 'a', groups: [0, 1] }], merge: {} })).toEqual(['merge']);
  });

  it('for a patch that is malformed, naming the operation', () => {
    expect(pathsOf({ patch: {} })).toEqual(['patch']);
    expect(
      pathsOf({
        patch: [
          { op: 'remove', path: '/a' },
          { op: 'frobnicate', path: '/a' },
        ],
      }),
    ).toEqual(['patch[1]']);
    expect(
      pathsOf({ variants: [{ name: 'a', groups: [0, 1], patch: [{ op: 'add', path: 'a' }] }] }),
    ).toEqual(['variants[0].patch[0]']);
  });

  it('for all its issues at once', () => {
    const issues = faultsOf([
      { segment: '', when: { a: { $x: 1 } } },
      { segment: 'ok' },
      { segment: 's', until: 'soon', variants: [{ name: 'a', groups: [9, 1], typo: 1 }] },
    ]);
    expect(issues.map((fault) => fault.path).toSorted()).toEqual([
      'mapping[0].segment',
      'mapping[0].when.a.$x',
      'mapping[2].until',
      'mapping[2].variants[0].groups',
      'mapping[2].variants[0].typo',
    ]);
  });

  it('for more rules than a request should walk, and with no more issues than help', () => {
    const rules = (count: number): unknown[] =>
      Array.from({ length: count }, () => ({ segment: 's' }));
    expect(rulesOf(rules(mappingRulesMax))).toHaveLength(mappingRulesMax);
    expect(faultsOf(rules(mappingRulesMax + 1)).map((fault) => fault.path)).toEqual(['mapping']);
    expect(faultsOf(rules(mappingRulesMax).map(() => ({ a: 1, b: 1 })))).toHaveLength(
      mappingIssuesMax,
    );
  });

  it('whatever JSON it is, without throwing', () => {
    const name = fc.constantFrom(
      'segment',
      'when',
      'info',
      'from',
      'until',
      'repeat',
      'days',
      'plusDays',
      'everyWeeks',
      'salt',
      'variants',
      'merge',
      'patch',
      'replace',
      'name',
      'groups',
      'x',
    );
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5, depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(name, tie('node'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(node, { maxLength: 3 }), (mapping) => {
        const parsed = parse(mapping);
        if (!parsed.ok) expect(parsed.issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('a mapping that can hardly be meant', () => {
  it('is accepted with a warning', () => {
    const parsed = parse([{ segment: 's' }, { segment: 's', when: { a: { $in: 'x' } } }]);
    expect(parsed.ok && parsed.warnings.map((warning) => warning.path)).toEqual([
      'mapping[1].when.a.$in',
    ]);
  });

  it('is accepted with a warning where no occurrence lies in the window', () => {
    const repeat = { days: ['fri'], from: '18:00', until: '23:00' };
    const warned = (from: string, until: string) => {
      const parsed = parse([{ segment: 's', from, until, repeat }]);
      return parsed.ok && parsed.warnings.map((warning) => warning.path);
    };
    // 2026-11-27 is a Friday.
    expect(warned('2026-11-27T23:00:00', '2026-12-04T18:00:00')).toEqual(['mapping[0].repeat']);
    expect(warned('2026-11-27T22:59:00', '2026-12-04T18:00:00')).toEqual([]);
    expect(warned('2026-11-27T23:00:00Z', '2026-12-04T18:00:00.001Z')).toEqual([]);
  });
});
