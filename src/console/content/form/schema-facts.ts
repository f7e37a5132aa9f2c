/**
 * What a JSON Schema (draft 2020-12) says about one value, as a form asks it. The schema is read as a text with places, so that numbers
 * of enumerations and defaults keep their spelling. It validates nothing: the server does. Pure.
 */
import { tokensOf } from '../../../content/json/pointer-text.js';
import {
  childOf,
  nodeAtTokens,
  type TextKind,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import { sourceOf, stringOf } from '../table/cell-text.js';

/** A value that the schema offers, as it goes into the text. */
export interface Option {
  readonly source: string;
  readonly label: string;
}

/** Branches of a `oneOf` or `anyOf`. */
export interface Choice {
  /** The `oneOf` or `anyOf`. */
  readonly list: TextNode;
  readonly branches: readonly TextNode[];
}

export interface Facts {
  /** The schemas that hold for the value: the one of its place, what it refers to, and what `allOf` has. None: it is not described. */
  readonly parts: readonly TextNode[];
  readonly title: string | null;
  readonly description: string | null;
  /** Null: any. `integer` is `number` here. */
  readonly kinds: ReadonlySet<TextKind> | null;
  readonly isInteger: boolean;
  readonly isForbidden: boolean;
  /** Of `const`, `enum`, or a `oneOf` of constants; null: it lists none. */
  readonly options: readonly Option[] | null;
  /** Source of the default; null: it has none. */
  readonly initial: string | null;
  readonly choices: readonly Choice[];
  /** Keywords that are checked by the server, and that the form does not read. */
  readonly unread: readonly string[];
}

/** More would be a schema that refers to itself without end. */
const partsMax = 64;

/** @param schemas of the place; all of them hold */
export function factsOf(tree: TextTree, schemas: readonly TextNode[]): Facts {
  const parts: TextNode[] = [];
  const unread = new Set<string>();
  const waiting = [...schemas];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    if (parts.includes(part) || parts.length >= partsMax) continue;
    parts.push(part);
    waiting.push(...partsOf(tree, part, unread));
  }
  const groups = parts.flatMap((part) => choicesOf(part));
  const constants = groups.find((group) => group.branches.every(isConstant(tree)));
  return {
    parts,
    title: stringFact(tree, parts, 'title'),
    description: stringFact(tree, parts, 'description'),
    ...kindsOf(tree, parts),
    isForbidden: parts.some((part) => sourceOf(tree.text, part) === 'false'),
    options: optionsOf(tree, parts, constants ?? null),
    initial: sourceFact(tree, parts, 'default'),
    choices: groups.filter((group) => group !== constants),
    unread: [...unread],
  };
}

/** What holds along with a schema; its keywords that are not read are added to `unread`. */
function partsOf(tree: TextTree, part: TextNode, unread: Set<string>): TextNode[] {
  for (const { name } of part.children) {
    if (name !== null && unreadKeywords.has(name)) unread.add(name);
  }
  const also = childOf(part, 'allOf')?.children ?? [];
  const ref = childOf(part, '$ref');
  if (ref?.kind !== 'string') return [...also];
  const target = referredTo(tree, stringOf(tree.text, ref));
  if (target === null) unread.add('$ref');
  return target === null ? [...also] : [target, ...also];
}

const unreadKeywords: ReadonlySet<string> = new Set([
  'if',
  'not',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  '$dynamicRef',
]);

/** The schema that a `$ref` within the same text names, by pointer or anchor; null: it is elsewhere. */
function referredTo(tree: TextTree, ref: string): TextNode | null {
  if (!ref.startsWith('#')) return null;
  let place: string;
  try {
    place = decodeURIComponent(ref.slice(1));
  } catch {
    return null;
  }
  const tokens = tokensOf(place);
  if (tokens !== null) return nodeAtTokens(tree, tokens);
  const definitions = childOf(tree.root, '$defs')?.children ?? [];
  const isNamed = (schema: TextNode): boolean => stringFact(tree, [schema], '$anchor') === place;
  return definitions.find(isNamed) ?? null;
}

function choicesOf(part: TextNode): Choice[] {
  return ['oneOf', 'anyOf'].flatMap((name) => {
    const list = childOf(part, name);
    return list?.kind === 'array' && list.children.length > 0
      ? [{ list, branches: list.children }]
      : [];
  });
}

const isConstant =
  (tree: TextTree) =>
  (branch: TextNode): boolean =>
    childOf(branch, 'const') !== null && tree.text !== '';

function optionsOf(
  { text }: TextTree,
  parts: readonly TextNode[],
  constants: Choice | null,
): Option[] | null {
  for (const part of parts) {
    const constant = childOf(part, 'const');
    if (constant !== null) return [optionOf(text, constant, null)];
  }
  for (const part of parts) {
    const list = childOf(part, 'enum');
    if (list?.kind === 'array') return list.children.map((node) => optionOf(text, node, null));
  }
  return (
    constants?.branches.flatMap((branch) => {
      const constant = childOf(branch, 'const');
      return constant === null ? [] : [optionOf(text, constant, childOf(branch, 'title'))];
    }) ?? null
  );
}

function optionOf(text: string, node: TextNode, title: TextNode | null): Option {
  const source = sourceOf(text, node);
  if (title?.kind === 'string') return { source, label: stringOf(text, title) };
  const isText = node.kind === 'string' && stringOf(text, node).trim() !== '';
  return { source, label: isText ? stringOf(text, node) : source };
}

function kindsOf(
  { text }: TextTree,
  parts: readonly TextNode[],
): Pick<Facts, 'kinds' | 'isInteger'> {
  const typed = parts.flatMap((part) => {
    const type = childOf(part, 'type');
    const nodes = type?.kind === 'array' ? type.children : type === null ? [] : [type];
    const names = nodes.filter(({ kind }) => kind === 'string');
    return type === null ? [] : [names.map((node) => stringOf(text, node))];
  });
  const isInteger = typed.some((names) => names.includes('integer') && !names.includes('number'));
  const [first, ...others] = typed.map((names) =>
    names.map((name) => (name === 'integer' ? 'number' : name) as TextKind),
  );
  if (first === undefined) return { kinds: null, isInteger };
  const kinds = first.filter((kind) => others.every((names) => names.includes(kind)));
  return { kinds: new Set(kinds), isInteger };
}

/** The string of the first part that has the keyword. */
function stringFact(
  { text }: TextTree,
  parts: readonly TextNode[],
  keyword: string,
): string | null {
  const node = firstFact(parts, keyword, ({ kind }) => kind === 'string');
  return node === null ? null : stringOf(text, node);
}

/** The source of the value that the first part with the keyword gives it. */
export function sourceFact(
  { text }: TextTree,
  parts: readonly TextNode[],
  keyword: string,
): string | null {
  const node = firstFact(parts, keyword);
  return node === null ? null : sourceOf(text, node);
}

function firstFact(
  parts: readonly TextNode[],
  keyword: string,
  isFit: (node: TextNode) => boolean = () => true,
): TextNode | null {
  for (const part of parts) {
    const node = childOf(part, keyword);
    if (node !== null && isFit(node)) return node;
  }
  return null;
}
