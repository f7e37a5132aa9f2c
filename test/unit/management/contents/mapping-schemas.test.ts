/**
 * Goal: what /openapi.json says of mappings and conditions is what the kernel takes.
 * Method: ajv with the document's components, on random conditions, on the tables of docs/targeting.md, on the demo's
 * mappings, and on what the kernel refuses. The bodies that all other tests of the admin API send are held against the
 * document as well (documented.ts).
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDemoGame } from '../../../../src/command/demo/demo-game.js';
import { compileCondition } from '../../../../src/content/condition/condition.js';
import { operatorNames } from '../../../../src/content/condition/condition-grammar.js';
import { parseMapping } from '../../../../src/content/mapping/mapping.js';
import { ServerHistory } from '../../../../src/management/health/history/server-history.js';
import { type AdminApiOptions, makeAdminApi } from '../../../../src/management/serve/admin-api.js';
import { condition } from '../../content/condition/arbitrary-condition.js';
import { readDocument, readTables } from '../../content/documents/markdown-table.js';

const page = readDocument('docs/targeting.md');
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, of which a test looks at what it needs.
let document: any;
let takesMapping: ValidateFunction;
let takesCondition: ValidateFunction;

beforeAll(async () => {
  // The routes are only described: nothing is asked of what stands behind them.
  const kept = { history: new ServerHistory(), node: 'tested', startedMs: 0 };
  const options = { logger: pino({ level: 'silent' }), now: Date.now, kept };
  const app = await makeAdminApi({ ...({} as AdminApiOptions), ...options });
  document = (await app.inject('/openapi.json')).json();
  await app.close();
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ components: document.components }, 'document');
  const component = (name: string) => ajv.compile({ $ref: `document#/components/schemas/${name}` });
  takesMapping = component('TargetingRules');
  takesCondition = component('Condition');
});

describe('the components', () => {
  it('have each operator, and no other', () => {
    const { ConditionOperators, Condition } = document.components.schemas;
    const joins = Object.keys(Condition.properties).filter((name) => name.startsWith('$'));
    const named = new Set([...Object.keys(ConditionOperators.properties), ...joins]);
    expect([...named].sort()).toEqual([...operatorNames].sort());
  });

  it('describe a mapping and a condition wherever one is sent or returned', () => {
    const places = new Map<string, string[]>();
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { $ref } = value as { $ref?: string };
      const name = $ref?.split('/').at(-1) ?? '';
      if (name === 'TargetingRules' || name === 'Condition') {
        places.set(name, [...(places.get(name) ?? []), path]);
      }
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}/${key}`);
    };
    visit(document.paths, '');
    visit(document.components.schemas, '');
    const count = (name: string, member: RegExp) =>
      (places.get(name) ?? []).filter((path) => member.test(path)).length;
    // Sent: save, evaluate, preview. Returned: the content, and each of its revisions.
    expect(count('TargetingRules', /requestBody.*\/mapping$/)).toBeGreaterThanOrEqual(3);
    expect(count('TargetingRules', /responses.*\/mapping$/)).toBeGreaterThanOrEqual(2);
    expect(count('Condition', /requestBody.*\/when$/)).toBeGreaterThanOrEqual(2);
    expect(count('Condition', /(responses|schemas\/Segment).*\/when$/)).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(document)).not.toContain('x-described-by');
  });
});

describe('the schemas take', () => {
  it('every condition of docs/targeting.md', () => {
    const rows = readTables(page, 'conditions').map((row) => row['condition'] ?? '');
    expect(rows.filter((when) => !takesCondition(JSON.parse(when)))).toEqual([]);
  });

  it('every change of docs/targeting.md', () => {
    const rows = readTables(page, 'mutations').map(({ change }) => `[{"segment":"s",${change}}]`);
    expect(rows.filter((mapping) => !takesMapping(JSON.parse(mapping)))).toEqual([]);
  });

  it('the mappings of the demo', async () => {
    const { contents } = await readDemoGame(Date.UTC(2026, 10, 21));
    const mappings = [...contents.values()].flatMap(({ mapping }) => mapping ?? []);
    expect(mappings.length).toBeGreaterThan(3);
    const rejected = mappings.filter((text) => !takesMapping(JSON.parse(String(text))));
    expect(rejected).toEqual([]);
  });

  it('every random condition that the kernel takes', () => {
    let taken = 0;
    fc.assert(
      fc.property(condition, (random) => {
        const when = JSON.parse(JSON.stringify(random));
        if (typeof compileCondition(when) !== 'function') return;
        taken++;
        expect(takesCondition(when), JSON.stringify(takesCondition.errors)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(4_000);
  });
});

it('the schemas take windows in local time, and such as repeat', () => {
  const local = { from: '2026-11-27T18:00:00', until: '2026-12-31T00:00:00.5' };
  const repeat = { days: ['fri', 'sat'], from: '18:00', until: '10:00' };
  const mapping = [
    { segment: 's', ...local },
    { segment: 's', ...local, repeat: { ...repeat, plusDays: 3, everyWeeks: 52 } },
    { segment: 's', repeat },
  ];
  expect(parseMapping(Buffer.from(JSON.stringify(mapping))).ok).toBe(true);
  expect(takesMapping(mapping), JSON.stringify(takesMapping.errors)).toBe(true);
});

describe('the schemas refuse', () => {
  /** What JSON Schema cannot say. */
  const beyondSchemas = [
    ...['RE2 syntax', 'must be after from', "overlaps the groups of 'a' at 9"],
    ...['has no zone and from has one', 'weeks are counted from its week'],
  ];

  it('each rejected mapping of docs/targeting.md that JSON Schema can tell', () => {
    const rows = readTables(page, 'rejected').map((row) => {
      return { reason: row['reason'] ?? '', mapping: JSON.parse(row['rejected mapping'] ?? '') };
    });
    const taken = rows.filter(({ mapping }) => takesMapping(mapping));
    expect(taken.map(({ reason }) => reason).sort()).toEqual(beyondSchemas.sort());
  });

  const rule = { segment: 's', when: {} };
  const variant = { name: 'a', groups: [0, 9] };
  const repeat = { days: ['fri'], from: '18:00', until: '10:00' };
  it.each([
    ['no list', {}],
    ['a rule that is no object', [1]],
    ['an empty name', [{ segment: '' }]],
    ['a name that is too long', [{ segment: 'x'.repeat(129) }]],
    ['a condition that is null', [{ segment: 's', when: null }]],
    ['a condition that is a list', [{ segment: 's', when: [] }]],
    ['info that is no text', [{ ...rule, info: 1 }]],
    ['info that is too long', [{ ...rule, info: 'x'.repeat(1_025) }]],
    ['a salt that is a number', [{ ...rule, salt: 1 }]],
    ['a date without a time', [{ ...rule, from: '2026-11-01' }]],
    ['an hour that there is not', [{ ...rule, repeat: { ...repeat, from: '24:00' } }]],
    ['a repeat without days', [{ ...rule, repeat: { ...repeat, days: [] } }]],
    ['a repeat with a day twice', [{ ...rule, repeat: { ...repeat, days: ['fri', 'fri'] } }]],
    ['an unknown day', [{ ...rule, repeat: { ...repeat, days: ['Fri'] } }]],
    ['an unknown member of a repeat', [{ ...rule, repeat: { ...repeat, zone: 'Z' } }]],
    ['an occurrence of a week', [{ ...rule, repeat: { ...repeat, plusDays: 7 } }]],
    ['an occurrence in no week', [{ ...rule, repeat: { ...repeat, everyWeeks: 0 } }]],
    ['a repeat without its end', [{ ...rule, repeat: { days: ['fri'], from: '18:00' } }]],
    ['a time with a space', [{ ...rule, from: '2026-11-01 00:00:00Z' }]],
    ['a day that there is not', [{ ...rule, until: '2026-02-30T00:00:00Z' }]],
    ['a merge and a replacement', [{ ...rule, merge: {}, replace: {} }]],
    ['a patch beside variants', [{ ...rule, patch: [], variants: [variant] }]],
    ['a variant without a name', [{ ...rule, variants: [{ groups: [0, 1] }] }]],
    ['a variant without buckets', [{ ...rule, variants: [{ name: 'a' }] }]],
    ['one bucket', [{ ...rule, variants: [{ name: 'a', groups: [0] }] }]],
    ['a half bucket', [{ ...rule, variants: [{ name: 'a', groups: [0, 1.5] }] }]],
    ['an unknown member of a variant', [{ ...rule, variants: [{ ...variant, salt: 'x' }] }]],
    ['two changes of a variant', [{ ...rule, variants: [{ ...variant, merge: 1, patch: [] }] }]],
    ['501 rules', Array.from({ length: 501 }, () => rule)],
    ['a patch that is no list', [{ ...rule, patch: {} }]],
    ['an operation without its value', [{ ...rule, patch: [{ op: 'add', path: '/a' }] }]],
    ['a pointer without its slash', [{ ...rule, patch: [{ op: 'remove', path: 'a' }] }]],
    ['a pointer with a stray tilde', [{ ...rule, patch: [{ op: 'remove', path: '/a~2' }] }]],
    ['the removal of everything', [{ ...rule, patch: [{ op: 'remove', path: '' }] }]],
    ['a copy from nowhere', [{ ...rule, patch: [{ op: 'copy', path: '/a' }] }]],
  ])('%s, as the kernel does', (_name, mapping) => {
    expect(parseMapping(Buffer.from(JSON.stringify(mapping))).ok).toBe(false);
    expect(takesMapping(mapping)).toBe(false);
  });

  it('every random condition that the kernel refuses, and no other', () => {
    const names = ['a', '$groups', '@u', '@v.x', '__proto__', '$', '', ...operatorNames];
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4, depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 3 }),
      ),
    }));
    let refused = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), node, { maxKeys: 3 }), (random) => {
        const when = JSON.parse(JSON.stringify(random));
        const compiled = compileCondition(when);
        const faults = typeof compiled === 'function' ? [] : compiled;
        // The syntax of a pattern is nothing that a schema knows.
        if (faults.length > 0 && faults.every(({ path }) => /[rR]egexi?$/.test(path))) return;
        if (faults.length > 0) refused++;
        expect(takesCondition(when), JSON.stringify(when)).toBe(faults.length === 0);
      }),
      { numRuns: 5_000 },
    );
    expect(refused).toBeGreaterThan(1_000);
  });
});
