import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateFlag } from '../../../../src/content/flags/locate-flag.js';
import { indexWideContainers } from '../../../../src/content/flags/wide-containers.js';
import { indexDocument } from '../../../../src/content/json/document.js';
import { type JsonPointer, parsePointer } from '../../../../src/content/mutation/json-pointer.js';
import { anyTree } from '../json/arbitrary-json.js';
import { printRaw } from '../json/raw-tree.js';

function pointerOf(text: string): JsonPointer {
  const pointer = parsePointer(text);
  if (typeof pointer === 'string') throw new Error(pointer);
  return pointer;
}

/** The bytes of the value, or the reason why there is none; the same whether wide containers are indexed or not. */
function locate(json: string, pointer: string): string {
  const document = indexDocument(Buffer.from(json));
  const all = [null, 0, -1].map((seed) => {
    const wide = seed === null ? null : indexWideContainers(document, seed);
    const range = locateFlag({ ...document, wide }, pointerOf(pointer));
    if (typeof range === 'string') return range;
    return Buffer.from(document.bytes.subarray(range.start, range.end)).toString();
  });
  expect(new Set(all).size).toBe(1);
  return all[0] as string;
}

/** What `JSON.parse` has at a path; undefined for nothing. */
function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Every path of a value. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  const below = Object.entries(value).flatMap(([name, child]) =>
    pathsOf(child).map((path) => [name, ...path]),
  );
  return [[], ...below];
}

const textOf = (path: readonly string[]): string =>
  path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

describe('the value of a flag', () => {
  it('is found as it is stored', () => {
    const json = '{"a":5.0,"b":{"c/d":"\\u0061","":1},"l":[true,{"x":-0}],"a":6.0}';
    expect(locate(json, '/a')).toBe('6.0');
    expect(locate(json, '/b')).toBe('{"c/d":"\\u0061","":1}');
    expect(locate(json, '/b/c~1d')).toBe('"\\u0061"');
    expect(locate(json, '/b/')).toBe('1');
    expect(locate(json, '/l/0')).toBe('true');
    expect(locate(json, '/l/1/x')).toBe('-0');
    expect(locate('"root"', '')).toBe('"root"');
  });

  it('is missing with the first name that names nothing, is null, or is an array', () => {
    const json = '{"a":{"n":null},"l":[]}';
    expect(locate(json, '/a/b/c')).toBe('The content item has nothing at "/a/b".');
    expect(locate(json, '/a/n')).toMatch(/"\/a\/n" is null/);
    expect(locate(json, '/l')).toMatch(/"\/l" is an array/);
    expect(locate(json, '/l/0')).toMatch(/nothing at "\/l\/0"/);
    expect(locate(json, '/l/-')).toMatch(/nothing at/);
    expect(locate('null', '')).toMatch(/is null/);
  });

  it('is found in a wide container, also by a name that is repeated or written with escapes', () => {
    const members = Array.from({ length: 500 }, (_, at) => `"name ${at}":${at}`);
    const escaped = '"\\u006eame 7":"again","\\ud800":"lone","\\"":"quote","":"empty"';
    const list = `[${Array.from({ length: 300 }, (_, at) => `{"x":${at}}`).join(',')}]`;
    const inner = `{${members.join(',')},${escaped},"list":${list}}`;
    const json = `{"first":${inner},${members.join(',')}}`;
    for (const at of [0, 8, 63, 499]) {
      expect(locate(json, `/name ${at}`)).toBe(`${at}`);
      expect(locate(json, `/first/name ${at}`)).toBe(`${at}`);
    }
    expect(locate(json, '/first/name 7')).toBe('"again"');
    expect(locate(json, '/name 7')).toBe('7');
    expect(locate(json, '/first/\ud800')).toBe('"lone"');
    expect(locate(json, '/first/"')).toBe('"quote"');
    expect(locate(json, '/first/')).toBe('"empty"');
    expect(locate(json, '/first/list/299/x')).toBe('299');
    for (const miss of ['/name 500', '/', '/first/name 500', '/first/list/300', '/first/list/-']) {
      expect(locate(json, miss)).toMatch(/nothing at/);
    }
  });

  it('is the last of a name that is repeated a hundred thousand times', () => {
    const members = Array.from({ length: 100_000 }, (_, at) => `"a":${at}`);
    expect(locate(`{${members.join(',')}}`, '/a')).toBe('99999');
  });

  it('is what JSON.parse has at every path of any document', () => {
    fc.assert(
      fc.property(
        anyTree,
        fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
        (tree, other) => {
          const json = printRaw(tree);
          const root = JSON.parse(json);
          for (const path of [...pathsOf(root), other]) {
            const found = locate(json, textOf(path));
            const value = valueAt(root, path);
            if (value === undefined) expect(found).toMatch(/^The content item has nothing at /);
            else if (value === null) expect(found).toMatch(/ is null, /);
            else if (Array.isArray(value)) expect(found).toMatch(/ is an array, /);
            else expect(JSON.parse(found)).toEqual(value);
            // The stored text itself: nothing is written again.
            if (!found.startsWith('The ')) expect(json).toContain(found);
          }
        },
      ),
    );
  });
});
