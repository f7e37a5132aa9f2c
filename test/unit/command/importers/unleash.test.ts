import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversion } from '../../../../src/command/importers/conversion.js';
import { convertUnleash } from '../../../../src/command/importers/unleash/convert-features.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';

const convert = (value: unknown): Conversion =>
  convertUnleash(typeof value === 'string' ? value : JSON.stringify(value), {
    content: null,
    environment: null,
  });
const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../fixtures/exports/${name}.json`), 'utf8');

/** One feature, enabled, with one strategy. */
function featured(strategy: object, more: object = {}, segments: readonly object[] = []): object {
  const strategies = [{ name: 'default', parameters: {}, constraints: [], ...strategy }];
  return { version: 2, features: [{ name: 'f', enabled: true, strategies, ...more }], segments };
}

const constrained = (constraint: object): object => featured({ constraints: [constraint] });
const mappingOf = ({ contents }: Conversion): Record<string, unknown>[] =>
  JSON.parse(contents[0]?.mapping ?? '[]');
const leftOut = ({ report }: Conversion): string[] =>
  report.findings.filter(({ outcome }) => outcome === 'left-out').map(({ message }) => message);

describe('an export of Unleash', () => {
  it.each([
    [
      { contextName: 'country', operator: 'IN', values: ['US', '5'] },
      { country: { $in: ['US', '5', 5] } },
    ],
    [
      { contextName: 'country', operator: 'NOT_IN', values: ['US'] },
      { $not: { country: { $in: ['US'] } } },
    ],
    [{ contextName: 'country', operator: 'NOT_IN', values: [] }, {}],
    [{ contextName: 'userId', operator: 'IN', values: ['5'] }, { '@u': { $in: ['5'] } }],
    [
      { contextName: 'a.b', operator: 'STR_ENDS_WITH', values: ['x'], caseInsensitive: true },
      { a_b: { $exists: true, $regexi: 'x$' } },
    ],
    [
      { contextName: 'level', operator: 'NUM_GT', value: '5', inverted: true },
      { $not: { level: { $exists: true, $gt: 5 } } },
    ],
    [{ contextName: 'level', operator: 'NUM_GT', value: 'x' }, { $not: {} }],
  ])('has the constraint %j as a condition', (constraint, when) => {
    const converted = convert(constrained(constraint));
    expect(leftOut(converted)).toEqual([]);
    expect(mappingOf(converted)[0]?.['when']).toEqual(when);
  });

  it.each([
    [
      'an unknown operator',
      { constraints: [{ contextName: 'a', operator: 'IN_CIDR', values: ['10.0.0.0/8'] }] },
      'IN_CIDR',
    ],
    [
      'the current time with another operator',
      { constraints: [{ contextName: 'currentTime', operator: 'IN', values: [] }] },
      'currentTime',
    ],
    [
      'a date that is none',
      { constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: 'soon' }] },
      'soon is no date',
    ],
    [
      'a pattern that RE2 lacks',
      { constraints: [{ contextName: 'a', operator: 'REGEX', value: '(?=x)' }] },
      'does not admit',
    ],
    ['a strategy of your own', { name: 'mine' }, 'strategy of your own'],
    ['addresses', { name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } }, 'remoteAddress'],
    [
      'host names',
      { name: 'applicationHostname', parameters: { hostNames: 'a' } },
      'applicationHostname',
    ],
    ['a segment that is not there', { segments: [7] }, 'segment 7 is not in the export'],
  ])('reports %s as left out', (_, strategy, message) => {
    const converted = convert(featured(strategy));
    expect(leftOut(converted)).toEqual([expect.stringContaining(message)]);
    expect(mappingOf(converted)).toEqual([]);
    expect(converted.contents[0]?.text).toBe('{\n  "f": false\n}\n');
  });

  it('leaves out overrides of variants, and says when a payload is not of its type', () => {
    const variants = [
      {
        name: 'v',
        weight: 1000,
        payload: { type: 'json', value: '{' },
        overrides: [{ contextName: 'userId', values: ['1'] }],
      },
    ];
    const { report } = convert(featured({ variants }));
    const outcomes = report.findings.map(({ outcome, path }) => `${outcome} ${path}`);
    expect(outcomes).toContain('left-out /features/0/strategies/0/variants/0/overrides');
    expect(outcomes).toContain('approximated /features/0/strategies/0/variants/0/payload');
  });

  it.each([
    [
      'rollouts',
      { name: 'flexibleRollout', parameters: { rollout: '50' } },
      'share of the players',
    ],
    [
      'dates',
      {
        constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01' }],
      },
      'depends on the time',
    ],
  ])('leaves out a feature that depends on one with %s, and it is off', (_, strategy, message) => {
    const value = featured(strategy) as { features: object[] };
    const child = {
      name: 'child',
      enabled: true,
      strategies: [],
      dependencies: [{ feature: 'f', enabled: true }],
    };
    const converted = convert({ ...value, features: [...value.features, child] });
    expect(leftOut(converted)).toEqual([expect.stringContaining(message)]);
    expect(JSON.stringify(mappingOf(converted))).not.toContain('child');
  });

  it('gives steps of rollouts the group as salt, and says who gets another share', () => {
    const parameters = { rollout: '25', stickiness: 'sessionId', groupId: 'g' };
    const converted = convert(featured({ name: 'flexibleRollout', parameters }));
    expect(mappingOf(converted)).toEqual([
      {
        segment: 'f: strategy 1',
        when: { '@u': { $ne: '' }, sessionId: { $exists: true, $ne: '' } },
        salt: 'g',
        variants: [{ name: 'on', groups: [0, 249], merge: { f: true } }],
      },
    ]);
    const messages = converted.report.findings.map(({ message }) => message);
    expect(messages).toContain('shares divide players by u instead of sessionId');
  });

  it.each(['unleash-client', 'unleash-export'])(
    'becomes rules that Loadout admits (%s)',
    (name) => {
      for (const { mapping } of convert(fixture(name)).contents) {
        expect(parseMapping(Buffer.from(mapping ?? ''))).toMatchObject({ ok: true, warnings: [] });
      }
    },
  );

  it.each([
    ['of Firebase', '{"parameters":{}}', 'no export of Unleash'],
    ['empty', '{"features":[]}', 'It has no features'],
    ['of a newer format', '{"version":3,"features":[]}', 'Its format is version 3'],
    ['a feature without a name', '{"features":[{}]}', '/features/0/name must be a string'],
    [
      'a feature twice',
      '{"features":[{"name":"a"},{"name":"a"}]}',
      'Two features have the same name',
    ],
    [
      'of several environments',
      '{"features":[{"name":"a"}],"featureStrategies":[],"featureEnvironments":[{"featureName":"a"},{"featureName":"a"}]}',
      'several environments',
    ],
    ['not JSON', 'x', 'It is not JSON'],
  ])('is rejected when it is %s', (_, text, message) => {
    expect(() => convert(text)).toThrow(message);
  });

  it.each(['unleash-client', 'unleash-export'])(
    'is converted or reported member by member (%s)',
    (name) => {
      const free =
        /\/parameters\/|^(query|meta)\/|^(contextFields|featureTags|tagTypes|links)\/|\/payload\//;
      const places = pathsOf(JSON.parse(fixture(name)));
      for (const place of places) {
        const changed = JSON.parse(fixture(name));
        const parent = place.slice(0, -1).reduce((value, member) => value[member], changed);
        parent['memberOfTomorrow'] = 1;
        const path = [...place.slice(0, -1), 'memberOfTomorrow'].join('/');
        if (free.test(path)) continue;
        const { findings } = convert(changed).report;
        const added = findings.filter(({ message }) => message.startsWith('memberOfTomorrow '));
        expect(added.length, path).toBeGreaterThan(0);
        expect(added[0]?.outcome).toBe('left-out');
      }
      expect(places.length).toBeGreaterThan(50);
    },
  );
});

/** Of every member of an object, in lists too. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [[...path, name]]),
    ...pathsOf(inner, [...path, name]),
  ]);
}
