/** Which schemas hold for the members and elements of a value, and which branch of a choice it takes. Pure. */
import { childOf, type TextNode, type TextTree } from '../../../content/json/text-tree.js';
import { stringOf } from '../table/cell-text.js';
import { type Choice, type Facts, factsOf } from './schema-facts.js';
import { fits } from './schema-fit.js';

/** A choice, and the branch that the value takes; -1: it fits none. */
export interface Chosen extends Choice {
  readonly index: number;
}

export interface PlaceFacts extends Facts {
  readonly chosen: readonly Chosen[];
}

/** Choices within choices that are followed. */
const choicesMax = 8;

/** The facts of a value, those of the branches that it takes included. */
export function factsAt(
  schema: TextTree,
  schemas: readonly TextNode[],
  text: string,
  value: TextNode,
): PlaceFacts {
  const chosen: Chosen[] = [];
  let facts = factsOf(schema, schemas);
  while (chosen.length < choicesMax) {
    const next = facts.choices.find(({ list }) => !chosen.some((known) => known.list === list));
    if (next === undefined) break;
    const index = next.branches.findIndex((branch) => fits(schema, [branch], text, value));
    chosen.push({ ...next, index });
    const branch = next.branches[index];
    if (branch !== undefined) facts = factsOf(schema, [...facts.parts, branch]);
  }
  return { ...facts, chosen };
}

/** The names of members that are described, in the order of the schema. */
export function memberNames({ parts }: Facts): string[] {
  const names = parts.flatMap((part) =>
    (childOf(part, 'properties')?.children ?? []).flatMap(({ name }) => name ?? []),
  );
  return [...new Set(names)];
}

export function requiredNames({ text }: TextTree, { parts }: Facts): Set<string> {
  const nodes = parts.flatMap((part) => childOf(part, 'required')?.children ?? []);
  return new Set(nodes.filter(({ kind }) => kind === 'string').map((node) => stringOf(text, node)));
}

/** The schemas of a member; none: nothing describes it. */
export function memberSchemas(tree: TextTree, { parts }: Facts, name: string): readonly TextNode[] {
  return parts.flatMap((part) => {
    const own = childOf(childOf(part, 'properties') ?? nothing, name);
    const patterns = (childOf(part, 'patternProperties')?.children ?? []).filter((pattern) =>
      matches(pattern.name ?? '', name),
    );
    const described = own === null ? patterns : [own, ...patterns];
    if (described.length > 0) return described;
    const others = childOf(part, 'additionalProperties');
    return others === null || isAny(tree, others) ? [] : [others];
  });
}

/** Whether members may have names that the schema does not list. */
export function mayHaveOthers({ text }: TextTree, { parts }: Facts): boolean {
  return !parts.some((part) => {
    const others = childOf(part, 'additionalProperties');
    const isClosed = others !== null && text.slice(others.start, others.end) === 'false';
    return isClosed && childOf(part, 'patternProperties') === null;
  });
}

/** The schemas of an element; none: nothing describes it. */
export function elementSchemas({ parts }: Facts, index: number): readonly TextNode[] {
  return parts.flatMap((part) => {
    const own = childOf(part, 'prefixItems')?.children[index] ?? childOf(part, 'items');
    return own === null ? [] : [own];
  });
}

function isAny({ text }: TextTree, schema: TextNode): boolean {
  return (
    text.slice(schema.start, schema.end) === 'true' ||
    (schema.kind === 'object' && schema.children.length === 0)
  );
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

const nothing: TextNode = {
  kind: 'null',
  start: 0,
  end: 0,
  keyStart: -1,
  keyEnd: -1,
  name: null,
  parent: null,
  index: 0,
  children: [],
};
