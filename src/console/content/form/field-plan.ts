/** Which field a value has in the form: by what it is and what its schema says. Pure. */
import {
  childOf,
  type TextKind,
  type TextNode,
  type TextTree,
} from '../../../content/json/text-tree.js';
import { sourceOf, stringOf } from '../table/cell-text.js';
import { factsAt, type PlaceFacts } from './schema-children.js';
import { sourceFact } from './schema-facts.js';

export type FieldKind =
  | 'options'
  | 'line'
  | 'paragraph'
  | 'number'
  | 'boolean'
  | 'null'
  | 'object'
  | 'array'
  /** Typed as JSON. */
  | 'json'
  /** Too long to be typed in a form. */
  | 'long';

export interface FieldPlan {
  readonly kind: FieldKind;
  readonly facts: PlaceFacts;
  /** What the form cannot do here, in a sentence; null: nothing. */
  readonly note: string | null;
}

/** Of a value that is typed as JSON, in UTF-16 units. */
const jsonUnitsMax = 10_000;
const lineUnitsMax = 80;

/** @param schemas of the place; none: nothing describes the value */
export function planOf(
  schema: TextTree,
  schemas: readonly TextNode[],
  text: string,
  node: TextNode,
): FieldPlan {
  const facts = factsAt(schema, schemas, text, node);
  const typed = node.end - node.start > jsonUnitsMax ? 'long' : 'json';
  if (schemas.length === 0) return { kind: typed, facts, note: null };
  if (facts.isForbidden) return { kind: typed, facts, note: 'The schema allows no value here.' };
  if (facts.options !== null) return { kind: 'options', facts, note: noteOf(facts) };
  if (facts.kinds !== null && !facts.kinds.has(node.kind)) {
    return { kind: typed, facts, note: `The schema expects ${wordsOf([...facts.kinds])} here.` };
  }
  const kind = kindOf(schema, text, node, facts);
  return { kind: kind === 'json' ? typed : kind, facts, note: noteOf(facts) };
}

function kindOf(schema: TextTree, text: string, node: TextNode, facts: PlaceFacts): FieldKind {
  const has = (keyword: string): boolean =>
    facts.parts.some((part) => childOf(part, keyword) !== null);
  switch (node.kind) {
    case 'string':
      return isParagraph(schema, text, node, facts) ? 'paragraph' : 'line';
    case 'object': {
      const isDescribed = objectKeywords.some(has);
      return isDescribed ? 'object' : 'json';
    }
    case 'array':
      return has('items') || has('prefixItems') ? 'array' : 'json';
    default:
      return node.kind;
  }
}

const objectKeywords = ['properties', 'patternProperties', 'additionalProperties', 'required'];

function isParagraph(
  schema: TextTree,
  text: string,
  node: TextNode,
  { parts }: PlaceFacts,
): boolean {
  const most = Number(sourceFact(schema, parts, 'maxLength') ?? 0);
  const value = stringOf(text, node);
  return most > 3 * lineUnitsMax || value.length > lineUnitsMax || value.includes('\n');
}

function noteOf({ unread, chosen }: PlaceFacts): string | null {
  if (chosen.some(({ index }) => index < 0))
    return 'The value matches none of the forms that the schema allows.';
  if (unread.length === 0) return null;
  return `The form ignores ${unread.join(', ')} in the schema. The server still checks what you type.`;
}

const kindWords: Readonly<Record<TextKind, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

/** Such as `text or null`. */
export function wordsOf(kinds: readonly TextKind[]): string {
  return kinds.length === 0 ? 'nothing' : kinds.map((kind) => kindWords[kind]).join(' or ');
}

/** @returns the source that goes into the text, or why what is typed is not a number */
export function numberSource(
  typed: string,
  isInteger: boolean,
): { source: string } | { issue: string } {
  const source = typed.trim();
  if (source === '') return { issue: 'Type a number.' };
  if (!number.test(source)) return { issue: `${source} is not a JSON number.` };
  if (isInteger && !Number.isInteger(Number(source)))
    return { issue: `${source} is not a whole number.` };
  return { source };
}

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** The option that the value is, as its source; null: it is none of them. */
export function optionOf(
  plan: FieldPlan,
  text: string,
  node: TextNode,
  isSame: (one: string, other: string) => boolean,
): string | null {
  const source = sourceOf(text, node);
  return plan.facts.options?.find((option) => isSame(option.source, source))?.source ?? null;
}
