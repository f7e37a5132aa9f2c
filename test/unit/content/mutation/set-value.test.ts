/** A value that is set at a path: only its own bytes change. An oracle that knows no bytes says what the JSON is then. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';
import { TextIssue } from '../../../../src/content/json/text-issue.js';
import { JsonPointer, parsePointer } from '../../../../src/content/mutation/json-pointer.js';
import { type SetValue, setValue } from '../../../../src/content/mutation/set-value.js';
import { anyTree, jsoncOf } from '../json/arbitrary-json.js';
import { operateRaw, parseRaw, pathOf, printRaw, type RawTree } from '../json/raw-tree.js';

const levelsMax = 1_000;

function pointer(path: string): JsonPointer {
  const parsed = parsePointer(path);
  if (!(parsed instanceof JsonPointer)) throw new Error(parsed);
  return parsed;
}

function set(text: string, path: string, value: string, create = false): SetValue {
  const wanted = { path: pointer(path), value: Buffer.from(value), create };
  const result = setValue(Buffer.from(text), wanted, levelsMax);
  if (result instanceof TextIssue) throw new Error(result.message);
  return result;
}

function textAfter(text: string, path: string, value: string, create = false): string {
  const result = set(text, path, value, create);
  return result.kind === 'set' ? Buffer.from(result.text).toString() : result.kind;
}

function stripped(text: string): string {
  const json = stripJsonc(Buffer.from(text), levelsMax);
  if (json instanceof TextIssue) throw new Error(json.message);
  return Buffer.from(json).toString();
}

/** Every place of a tree that a path without repeated names leads to. */
function pathsOf(tree: RawTree, above: readonly string[] = []): string[] {
  const here = [pathOf(above)];
  if (tree.kind === 'array') {
    return [...here, ...tree.items.flatMap((item, at) => pathsOf(item, [...above, String(at)]))];
  }
  if (tree.kind === 'scalar') return here;
  const last = new Map(tree.members.map(({ key, value }) => [JSON.parse(key) as string, value]));
  return [...here, ...[...last].flatMap(([name, value]) => pathsOf(value, [...above, name]))];
}

const cases = fc
  .tuple(jsoncOf(anyTree), jsoncOf(anyTree), fc.nat())
  .map(([{ jsonc, json }, { json: value }, pick]) => {
    const paths = pathsOf(parseRaw(json));
    return { jsonc, json, value, path: paths[pick % paths.length] as string };
  });

describe('a value that is set', () => {
  it('changes the bytes of that value and no others, whatever the text is', () => {
    fc.assert(
      fc.property(cases, ({ jsonc, json, value, path }) => {
        const result = set(jsonc, path, value);
        const wanted = printRaw(
          operateRaw(parseRaw(json), { op: 'replace', path, value: parseRaw(value) }),
        );
        if (result.kind !== 'set') {
          expect(result.kind).toBe('same');
          expect(wanted).toBe(json);
          return;
        }
        const after = Buffer.from(result.text).toString();
        expect(stripped(after)).toBe(wanted);
        // The text around the value is there twice: before the new bytes, and behind them.
        const isSpliced = [...after.matchAll(new RegExp(escaped(value), 'g'))].some(({ index }) => {
          const tail = after.slice(index + value.length);
          const old = jsonc.slice(index, jsonc.length - tail.length);
          return (
            after.slice(0, index) + old + tail === jsonc &&
            stripped(old) === Buffer.from(result.before ?? '').toString()
          );
        });
        expect(isSpliced).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('adds a member or an element where only that is missing, and keeps all bytes that are there', () => {
    fc.assert(
      fc.property(
        cases,
        fc.constantFrom('new', '-', 'a/b'),
        ({ jsonc, json, value, path }, name) => {
          const child = `${path}/${name.replaceAll('/', '~1')}`;
          const result = set(jsonc, child, value, true);
          if (result.kind !== 'set' || result.before !== null) return;
          const wanted = printRaw(
            operateRaw(parseRaw(json), { op: 'add', path: child, value: parseRaw(value) }),
          );
          const after = Buffer.from(result.text).toString();
          expect(stripped(after)).toBe(wanted);
          expect(isSubsequence(jsonc, after)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('keeps comments, indentation and the spelling of other numbers', () => {
    const text = '{\n  // what a pack costs\n  "price": 4.90, /* euros */\n  "gold": 1.0e2,\n}\r\n';
    expect(textAfter(text, '/price', '5.50')).toBe(text.replace('4.90', '5.50'));
  });

  it('tells the same value from another spelling of it', () => {
    expect(set('{"price": 1.10}', '/price', '1.10').kind).toBe('same');
    expect(textAfter('{"price": 1.10}', '/price', '1.1')).toBe('{"price": 1.1}');
  });

  it('means the last of repeated names, as players receive it', () => {
    expect(textAfter('{"a": 1, /* again */ "a": 2}', '/a', '3')).toBe(
      '{"a": 1, /* again */ "a": 3}',
    );
  });

  it('says that a place is missing, and adds it only if it is asked to', () => {
    const text = '{\n  "packs": [\n    1 // one\n  ],\n  "price": 2 // euros\n}\n';
    expect(set(text, '/gold', '5').kind).toBe('missing');
    expect(textAfter(text, '/gold', '5', true)).toBe(
      '{\n  "packs": [\n    1 // one\n  ],\n  "price": 2, // euros\n  "gold": 5\n}\n',
    );
    expect(textAfter(text, '/packs/-', '5', true)).toBe(
      '{\n  "packs": [\n    1, // one\n    5\n  ],\n  "price": 2 // euros\n}\n',
    );
    expect(textAfter('{"a": 1 }', '/b', '2', true)).toBe('{"a": 1, "b": 2 }');
    expect(textAfter('{ // nothing yet\n}', '/b', '2', true)).toBe('{ // nothing yet\n"b": 2}');
    for (const path of ['/a/b/c', '/packs/7', '/packs/x', '/price/x']) {
      expect(set(text, path, '5', true).kind, path).toBe('missing');
    }
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
