import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../src/command/importers/conversion.js';
import { convertFirebase } from '../../../../src/command/importers/firebase/convert-template.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

const options = { content: null, environment: null };
const convert = (template: unknown): Conversion =>
  convertFirebase(typeof template === 'string' ? template : JSON.stringify(template), options);
const game = readFileSync(
  join(import.meta.dirname, '../../../fixtures/exports/firebase-game.json'),
  'utf8',
);

/** A template with one parameter that one condition sets. */
function conditional(expression: string, more: object = {}): unknown {
  return {
    conditions: [{ name: 'c', expression, ...more }],
    parameters: { p: { defaultValue: { value: '0' }, conditionalValues: { c: { value: '1' } } } },
  };
}

const whenOf = (expression: string): unknown =>
  JSON.parse(convert(conditional(expression)).segments[0]?.when ?? 'null');
const outcomesOf = (expression: string): string[] =>
  convert(conditional(expression))
    .report.findings.filter(({ name }) => name === 'c')
    .map(({ outcome }) => outcome);

describe('a Remote Config template', () => {
  it.each([
    ["device.os == 'ios'", { os: { $in: ['ios'] } }],
    ["device.country in ['US', 'CA']", { country: { $in: ['US', 'CA'] } }],
    ["device.language in ['en-US']", { language: { $in: ['en-US'] } }],
    ["app.id == '1:2:android:3'", { appId: { $in: ['1:2:android:3'] } }],
    ["app.firebaseInstallationId in ['a']", { firebaseInstallationId: { $in: ['a'] } }],
    ["app.version.>=(['1.2'])", { '@v': { $vgte: '1.2.0' } }],
    ["app.version.exactlyMatches(['1.2.3'])", { '@v': { $in: ['1.2.3'] } }],
    ["app.build.>=(['120'])", { appBuild: { $exists: true, $gte: 120 } }],
    ["app.userProperty['age'] >= 21", { age: { $exists: true, $gte: 21 } }],
    ["app.userProperty['tier'] == 'vip'", { tier: { $in: ['vip'] } }],
    ["app.userProperty['a'].contains(['x.', 'y'])", { a: { $exists: true, $regex: '(?:x\\.|y)' } }],
    [
      "app.firstOpenTimestamp >= ('2022-10-31T14:37:47', 'America/Los_Angeles')",
      { firstOpen: { $exists: true, $gte: 1667252267000 } },
    ],
    ['percent <= 10', { '@u': { $ne: '' }, '@mod': { $gte: 0, $lte: 99 } }],
    ['true', {}],
  ])('has %s as a saved segment', (expression, when) => {
    expect(whenOf(expression)).toEqual(when);
    expect(outcomesOf(expression)).not.toContain('left-out');
  });

  it.each([
    "app.audiences.inAtLeastOne(['a'])",
    "app.importedSegments.inAtLeastOne(['a'])",
    "app.operatingSystemAndVersion.inOne(['a'])",
    "app.version.>=(['1.2.3.4'])",
    "dateTime < dateTime('soon')",
    "dateTime < dateTime('2026-01-01T00:00:00', 'Mars/Olympus')",
    "percent('a') <= 10 && percent('b') <= 10",
    "app.userProperty['a'].matches(['(?=x)'])",
    "app.userProperty['a'] < 'text'",
    "device.os ~ 'ios'",
    "device.os == 'ios' || true",
    'unknown',
    '',
  ])('reports %s as left out, and no rule applies', (expression) => {
    const { contents, segments, report } = convert(conditional(expression));
    expect(outcomesOf(expression)).toContain('left-out');
    expect(segments).toEqual([]);
    expect(contents[0]?.mapping).toBeNull();
    expect(report.counts['left-out']).toBeGreaterThan(0);
  });

  it('keeps its parameters in their types, or says that a value has another', () => {
    const parameters = {
      yes: { valueType: 'BOOLEAN', defaultValue: { value: 'TRUE' } },
      half: { valueType: 'NUMBER', defaultValue: { value: '.5' } },
      long: { valueType: 'NUMBER', defaultValue: { value: '1.10' } },
      none: { valueType: 'NUMBER', defaultValue: { value: 'x' } },
      broken: { valueType: 'JSON', defaultValue: { value: '{' } },
      text: { defaultValue: { value: 'true' }, description: 'two\nlines' },
    };
    const { contents, report } = convert({ parameters });
    expect(contents).toEqual([
      {
        id: 'remote-config',
        description: '',
        text: '{\n  "yes": true,\n  "half": 0.5,\n  "long": 1.10,\n  "none": "x",\n  "broken": "{",\n  // two lines\n  "text": "true"\n}\n',
        mapping: null,
      },
    ]);
    const approximated = report.findings.filter(({ outcome }) => outcome === 'approximated');
    expect(approximated.map(({ name }) => name)).toEqual(['none', 'broken']);
  });

  it('replaces an object instead of merging into it, and removes what may not be there', () => {
    const values = { c: { value: '{"b":null}' } };
    const object = {
      valueType: 'JSON',
      defaultValue: { value: '{"a":1}' },
      conditionalValues: values,
    };
    const own = { conditionalValues: { c: { useInAppDefault: true } } };
    const { contents } = convert({
      conditions: [{ name: 'c', expression: 'true' }],
      parameters: { object, own },
    });
    const [rule] = JSON.parse(contents[0]?.mapping ?? '');
    expect(rule.patch).toEqual([
      { op: 'add', path: '/object', value: { b: null } },
      { op: 'add', path: '/own', value: null },
      { op: 'remove', path: '/own' },
    ]);
  });

  it('gives different groups different ids, and reports new names', () => {
    const group = (key: string): object => ({
      parameters: { [key]: { defaultValue: { value: '' } } },
    });
    const parameterGroups = { 'A b': group('a'), 'a-b': group('b'), 日本: group('c') };
    const { contents, report } = convert({ parameterGroups });
    const ids = contents.map(({ id }) => id);
    expect(ids).toEqual([
      'A-b',
      expect.stringMatching(/^a-b-[0-9a-f]{8}$/),
      expect.stringMatching(/^-[0-9a-f]{8}$/),
    ]);
    expect(convert({ parameterGroups }).contents.map(({ id }) => id)).toEqual(ids);
    expect(report.renamed.map(({ from }) => from)).toEqual(['A b', 'a-b', '日本']);
  });

  it('keeps a user property apart from what the device is, and says what one attribute cannot', () => {
    expect(whenOf("app.userProperty['country'] == 'US'")).toEqual({
      user_country: { $in: ['US'] },
    });
    expect(whenOf("app.customSignal['a.b'] == 'x'")).toEqual({ a_b: { $in: ['x'] } });
    expect(outcomesOf("app.userProperty['t'] == 'x' && app.customSignal['t'] == 'y'")).toContain(
      'approximated',
    );
  });

  it('names each attribute that the game has to send', () => {
    expect(convert(game).report.attributes.map(({ name }) => name)).toEqual([
      'p.country',
      'p.os',
      'p.tier',
      'u',
      'v',
    ]);
  });

  it.each([
    ['not JSON', '{"parameters": ', 'It is not JSON'],
    ['a list', '[]', 'no JSON object'],
    ['a repeated name', '{"parameters":{"a":{},"a":{}}}', 'repeats the name "a" (line 1)'],
    ['nested too deep', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`, 'may nest 200 levels deep'],
    ['something else', '{"features":[]}', 'no Remote Config template'],
    ['no parameters', '{"conditions":[]}', 'no parameters'],
    ['parameters that are a list', '{"parameters":[]}', '/parameters must be an object'],
    [
      'a condition without a name',
      '{"conditions":[{}],"parameters":{}}',
      '/conditions/0/name must be a string',
    ],
    [
      'two conditions of a name',
      '{"conditions":[{"name":"a","expression":"true"},{"name":"a","expression":"true"}],"parameters":{"a":{}}}',
      'Two conditions have the name a',
    ],
    [
      'an unknown type',
      '{"parameters":{"a":{"valueType":"BLOB"}}}',
      '/parameters/a/valueType must be',
    ],
    [
      'a parameter twice',
      '{"parameters":{"a":{}},"parameterGroups":{"g":{"parameters":{"a":{}}}}}',
      'The parameter a is in two groups',
    ],
  ])('is rejected when it is %s', (_, text, message) => {
    expect(() => convert(text)).toThrow(message);
  });

  it('is rejected with a hint when a group needs more rules than a content item takes', () => {
    const names = Array.from({ length: 501 }, (_, index) => `c${index}`);
    const conditions = names.map((name) => ({ name, expression: 'true' }));
    const conditionalValues = Object.fromEntries(names.map((name) => [name, { value: '1' }]));
    expect(() => convert({ conditions, parameters: { a: { conditionalValues } } })).toThrow(
      'needs 501 rules',
    );
  });

  it('is converted or reported member by member', () => {
    const places = pathsOf(JSON.parse(game));
    for (const place of places) {
      const changed = structuredClone(JSON.parse(game));
      const parent = place.slice(0, -1).reduce((value, name) => value[name], changed);
      parent['memberOfTomorrow'] = 1;
      const path = [...place.slice(0, -1), 'memberOfTomorrow'].join('/');
      if (
        /^(version|.*(conditionalValues|parameters|parameterGroups)\/memberOfTomorrow$|.*experimentValue|.*personalizationValue)/.test(
          path,
        )
      )
        continue;
      const { findings } = convert(changed).report;
      expect(findings, path).toContainEqual(
        expect.objectContaining({ outcome: 'left-out', path: `/${path}` }),
      );
    }
    expect(places.length).toBeGreaterThan(50);
  });

  it('becomes rules that Loadout admits, whatever its names and values are', () => {
    for (const { mapping } of convert(game).contents) {
      expect(parseMapping(Buffer.from(mapping ?? '[]'))).toMatchObject({ ok: true, warnings: [] });
    }
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
