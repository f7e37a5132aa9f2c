/*
 * Goal: what is edited in a form changes the bytes of that value in the text, and no others.
 * Method: random schemas and texts that follow them, written with random white space, comments and spellings of numbers; each edit
 * of a random field is compared with the same edit of the parsed value, and all other sources and comments with what they were.
 */
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../../../src/console/content/form/field-plan.js';
import {
  withElement,
  withMember,
  withoutChild,
  withValue,
} from '../../../../src/console/content/form/form-edits.js';
import {
  elementSchemas,
  memberNames,
  memberSchemas,
  requiredNames,
} from '../../../../src/console/content/form/schema-children.js';
import { fits } from '../../../../src/console/content/form/schema-fit.js';
import { startingSource } from '../../../../src/console/content/form/starting-source.js';
import { sourceOf } from '../../../../src/console/content/table/cell-text.js';
import { withMovedRow } from '../../../../src/console/content/table/table-edits.js';
import { tokensOf } from '../../../../src/content/json/pointer-text.js';
import { TextIssue } from '../../../../src/content/json/text-issue.js';
import {
  nodeOf,
  parseTextTree,
  pointerOf,
  type TextNode,
  type TextTree,
} from '../../../../src/content/json/text-tree.js';

/** A schema, and how one value of it is written. */
interface Pair {
  readonly schema: Record<string, unknown>;
  readonly text: string;
}

const blank = fc.constantFrom('', ' ', '\n', '\n  ', '\t', ' /* note */ ', ' // note\n  ');
const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc
    .constantFrom('4.90', '1', '-0.5e3', '9007199254740993', '0.10')
    .map((text) => ({ schema: { type: 'number' }, text })),
  fc
    .constantFrom('"lamp"', '"a\\u00e9\\n"', '""', '"// none"')
    .map((text) => ({ schema: { type: 'string' }, text })),
  fc.constantFrom('true', 'false').map((text) => ({ schema: { type: 'boolean' }, text })),
  fc.constantFrom('"a"', '"b"').map((text) => ({ schema: { enum: ['a', 'b'] }, text })),
  fc.constantFrom('null', '"x"').map((text) => ({ schema: { type: ['string', 'null'] }, text })),
  fc.constantFrom('7', '"x"').map((text) => ({
    schema: { oneOf: [{ type: 'number' }, { type: 'string' }] },
    text,
  })),
);
const names = ['id', 'a/b', 'käse', 'n~1'] as const;

function pairs(levels: number): fc.Arbitrary<Pair> {
  if (levels === 0) return leaf;
  const inner = pairs(levels - 1);
  return fc.oneof(
    { weight: 1, arbitrary: leaf },
    { weight: 3, arbitrary: objects(inner) },
    lists(inner),
  );
}

function objects(inner: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  const member = fc.tuple(fc.constantFrom(...names), inner, blank, blank, fc.boolean());
  return fc
    .tuple(
      fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 4 }),
      blank,
      fc.boolean(),
    )
    .map(([members, gap, isTrailing]) => {
      const there = members.filter((_, index) => index !== 1);
      const sources = there.map(
        ([name, { text }, before, after]) => `${before}${JSON.stringify(name)}:${after}${text}`,
      );
      const comma = isTrailing && sources.length > 0 ? ',' : '';
      const required = there.filter(([, , , , isRequired]) => isRequired).map(([name]) => name);
      const properties = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
      return {
        schema: { type: 'object', properties, required },
        text: `{${sources.join(',')}${comma}${gap}}`,
      };
    });
}

function lists(inner: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  return fc
    .tuple(inner, fc.nat(3), blank, blank)
    .map(([{ schema, text }, more, before, after]) => ({
      schema: { type: 'array', items: schema },
      text: `[${Array.from({ length: more + 1 }, () => before + text).join(',')}${after}]`,
    }));
}

const treeOf = (text: string): TextTree => {
  const tree = parseTextTree(text);
  if (tree instanceof TextIssue) throw new Error(`${tree.message}\n${text}`);
  return tree;
};
const parsedValue = (text: string): unknown => parse(text, [], { allowTrailingComma: true });
const commentsOf = (text: string): string[] => {
  const inStrings = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return inStrings.match(/\/\/[^\n]*|\/\*.*?\*\//g) ?? [];
};

/** A value of the text with the schemas of its place, as a form finds them. */
interface Field {
  readonly node: TextNode;
  readonly schemas: readonly TextNode[];
}

function fieldsOf(schema: TextTree, text: string, root: Field): Field[] {
  const { facts, kind } = planOf(schema, root.schemas, text, root.node);
  if (kind !== 'object' && kind !== 'array') return [root];
  return [
    root,
    ...root.node.children.flatMap((node) => {
      const schemas =
        node.name === null
          ? elementSchemas(facts, node.index)
          : memberSchemas(schema, facts, node.name);
      return fieldsOf(schema, text, { node, schemas });
    }),
  ];
}

interface Opened {
  readonly schema: TextTree;
  readonly tree: TextTree;
  readonly fields: readonly Field[];
}

function open({ schema, text }: Pair): Opened {
  const [schemaTree, tree] = [treeOf(JSON.stringify(schema)), treeOf(text)];
  const fields = fieldsOf(schemaTree, text, { node: tree.root, schemas: [schemaTree.root] });
  return { schema: schemaTree, tree, fields };
}

/** Sources of all scalars with their pointers, but those at or in a place. */
function otherSources(text: string, except: string): string[] {
  const found: string[] = [];
  const visit = (node: TextNode): void => {
    const pointer = pointerOf(node);
    if (pointer === except) return;
    if (node.children.length === 0)
      found.push(`${pointer} ${sourceOf(text, node).replaceAll(/\s|,/g, '')}`);
    node.children.forEach(visit);
  };
  visit(treeOf(text).root);
  return found;
}

const pair = pairs(3);

describe('a form', () => {
  it('has a field for every value that its schema describes', () => {
    fc.assert(
      fc.property(pair, (one) => {
        const { schema, fields, tree } = open(one);
        const count = (node: TextNode): number =>
          node.children.reduce((sum, child) => sum + count(child), 1);
        expect(fields.length).toBe(count(tree.root));
        for (const { node, schemas } of fields) {
          expect(fits(schema, schemas, one.text, node)).toBe(true);
          expect(planOf(schema, schemas, one.text, node)).toMatchObject({ note: null });
        }
      }),
    );
  });

  it('changes the bytes of the edited value only', () => {
    const source = fc.constantFrom('3.990', '"new"', 'null', '9007199254740993', 'false');
    fc.assert(
      fc.property(pair, fc.nat(), source, (one, at, edited) => {
        const { tree, fields } = open(one);
        const { node } = fields[at % fields.length] as Field;
        expect(withValue(tree, node, edited)).toBe(
          one.text.slice(0, node.start) + edited + one.text.slice(node.end),
        );
      }),
    );
  });

  it('adds an absent member with a value that fits, and keeps everything else', () => {
    fc.assert(
      fc.property(pair, fc.nat(), (one, at) => {
        const { schema, tree, fields } = open(one);
        const absent = fields.flatMap(({ node, schemas }) => {
          const { facts, kind } = planOf(schema, schemas, one.text, node);
          if (kind !== 'object') return [];
          const there = new Set(node.children.map(({ name }) => name));
          return memberNames(facts)
            .filter((name) => !there.has(name))
            .map((name) => ({ node, name, schemas: memberSchemas(schema, facts, name) }));
        });
        fc.pre(absent.length > 0);
        const { node, name, schemas } = absent[at % absent.length] as (typeof absent)[0];
        const source = startingSource(schema, schemas);
        const text = withMember(tree, node, name, source);
        const expected = edited(one.text, pointerOf(node), (object) => {
          (object as Record<string, unknown>)[name] = JSON.parse(source);
        });
        expect(parsedValue(text)).toEqual(expected);
        const added = nodeOf(treeOf(text), `${pointerOf(node)}/${escapedName(name)}`) as TextNode;
        expect(fits(schema, schemas, text, added)).toBe(true);
        expect(commentsOf(text)).toEqual(commentsOf(one.text));
        if (node.children.length > 0) {
          expect(otherSources(text, pointerOf(added))).toEqual(otherSources(one.text, '-'));
        }
      }),
    );
  });

  it('removes a member that need not be there', () => {
    fc.assert(
      fc.property(pair, fc.nat(), (one, at) => {
        const { schema, tree, fields } = open(one);
        const optional = fields.flatMap(({ node, schemas }) => {
          const { facts, kind } = planOf(schema, schemas, one.text, node);
          const required = requiredNames(schema, facts);
          return kind === 'object'
            ? node.children.filter(({ name }) => name !== null && !required.has(name))
            : [];
        });
        fc.pre(optional.length > 0);
        const member = optional[at % optional.length] as TextNode;
        const pointer = pointerOf(member);
        const text = withoutChild(tree, member);
        const expected = edited(one.text, pointerOf(member.parent as TextNode), (object) => {
          delete (object as Record<string, unknown>)[member.name as string];
        });
        expect(parsedValue(text)).toEqual(expected);
        if ((member.parent?.children.length ?? 0) > 1) {
          expect(otherSources(text, '-')).toEqual(otherSources(one.text, pointer));
        }
        // What stands between its key and its value goes along.
        const rest = `${one.text.slice(0, member.keyStart)}\n${one.text.slice(member.end)}`;
        expect(commentsOf(text)).toEqual(commentsOf(rest));
      }),
    );
  });

  it('adds and moves elements of a list', () => {
    fc.assert(
      fc.property(pair, fc.nat(), fc.nat(), (one, at, to) => {
        const { schema, tree, fields } = open(one);
        const found = fields.filter(({ node }) => node.kind === 'array');
        fc.pre(found.length > 0);
        const { node, schemas } = found[at % found.length] as Field;
        const { facts } = planOf(schema, schemas, one.text, node);
        const count = node.children.length;
        const source = startingSource(schema, elementSchemas(facts, count));
        const longer = withElement(tree, node, source);
        const expected = edited(one.text, pointerOf(node), (list) => {
          (list as unknown[]).push(JSON.parse(source));
        });
        expect(parsedValue(longer)).toEqual(expected);
        const next = treeOf(longer);
        const array = nodeOf(next, pointerOf(node)) as TextNode;
        const moved = withMovedRow({ tree: next, array }, count, to % (count + 1));
        const inOrder = edited(longer, pointerOf(node), (list) => {
          (list as unknown[]).splice(to % (count + 1), 0, ...(list as unknown[]).splice(count, 1));
        });
        expect(parsedValue(moved)).toEqual(inOrder);
        expect(commentsOf(longer)).toEqual(commentsOf(one.text));
      }),
    );
  });
});

/** The parsed text with one value of it changed in place. */
function edited(text: string, pointer: string, change: (value: unknown) => void): unknown {
  const root = parsedValue(text);
  let value = root;
  for (const token of tokensOf(pointer) ?? []) value = (value as Record<string, unknown>)[token];
  change(value);
  return root;
}

function escapedName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
