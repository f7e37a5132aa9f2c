/*
 * A merge of two edits is judged by applying one edit after the other: each is made of a place, found by names and identities in
 * whatever text it is applied to, and an edit of that place by `tree-edits`. Where they do not meet, the merge is the same
 * value, in either order; of replaced values it is the same text.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextIssue } from '../../../../src/content/json/text-issue.js';
import {
  parseTextTree,
  type TextNode,
  type TextTree,
} from '../../../../src/content/json/text-tree.js';
import {
  applyChanges,
  insertMember,
  removeChild,
  replaceValue,
} from '../../../../src/content/json/tree-edits.js';
import { mergeTexts } from '../../../../src/content/merge/merge-text.js';
import { conflictsOf, sourceOf } from '../../../../src/content/merge/merge-tree.js';
import { commentsOf } from '../../../../src/content/merge/trivia.js';

function treeOf(text: string): TextTree {
  const tree = parseTextTree(text);
  if (tree instanceof TextIssue) throw new Error(`${tree.message}\n${text}`);
  return tree;
}

/** Elements by their `id`, members by name: they stay the same whatever else moves. */
type Path = readonly string[];

function childOf(tree: TextTree, node: TextNode, step: string): TextNode | undefined {
  if (node.kind === 'object') return node.children.find(({ name }) => name === step);
  return node.children.find((element) => {
    const id = element.children.find(({ name }) => name === 'id');
    return id !== undefined && tree.text.slice(id.start, id.end) === step;
  });
}

function nodeOf(tree: TextTree, path: Path): TextNode {
  let node = tree.root;
  for (const step of path) {
    const child = childOf(tree, node, step);
    if (child === undefined) throw new Error(`${path.join('/')} is not in ${tree.text}`);
    node = child;
  }
  return node;
}

/** All places of a text but its root and the identities. */
function pathsOf(tree: TextTree, node: TextNode = tree.root, path: Path = []): Path[] {
  return node.children.flatMap((child) => {
    if (child.name === 'id') return [];
    const id = child.children.find(({ name }) => name === 'id');
    const step = child.name ?? (id === undefined ? '' : tree.text.slice(id.start, id.end));
    return [[...path, step], ...pathsOf(tree, child, [...path, step])];
  });
}

const kinds = ['replace', 'remove', 'insert'] as const;

interface Edit {
  readonly kind: (typeof kinds)[number];
  readonly path: Path;
  readonly value: string;
}

function apply(text: string, { kind, path, value }: Edit): string {
  const tree = treeOf(text);
  const node = nodeOf(tree, path);
  if (kind === 'remove') return applyChanges(text, removeChild(tree, node));
  // An element that is no object any more would take the identity from all of them.
  if ((kind === 'insert' || isElement(path)) && node.kind === 'object') {
    return applyChanges(text, insertMember(tree, node, `new ${value}`, value));
  }
  return applyChanges(text, replaceValue(node, value));
}

function isElement(path: Path): boolean {
  return digits.test(path.at(-1) ?? '');
}

const digits = /^\d+$/;

/** Neither is in the other, nor the same. */
function areApart(one: Path, other: Path): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).join('\n') !== other.slice(0, shared).join('\n');
}

const blank = fc.constantFrom('', '', ' ', '\n  ', ' /* beside */ ', '\n  // above\n  ');
const lexeme = fc.constantFrom('1.10', '9007199254740993', '-0', '"a"', 'true', 'null', '1E2');
const names = fc.constantFrom('a', 'b', 'c/d', 'e');

/** JSONC in which every list is of elements with a unique `id`. */
const text: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string; list: string }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, lexeme, tie('object'), tie('list')),
    object: membersText(tie('value'), ''),
    list: fc.uniqueArray(fc.nat(20), { maxLength: 4 }).chain((ids) =>
      fc.tuple(...ids.map((id) => membersText(tie('value'), `"id": ${id}`)), blank).map((all) => {
        const [space, elements] = [all.at(-1) ?? '', all.slice(0, -1)];
        return `[${elements.map((element) => space + element).join(',')}${space}]`;
      }),
    ),
  }),
).object;

function membersText(value: fc.Arbitrary<string>, first: string): fc.Arbitrary<string> {
  const member = fc.tuple(names, value, blank);
  return fc.uniqueArray(member, { maxLength: 4, selector: ([name]) => name }).map((members) => {
    const sources = members.map(([name, source, space]) => `${space}"${name}":${space}${source}`);
    return `{${(first === '' ? sources : [first, ...sources]).join(',')}}`;
  });
}

/** A text with two edits of it. */
const edited = text
  .filter((source) => pathsOf(treeOf(source)).length > 1)
  .chain((source) => {
    const edit = fc.record({
      kind: fc.constantFrom(...kinds),
      path: fc.constantFrom(...pathsOf(treeOf(source))),
      value: fc.nat({ max: 1e6 }).map((number) => `"${number}"`),
    });
    return fc.record({ source: fc.constant(source), first: edit, second: edit });
  });

const ofMember = edited.filter(({ first }) => !isElement(first.path));

function mergeOf(base: string, theirs: string, mine: string) {
  const { tree } = mergeTexts({ base, theirs, mine }, 'any');
  return { conflicts: conflictsOf(tree), text: sourceOf(tree, ({ theirs: saved }) => saved) ?? '' };
}

/** Members in any order. */
function plainOf(source: string): unknown {
  const tree = treeOf(source);
  const plain = (node: TextNode): unknown => {
    if (node.kind === 'array') return node.children.map(plain);
    if (node.kind !== 'object') return source.slice(node.start, node.end);
    return Object.fromEntries(node.children.map((child) => [child.name ?? '', plain(child)]));
  };
  return plain(tree.root);
}

describe('two edits that do not meet', () => {
  it('merge to what both make one after the other, in either order', () => {
    const apart = edited.filter(({ first, second }) => areApart(first.path, second.path));
    fc.assert(
      fc.property(apart, ({ source, first, second }) => {
        const [theirs, mine] = [apply(source, first), apply(source, second)];
        const merged = mergeOf(source, theirs, mine);
        expect(merged.conflicts).toEqual([]);
        expect(plainOf(merged.text)).toEqual(plainOf(apply(theirs, second)));
        expect(plainOf(merged.text)).toEqual(plainOf(apply(mine, first)));
        expect(plainOf(mergeOf(source, mine, theirs).text)).toEqual(plainOf(merged.text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('change nothing of the saved text but the value, if one is replaced', () => {
    const apart = edited.filter(({ first, second }) => areApart(first.path, second.path));
    fc.assert(
      fc.property(apart, ({ source, first, second }) => {
        const typed = { ...second, kind: 'replace' } as const;
        const theirs = apply(source, first);
        const { text: merged } = mergeOf(source, theirs, apply(source, typed));
        // Cutting a member may leave its white space with the next one, whose value is then replaced.
        const isCut = first.kind === 'remove';
        if (isCut) expect(commentsOf(merged)).toEqual(commentsOf(apply(theirs, typed)));
        else expect(merged).toBe(apply(theirs, typed));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('two edits of one value', () => {
  it('are exactly one conflict, at that value, and either can be taken', () => {
    fc.assert(
      fc.property(ofMember, ({ source, first }) => {
        const theirs = apply(source, { ...first, kind: 'replace', value: '"theirs"' });
        const mine = apply(source, { ...first, kind: 'replace', value: '"mine"' });
        const { tree } = mergeTexts({ base: source, theirs, mine }, 'any');
        const conflicts = conflictsOf(tree);
        expect(conflicts).toHaveLength(1);
        expect(conflicts[0]).toMatchObject({ theirs: '"theirs"', mine: '"mine"' });
        expect(sourceOf(tree, (conflict) => conflict.theirs)).toBe(theirs);
        expect(sourceOf(tree, (conflict) => conflict.mine)).toBe(mine);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are one conflict if one removes it and the other edits inside', () => {
    fc.assert(
      fc.property(ofMember, ({ source, first }) => {
        const theirs = apply(source, { ...first, kind: 'remove' });
        const mine = apply(source, { ...first, kind: 'replace', value: '"mine"' });
        const { conflicts } = mergeOf(source, theirs, mine);
        expect(conflicts).toHaveLength(1);
        expect(conflicts[0]).toMatchObject({ theirs: null, mine: '"mine"' });
      }),
      { numRuns: 1_000 },
    );
  });
});
