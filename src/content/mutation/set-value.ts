/**
 * Sets the value at one place of a JSONC text. Every byte that is not of that value stays: comments, white space, the spelling
 * of numbers. Of a repeated name the last member is meant, as `JSON.parse` reads it. Pure.
 */
import { CARRIAGE_RETURN, COMMA, LINE_FEED } from '../json/ascii.js';
import {
  indexDocument,
  type JsonDocument,
  nextOf,
  startOf,
  valueEndOf,
  valueStartOf,
} from '../json/document.js';
import { stripJsonc } from '../json/jsonc.js';
import { skipBlank } from '../json/jsonc-blank.js';
import { applyEdits, isSpace, placesOf, type TextEdit } from '../json/text-edits.js';
import { TextIssue } from '../json/text-issue.js';
import { valueAt } from './child-cursor.js';
import { findElement, findMember } from './find-child.js';
import { ARRAY_END, type JsonPointer, type PointerToken } from './json-pointer.js';
import { openValue, Untouched } from './json-value.js';

/** What is set where. */
export interface ValueToSet {
  readonly path: JsonPointer;
  /** JSON text without comments; it stands in the text as it is written here. */
  readonly value: Uint8Array;
  /** Adds the last name of the path where only that is missing: a member, or the element after the last. */
  readonly create: boolean;
}

export type SetValue =
  /** `before` and `after` are minified; null: nothing was there. */
  | {
      readonly kind: 'set';
      readonly text: Uint8Array;
      readonly before: Uint8Array | null;
      readonly after: Uint8Array;
    }
  /** The value is there already, in this spelling. */
  | { readonly kind: 'same'; readonly before: Uint8Array }
  /** The text has no such place. */
  | { readonly kind: 'missing' };

/**
 * @param text JSONC
 * @returns an issue: the text is not JSONC, or the value is not JSON
 */
export function setValue(
  text: Uint8Array,
  { path, value, create }: ValueToSet,
  levelsMax: number,
): SetValue | TextIssue {
  const json = stripJsonc(text, levelsMax);
  if (json instanceof TextIssue) return json;
  const after = stripJsonc(value, levelsMax);
  if (after instanceof TextIssue) return after;
  const document = indexDocument(json);
  const { node, parent } = follow(document, path);
  const places = (): Uint32Array => placesOf(text, json);
  if (node !== null) {
    const before = json.slice(valueStartOf(document, node), valueEndOf(document, node));
    if (Buffer.compare(before, after) === 0) return { kind: 'same', before };
    const [start, end] = rangeOf(places(), document, node);
    return { kind: 'set', text: applyEdits(text, [{ start, end, bytes: value }]), before, after };
  }
  const last = path.tokens.at(-1);
  if (!create || parent === null || last === undefined) return { kind: 'missing' };
  const member = memberText(document, parent, last, value);
  if (member === null) return { kind: 'missing' };
  const edits = insertion(text, places(), document, parent, member);
  return { kind: 'set', text: applyEdits(text, edits), before: null, after };
}

/** Node of the value, or null; then `parent` is the node that would hold it, if everything above it is there. */
function follow(
  document: JsonDocument,
  { tokens }: JsonPointer,
): { readonly node: number | null; readonly parent: number | null } {
  let node = 0;
  for (const [depth, token] of tokens.entries()) {
    const child = childOf(document, node, token);
    if (child === null) return { node: null, parent: depth === tokens.length - 1 ? node : null };
    node = child;
  }
  return { node, parent: null };
}

function childOf(document: JsonDocument, node: number, token: PointerToken): number | null {
  const container = openValue(new Untouched(document, node));
  if (container === null) return null;
  if (!container.isObject && token.index < 0) return null;
  const place = container.isObject
    ? findMember(container, token.key)
    : findElement(container, token.index);
  if (place === null || typeof place === 'number') return null;
  const child = valueAt(container, place);
  return child instanceof Untouched ? child.node : null;
}

/** Null: the parent takes no such child. */
function memberText(
  document: JsonDocument,
  parent: number,
  { key, index }: PointerToken,
  value: Uint8Array,
): Uint8Array | null {
  const container = openValue(new Untouched(document, parent));
  if (container === null) return null;
  if (container.isObject) {
    return Buffer.concat([Buffer.from(`${JSON.stringify(key.text)}: `), value]);
  }
  const isNext = index === ARRAY_END || findElement(container, index) === index;
  return isNext ? value : null;
}

/** The edits that put a member or an element behind the last one of its container, on a line of its own if that one has one. */
function insertion(
  text: Uint8Array,
  places: Uint32Array,
  document: JsonDocument,
  parent: number,
  member: Uint8Array,
): TextEdit[] {
  const close = rangeOf(places, document, parent)[1] - 1;
  const last = lastChildOf(document, parent);
  if (last === null) return [{ start: close, end: close, bytes: member }];
  const end = rangeOf(places, document, last)[1];
  const indent = indentBefore(text, places[startOf(document, last)] as number);
  if (indent === null) {
    const bytes = Buffer.concat([Buffer.from(', '), member]);
    return [{ start: end, end, bytes }];
  }
  let at = close;
  while (isSpace(text[at - 1])) at--;
  const hasComma = text[skipBlank(text, end)] === COMMA;
  const comma = Buffer.from(hasComma ? '' : ',');
  const line = Buffer.concat([indent, member, Buffer.from(hasComma ? ',' : '')]);
  if (at === end) return [{ start: end, end, bytes: Buffer.concat([comma, line]) }];
  return [
    { start: end, end, bytes: comma },
    { start: at, end: at, bytes: line },
  ];
}

function lastChildOf(document: JsonDocument, parent: number): number | null {
  let last: number | null = null;
  const end = nextOf(document, parent);
  for (let child = parent + 1; child < end; child = nextOf(document, child)) last = child;
  return last;
}

/** The line break and the white space in front of what begins at `start`; null: something else is on its line. */
function indentBefore(text: Uint8Array, start: number): Uint8Array | null {
  let from = start;
  while (isSpace(text[from - 1])) from--;
  const line = text.lastIndexOf(LINE_FEED, start);
  if (line < from) return null;
  const first = text[line - 1] === CARRIAGE_RETURN ? line - 1 : line;
  return text.subarray(first, start);
}

function rangeOf(
  places: Uint32Array,
  document: JsonDocument,
  node: number,
): readonly [number, number] {
  const start = places[valueStartOf(document, node)] as number;
  return [start, (places[valueEndOf(document, node) - 1] as number) + 1];
}
