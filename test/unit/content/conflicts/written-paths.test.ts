/*
 * Goal: where one mutation changes a value that another one wrote, their paths meet.
 * Method: cases by hand; random pairs, applied one after the other, with the differences of the documents as the oracle.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonPaths } from '../../../../src/content/conflicts/common-paths.js';
import { writtenPaths } from '../../../../src/content/conflicts/written-paths.js';
import type { MutationKind } from '../../../../src/content/mutation/mutation.js';
import { splice } from '../../../../src/content/mutation/splice.js';
import { documentOf, mutationOf } from '../mutation/splicing.js';

type Edit = readonly [MutationKind, unknown];

const written = ([kind, value]: Edit): readonly string[] =>
  writtenPaths(mutationOf(kind, JSON.stringify(value)));
const common = (a: Edit, b: Edit): readonly string[] => commonPaths(written(a), written(b));
const patch = (...operations: readonly object[]): Edit => ['patch', operations];

describe('the paths that a mutation writes', () => {
  it.each<readonly [Edit, readonly string[]]>([
    [
      ['merge', { shop: { discount: 20, banner: null } }],
      ['/shop/banner', '/shop/discount'],
    ],
    [
      ['merge', { shop: {}, 'a/b~': [1] }],
      ['/a~1b~0', '/shop'],
    ],
    [['merge', 5], ['']],
    [['merge', { list: { '-': 1 } }], ['/list']],
    [['replace', { a: 1 }], ['']],
    [patch({ op: 'replace', path: '/items/3/price', value: 7 }), ['/items/3/price']],
    [patch({ op: 'add', path: '/items/-', value: 7 }), ['/items/-']],
    [patch({ op: 'add', path: '/items/0', value: 7 }), ['/items']],
    [patch({ op: 'remove', path: '/items/0' }), ['/items']],
    [patch({ op: 'remove', path: '/a/b' }, { op: 'remove', path: '/a' }), ['/a']],
    [patch({ op: 'move', from: '/a', path: '/b/c' }), ['/a', '/b/c']],
    [patch({ op: 'copy', from: '/a', path: '/b' }), ['/b']],
    [patch({ op: 'test', path: '/a', value: 1 }), []],
  ])('of %j are %j', (edit, paths) => {
    expect(written(edit)).toEqual(paths);
  });

  it('are containers where there are too many', () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`item${at}`, at]));
    expect(written(['merge', { shop: many, name: 1 }])).toEqual(['/name', '/shop']);
    expect(written(['merge', many])).toEqual(['']);
  });

  it('meet where one is the other or lies below it', () => {
    expect(common(['merge', { a: { b: 1 } }], ['merge', { a: { c: 1 } }])).toEqual([]);
    expect(common(['merge', { a: { b: 1 } }], ['merge', { a: 1 }])).toEqual(['/a/b']);
    expect(common(['merge', { ab: 1 }], ['merge', { a: 1 }])).toEqual([]);
    expect(common(['replace', 1], ['merge', { a: { b: 1 } }])).toEqual(['/a/b']);
  });

  it('do not meet in two appends to one list, but in an append and a change of an element', () => {
    const append = patch({ op: 'add', path: '/offers/-', value: 1 });
    expect(common(append, append)).toEqual([]);
    expect(common(append, patch({ op: 'replace', path: '/offers/2', value: 1 }))).toEqual([
      '/offers/2',
    ]);
    expect(common(append, patch({ op: 'remove', path: '/offers/0' }))).toEqual(['/offers/-']);
    expect(common(append, ['merge', { offers: [] }])).toEqual(['/offers/-']);
  });

  const key = fc.constantFrom('a', 'b', '0', 'x~/y');
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer({ min: 0, max: 3 }),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  const token = fc.constantFrom('a', 'b', '0', '1', '2', '-', 'x~0~1y');
  const pointer = fc
    .array(token, { minLength: 1, maxLength: 3 })
    .map((tokens) => tokens.map((one) => `/${one}`).join(''));
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace'), path: pointer, value: json }),
    fc.record({ op: fc.constant('remove'), path: pointer }),
    fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }),
  );
  const edit: fc.Arbitrary<Edit> = fc.oneof(
    json.map((value): Edit => ['merge', value]),
    json.map((value): Edit => ['replace', value]),
    fc.array(operation, { minLength: 1, maxLength: 2 }).map((list): Edit => ['patch', list]),
  );
  const isPatch = ([kind, value]: Edit): boolean =>
    kind !== 'patch' ||
    !(value as { op: string; path: string; from?: string }[]).some(
      ({ op, path, from = '' }) => op === 'move' && path.startsWith(`${from}/`),
    );

  it('meet wherever a mutation changes what another one wrote before it', () => {
    let met = 0;
    const edits = edit.filter(isPatch);
    fc.assert(
      fc.property(json, edits, edits, (base, a, b) => {
        const first = applied(base, a);
        if (first === null) return;
        const second = applied(first.value, b);
        if (second === null) return;
        const wrote = differences(base, first.value, '');
        const changed = differences(first.value, second.value, '');
        if (!wrote.some((path) => changed.some((other) => meets(path, other)))) return;
        met++;
        expect(common(a, b)).not.toEqual([]);
      }),
      {
        numRuns: 20_000,
        // A member that is called "-" is removed, not an element.
        examples: [
          [
            {},
            ['patch', [{ op: 'add', path: '/-', value: null }]],
            ['patch', [{ op: 'remove', path: '/-' }]],
          ],
        ],
      },
    );
    expect(met).toBeGreaterThan(1_000);
  });
});

/** Null: it cannot be applied, or it makes objects of other values, which are not among its paths. */
function applied(base: unknown, [kind, value]: Edit): { readonly value: unknown } | null {
  if (kind === 'merge' && makesObjects(base, value)) return null;
  const document = documentOf(JSON.stringify(base));
  const { bytes, issues } = splice(document, [mutationOf(kind, JSON.stringify(value))], 1e6);
  return issues[0] ? null : { value: JSON.parse(Buffer.from(bytes).toString()) };
}

function makesObjects(base: unknown, merge: unknown): boolean {
  if (!isContainer(merge) || Array.isArray(merge)) return false;
  if (!isContainer(base) || Array.isArray(base)) return Object.keys(merge).length > 0;
  return Object.entries(merge).some(([name, value]) =>
    makesObjects((base as Record<string, unknown>)[name], value),
  );
}

/** Paths of the innermost values that differ; of a value that became an object, as if it had been an empty one. */
function differences(before: unknown, after: unknown, at: string): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isContainer(after)) return [at];
  const isSameKind = isContainer(before) && Array.isArray(before) === Array.isArray(after);
  const isWhole = Array.isArray(after) || Object.keys(after).length === 0;
  if (isWhole && !isSameKind) return [at];
  const old = isSameKind ? (before as Record<string, unknown>) : {};
  const names = new Set([...Object.keys(old), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const path = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Object.hasOwn(after, name)) return [path];
    return differences(old[name], (after as Record<string, unknown>)[name], path);
  });
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function meets(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
