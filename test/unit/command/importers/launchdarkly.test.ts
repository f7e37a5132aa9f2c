import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../src/command/importers/conversion.js';
import { bucketsOf } from '../../../../src/command/importers/flags/flag-content.js';
import { convertLaunchDarkly } from '../../../../src/command/importers/launchdarkly/convert-flags.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

const options = { content: null, environment: null };
const convert = (value: unknown, environment: string | null = null): Conversion =>
  convertLaunchDarkly(typeof value === 'string' ? value : JSON.stringify(value), {
    ...options,
    environment,
  });
const game = readFileSync(
  join(import.meta.dirname, '../../../fixtures/exports/launchdarkly-game.json'),
  'utf8',
);

/** One flag, on, which gives 0 by default. */
function flagged(more: object, segments: object = {}): object {
  const flag = {
    key: 'f',
    on: true,
    variations: [0, 1],
    fallthrough: { variation: 0 },
    offVariation: 0,
    ...more,
  };
  return { flags: { f: flag }, segments };
}

const rule = (clause: object): object => ({
  rules: [{ id: 'r', variation: 1, clauses: [clause] }],
});
const mappingOf = ({ contents }: Conversion): Record<string, unknown>[] =>
  JSON.parse(contents[0]?.mapping ?? '[]');
const leftOut = ({ report }: Conversion): string[] =>
  report.findings.filter(({ outcome }) => outcome === 'left-out').map(({ message }) => message);

describe('an export of LaunchDarkly', () => {
  it.each([
    [
      { attribute: 'country', op: 'in', values: ['US', 5, true, { a: 1 }] },
      { country: { $in: ['US', 5, true] } },
    ],
    [
      { attribute: 'key', op: 'startsWith', values: ['a.'] },
      { '@u': { $type: 'string', $regex: '^a\\.' } },
    ],
    [
      { attribute: 'key', op: 'in', values: ['x'], contextKind: 'device' },
      { 'device.key': { $in: ['x'] } },
    ],
    [
      { attribute: '/a~1b/c', op: 'in', values: ['x'], contextKind: 'user' },
      { 'a/b.c': { $in: ['x'] } },
    ],
    [{ attribute: 'a.b', op: 'in', values: ['x'] }, { a_b: { $in: ['x'] } }],
    [
      { attribute: 'country', op: 'in', values: ['US'], negate: true },
      { country: { $exists: true }, $not: { country: { $in: ['US'] } } },
    ],
    [{ attribute: 'anonymous', op: 'in', values: [false] }, { $not: { anonymous: true } }],
    [{ attribute: 'country', op: 'in', values: [] }, { $not: {} }],
  ])('has the clause %j as a condition', (clause, when) => {
    const converted = convert(flagged(rule(clause)));
    expect(leftOut(converted)).toEqual([]);
    const [first] = mappingOf(converted);
    expect(first?.['when'] ?? {}).toEqual(JSON.parse(JSON.stringify(when)));
  });

  it.each([
    [
      'an unknown operator',
      rule({ attribute: 'a', op: 'near', values: [1] }),
      'near is no operator',
    ],
    [
      'the kind of a context',
      rule({ attribute: 'kind', op: 'in', values: ['user'] }),
      'kind of the context',
    ],
    [
      'a pattern that RE2 lacks',
      rule({ attribute: 'a', op: 'matches', values: ['(?=x)'] }),
      'Loadout does not admit',
    ],
    ['a variation that is not there', { rules: [{ variation: 7, clauses: [] }] }, 'variation 7'],
    [
      'a default rule that serves nothing',
      { fallthrough: {} },
      'neither a variation nor a rollout',
    ],
    [
      'a flag that requires itself',
      { prerequisites: [{ key: 'f', variation: 0 }] },
      'requires itself',
    ],
  ])('reports %s as left out', (_, more, message) => {
    const converted = convert(flagged(more));
    expect(leftOut(converted)).toEqual([expect.stringContaining(message)]);
    expect(mappingOf(converted)).toEqual([]);
    expect(converted.contents[0]?.text).toBe('{\n  "f": 0\n}\n');
  });

  it('leaves out big segments, shares and circles, and rules that name them', () => {
    const clause = (key: string): object => ({ attribute: '', op: 'segmentMatch', values: [key] });
    const segments = {
      big: { key: 'big', unbounded: true },
      share: { key: 'share', rules: [{ clauses: [], weight: 50_000 }] },
      circle: { key: 'circle', rules: [{ clauses: [clause('circle')] }] },
    };
    for (const key of Object.keys(segments)) {
      const converted = convert(flagged(rule(clause(key)), segments));
      expect(converted.segments).toEqual([]);
      expect(leftOut(converted)).toContain(
        `the segment ${key} cannot be carried over; the rule never holds`,
      );
    }
  });

  it('gives shares of a rollout buckets, rounded so that they have no gap', () => {
    expect(bucketsOf([0.5, 0.3, 0.2])).toEqual([
      [0, 499],
      [500, 799],
      [800, 999],
    ]);
    expect(bucketsOf([0.0001, 0.9999])).toEqual([null, [0, 999]]);
    expect(bucketsOf([1 / 3, 1 / 3, 1 / 3])).toEqual([
      [0, 332],
      [333, 666],
      [667, 999],
    ]);
    const rollout = {
      bucketBy: 'email',
      kind: 'experiment',
      variations: [
        { variation: 0, weight: 60_000 },
        { variation: 1, weight: 30_000 },
      ],
    };
    const converted = convert(flagged({ salt: 's', fallthrough: { rollout } }));
    expect(mappingOf(converted)).toEqual([
      {
        segment: 'f: default',
        when: {},
        salt: 'f.s',
        variants: [
          { name: '0: variation 0', groups: [0, 599], merge: { f: 0 } },
          { name: '1: variation 1', groups: [600, 999], merge: { f: 1 } },
        ],
      },
    ]);
    const [finding] = converted.report.findings;
    expect(finding).toMatchObject({
      outcome: 'approximated',
      path: '/flags/f/fallthrough/rollout',
    });
    expect(finding?.message).toContain('instead of email');
    expect(finding?.message).toContain('nothing is measured');
  });

  it('gives the off variation of a flag that is off, and nothing where it has none', () => {
    expect(convert(flagged({ on: false, offVariation: 1 })).contents[0]?.text).toBe(
      '{\n  "f": 1\n}\n',
    );
    const none = { ...flagged({ on: false, offVariation: null }), flagValues: { g: 1.1 } };
    expect(convert(JSON.stringify(none).replace('1.1', '1.10')).contents[0]?.text).toBe(
      '{\n  "g": 1.10\n}\n',
    );
  });

  it('makes a rule of a segment follow the saved segment', () => {
    const { contents, segments } = convert(game, 'production');
    expect(segments).toEqual([
      {
        name: 'testers',
        description: 'Testers',
        when: '{"$not":{"@u":{"$in":["cy"]}},"$or":[{"email":{"$type":"string","$regex":"@studio\\\\.example$"}},{"email":{"$elemMatch":{"$type":"string","$regex":"@studio\\\\.example$"}}}]}',
      },
    ]);
    const rules = JSON.parse(contents[0]?.mapping ?? '');
    expect(
      rules.map(({ segment, when }: { segment: string; when?: unknown }) => [segment, when]),
    ).toEqual([
      ['testers', undefined],
      ['new-shop: targets', { '@u': { $in: ['bo'] } }],
      ['price: Europe', { country: { $in: ['PL', 'DE'] } }],
    ]);
    expect(parseMapping(Buffer.from(contents[0]?.mapping ?? ''))).toMatchObject({ ok: true });
  });

  it.each([
    ['no export', '{"items":1}', 'no export of LaunchDarkly'],
    ['of Unleash', '{"features":[],"featureStrategies":[]}', 'another service'],
    ['of Firebase', '{"parameters":{}}', 'another service'],
    ['empty', '{"flags":{}}', 'It has no flags'],
    ['one page of several', '{"items":[{"key":"a"}],"totalCount":57}', '1 of 57 flags'],
    ['a summary', '{"items":[{"key":"a"}]}', 'needs env=KEY and summary=0'],
    ['flags that are a text', '{"flags":"x"}', '/flags must be an object'],
    ['a flag without a key', '{"items":[{}]}', '/items/0/key must be a string'],
    [
      'a repeated key',
      '{"items":[{"key":"a","environments":{"e":{}}},{"key":"a","environments":{"e":{}}}]}',
      'same key',
    ],
    ['not JSON', '{', 'It is not JSON'],
  ])('is rejected when it is %s', (_, text, message) => {
    expect(() => convert(text)).toThrow(message);
  });

  it('is rejected with a hint when it needs more rules than a content item takes', () => {
    const rules = Array.from({ length: 501 }, () => ({ variation: 1, clauses: [] }));
    expect(() => convert(flagged({ rules }))).toThrow('need 501 rules');
  });

  it('is converted or reported member by member', () => {
    const places = pathsOf(JSON.parse(game));
    const free =
      /^(flags|segments)\/_links|\/(_links|_site|experiments|customProperties|defaults|clientSideAvailability)\/|environments\/(test|memberOfTomorrow)|^(flags|segments)\/memberOfTomorrow/;
    for (const place of places) {
      const changed = JSON.parse(game);
      const parent = place.slice(0, -1).reduce((value, name) => value[name], changed);
      parent['memberOfTomorrow'] = 1;
      const path = [...place.slice(0, -1), 'memberOfTomorrow'].join('/');
      if (free.test(path)) continue;
      const { findings } = convert(changed, 'production').report;
      expect(findings, path).toContainEqual(
        expect.objectContaining({ outcome: 'left-out', path: `/${path}` }),
      );
    }
    expect(places.length).toBeGreaterThan(100);
  });
});

/** Of every member of an object, in lists too. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [[...path, name]]),
    ...pathsOf(inner, [...path, name]),
  ]);
}
