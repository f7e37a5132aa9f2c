/*
 * The tree is judged by what it says of texts that another parser reads: the same values at the same places, the same texts
 * rejected. Edits are judged by the value afterwards, and by every comment and every other byte of the text before.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripJsonc } from '../../../../src/content/json/jsonc.js';
import { TextIssue } from '../../../../src/content/json/text-issue.js';
import {
  nodeAt,
  nodeOf,
  parseTextTree,
  pointerOf,
  startOf,
  type TextNode,
  type TextTree,
} from '../../../../src/content/json/text-tree.js';
import {
  applyChanges,
  insertElement,
  insertMember,
  moveElement,
  removeChild,
  replaceValue,
  type TextChange,
} from '../../../../src/content/json/tree-edits.js';
import { strip } from '../mutation/splicing.js';
import { anyTree, jsoncOf, plainObject, plainTree } from './arbitrary-json.js';
import { parseRaw, printRaw, type RawTree } from './raw-tree.js';

function treeOf(text: string): TextTree {
  const tree = parseTextTree(text);
  if (tree instanceof TextIssue) throw new Error(`${tree.line}:${tree.column} ${tree.message}`);
  return tree;
}

/** As the tests' own parser has it, keys as they are written. */
function rawOf({ text }: TextTree, node: TextNode): RawTree {
  if (node.kind === 'object') {
    const members = node.children.map((child) => ({
      key: text.slice(child.keyStart, child.keyEnd),
      value: rawOf(treeOf(text), child),
    }));
    return { kind: 'object', members };
  }
  if (node.kind === 'array') {
    return { kind: 'array', items: node.children.map((child) => rawOf(treeOf(text), child)) };
  }
  return { kind: 'scalar', raw: text.slice(node.start, node.end) };
}

function allNodes(node: TextNode): TextNode[] {
  return [node, ...node.children.flatMap(allNodes)];
}

const commentsOf = (text: string): string[] =>
  (text.match(/"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//g) ?? [])
    .filter((token) => token.startsWith('/'))
    .toSorted();

describe('the tree of a text', () => {
  it('has the values of the text, in its order, as they are written', () => {
    fc.assert(
      fc.property(jsoncOf(anyTree), ({ jsonc, json }) => {
        const tree = treeOf(jsonc);
        expect(printRaw(rawOf(tree, tree.root))).toBe(json);
      }),
    );
  });

  it('is there for exactly the texts that are accepted, and has a place for the issue', () => {
    const broken = fc
      .tuple(
        jsoncOf(anyTree),
        fc.nat(),
        fc.constantFrom('', ',', '}', '"', '/', '/*', '\n', '0', '\\'),
      )
      .map(([{ jsonc }, seed, insert]) => {
        const at = seed % (jsonc.length + 1);
        return jsonc.slice(0, at) + insert + jsonc.slice(at + (seed % 2));
      })
      .filter((text) => Buffer.from(text).toString() === text);
    fc.assert(
      fc.property(broken, (text) => {
        const stripped = stripJsonc(Buffer.from(text), 1_000);
        const tree = parseTextTree(text);
        expect(tree instanceof TextIssue, text).toBe(stripped instanceof TextIssue);
        if (tree instanceof TextIssue) {
          expect(tree.message).not.toBe('');
          expect(tree.offset).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('bounds how deep a text nests, without recursion', () => {
    expect(parseTextTree('['.repeat(1_000) + ']'.repeat(1_000))).not.toBeInstanceOf(TextIssue);
    expect(parseTextTree('['.repeat(1_001) + ']'.repeat(1_001))).toBeInstanceOf(TextIssue);
    expect(parseTextTree('['.repeat(1_000_000))).toBeInstanceOf(TextIssue);
  });

  it('finds a value by its place and by its pointer', () => {
    fc.assert(
      fc.property(jsoncOf(anyTree), fc.nat(), ({ jsonc }, seed) => {
        const tree = treeOf(jsonc);
        const nodes = allNodes(tree.root);
        const node = nodes[seed % nodes.length] as TextNode;
        expect(nodeAt(tree, startOf(node))?.start).toBeLessThanOrEqual(node.start);
        expect(nodeAt(tree, node.start)).toBe(node);
        // Of a repeated name the last one is meant.
        const pointers = nodes.map(pointerOf);
        if (new Set(pointers).size === pointers.length) {
          expect(nodeOf(tree, pointerOf(node))).toBe(node);
        }
      }),
    );
    const tree = treeOf('{ "a/b": [1, {"m~n": 22}] } // end');
    expect(pointerOf(nodeAt(tree, 22) as TextNode)).toBe('/a~1b/1/m~0n');
    expect(nodeAt(tree, 30)).toBeNull();
    expect(nodeOf(tree, '/a~1b/01')).toBeNull();
  });
});

describe('an edit of a text', () => {
  const texts = jsoncOf(plainObject);
  const values = plainTree.map(printRaw);

  function edited(text: string, changes: readonly TextChange[]): string {
    for (const [index, { from, to }] of changes.entries()) {
      expect(from).toBeLessThanOrEqual(to);
      if (index > 0) expect(changes[index - 1]?.to).toBeLessThanOrEqual(from);
    }
    const result = applyChanges(text, changes);
    expect(commentsOf(result), `${text}\n=>\n${result}`).toEqual(commentsOf(text));
    return result;
  }

  const pick = (
    tree: TextTree,
    seed: number,
    isWanted: (node: TextNode) => boolean,
  ): TextNode | null => {
    const nodes = allNodes(tree.root).filter(isWanted);
    return nodes[seed % Math.max(1, nodes.length)] ?? null;
  };

  /** The tests' own tree of the text after an edit of the node that is at the same place of it. */
  function expected(
    tree: TextTree,
    node: TextNode,
    edit: (raw: RawTree) => RawTree | null,
  ): string {
    const walk = (at: TextNode, raw: RawTree): RawTree | null => {
      if (at === node) return edit(raw);
      if (raw.kind === 'array') {
        return {
          kind: 'array',
          items: raw.items.flatMap(
            (item, index) => walk(at.children[index] as TextNode, item) ?? [],
          ),
        };
      }
      if (raw.kind !== 'object') return raw;
      const members = raw.members.flatMap(({ key, value }, index) => {
        const next = walk(at.children[index] as TextNode, value);
        return next === null ? [] : [{ key, value: next }];
      });
      return { kind: 'object', members };
    };
    return printRaw(walk(tree.root, parseRaw(strip(tree.text))) as RawTree);
  }

  it('replaces the bytes of a value, and no others', () => {
    fc.assert(
      fc.property(texts, values, fc.nat(), ({ jsonc }, source, seed) => {
        const tree = treeOf(jsonc);
        const node = pick(tree, seed, ({ children }) => children.length === 0) as TextNode;
        const result = applyChanges(jsonc, replaceValue(node, source));
        expect(result.slice(0, node.start)).toBe(jsonc.slice(0, node.start));
        expect(result.slice(node.start + source.length)).toBe(jsonc.slice(node.end));
        expect(strip(result)).toBe(expected(tree, node, () => parseRaw(source)));
      }),
    );
  });

  it('inserts a member or an element where it should be, and keeps every comment', () => {
    fc.assert(
      fc.property(texts, values, fc.nat(), ({ jsonc }, source, seed) => {
        const tree = treeOf(jsonc);
        const owner = pick(
          tree,
          seed,
          ({ kind }) => kind === 'object' || kind === 'array',
        ) as TextNode;
        const index = seed % (owner.children.length + 1);
        const value = parseRaw(source);
        const changes =
          owner.kind === 'object'
            ? insertMember(tree, owner, 'new "one"', source)
            : insertElement(tree, owner, index, source);
        const wanted = expected(tree, owner, (raw) =>
          raw.kind === 'array'
            ? { kind: 'array', items: raw.items.toSpliced(index, 0, value) }
            : {
                kind: 'object',
                members: [
                  ...(raw.kind === 'object' ? raw.members : []),
                  { key: '"new \\"one\\""', value },
                ],
              },
        );
        expect(strip(edited(jsonc, changes))).toBe(wanted);
      }),
      { numRuns: 1_000 },
    );
  });

  it('removes a member or an element, and keeps every comment', () => {
    fc.assert(
      fc.property(texts, fc.nat(), ({ jsonc }, seed) => {
        const tree = treeOf(jsonc);
        const node = pick(
          tree,
          seed,
          ({ parent, children }) => parent !== null && children.length === 0,
        );
        if (node === null || commentsOf(jsonc.slice(startOf(node), node.end)).length > 0) return;
        const isBetween = commentsOf(jsonc.slice(startOf(node), node.start)).length > 0;
        if (isBetween) return;
        expect(strip(edited(jsonc, removeChild(tree, node)))).toBe(
          expected(tree, node, () => null),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('moves an element', () => {
    const text = '[\n  1, // first\n  2,\n  3\n]';
    const tree = treeOf(text);
    expect(applyChanges(text, moveElement(tree, tree.root, 2, 0))).toBe(
      '[\n  3, // first\n  1,\n  2\n]',
    );
    expect(moveElement(tree, tree.root, 5, 0)).toEqual([]);
  });

  const cases: [string, string, (tree: TextTree) => TextChange[], string][] = [
    [
      'a member behind the last, on a line of its own',
      '{\n  "a": 1\n}',
      (t) => insertMember(t, t.root, 'b', '2'),
      '{\n  "a": 1,\n  "b": 2\n}',
    ],
    [
      'behind a trailing comma and a comment',
      '{\n  "a": 1, // of a\n}',
      (t) => insertMember(t, t.root, 'b', '2'),
      '{\n  "a": 1, // of a\n  "b": 2,\n}',
    ],
    [
      'behind a comment without a comma',
      '{\n  "a": 1 // of a\n}',
      (t) => insertMember(t, t.root, 'b', '2'),
      '{\n  "a": 1, // of a\n  "b": 2\n}',
    ],
    ['on one line', '{ "a": 1 }', (t) => insertMember(t, t.root, 'b', '2'), '{ "a": 1, "b": 2 }'],
    ['into nothing', '{}', (t) => insertMember(t, t.root, 'b', '2'), '{ "b": 2 }'],
    [
      'into nothing on two lines',
      '{\n}',
      (t) => insertMember(t, t.root, 'b', '[\n  2\n]'),
      '{\n  "b": [\n    2\n  ]\n}',
    ],
    [
      'an element between, behind a comment',
      '[\r\n  1, // one\r\n  3\r\n]',
      (t) => insertElement(t, t.root, 1, '2'),
      '[\r\n  1, // one\r\n  2,\r\n  3\r\n]',
    ],
    [
      'an element before the first, behind a comment',
      '[ // all\n  2\n]',
      (t) => insertElement(t, t.root, 0, '1'),
      '[ // all\n  1,\n  2\n]',
    ],
    ['an element close together', '[1,3]', (t) => insertElement(t, t.root, 1, '2'), '[1, 2,3]'],
  ];
  for (const [name, text, edit, wanted] of cases) {
    it(`inserts ${name}`, () => {
      expect(applyChanges(text, edit(treeOf(text)))).toBe(wanted);
    });
  }

  const removals: [string, string, string, string][] = [
    ['with its line', '{\n  "a": 1,\n  "b": 2\n}', '/a', '{\n  "b": 2\n}'],
    ['the last, without a comma', '{\n  "a": 1,\n  "b": 2\n}', '/b', '{\n  "a": 1\n}'],
    ['the last, with a trailing comma', '{\n  "a": 1,\n  "b": 2,\n}', '/b', '{\n  "a": 1,\n}'],
    ['the only one', '{ "a": 1 }', '/a', '{}'],
    [
      'but its comment stays',
      '{\n  "a": 1, // of a\n  "b": 2\n}',
      '/a',
      '{\n  // of a\n  "b": 2\n}',
    ],
    ['on one line', '[1, 2, 3]', '/1', '[1, 3]'],
  ];
  for (const [name, text, pointer, wanted] of removals) {
    it(`removes a value ${name}`, () => {
      const tree = treeOf(text);
      expect(applyChanges(text, removeChild(tree, nodeOf(tree, pointer) as TextNode))).toBe(wanted);
    });
  }
});
