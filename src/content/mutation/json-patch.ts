/** The operations of a JSON Patch (RFC 6902), checked for their shape once, when the mapping is compiled. */

import { type JsonDocument, valueEndOf, valueStartOf } from '../json/document.js';
import { stringOf } from '../json/json-text.js';
import { ChildCursor, valueAt } from './child-cursor.js';
import { findMember } from './find-child.js';
import { JsonPointer, parsePointer } from './json-pointer.js';
import { type JsonValue, kindOf, type Opened, openValue, Untouched } from './json-value.js';
import { levelsOf } from './levels.js';
import { MemberKey } from './member-key.js';
import { MutationIssue } from './mutation-issue.js';

export type PatchOperation =
  | {
      readonly op: 'add' | 'replace' | 'test';
      readonly path: JsonPointer;
      readonly value: JsonValue;
      /** How deep `value` nests. */
      readonly levels: number;
    }
  | { readonly op: 'remove'; readonly path: JsonPointer }
  | { readonly op: 'move' | 'copy'; readonly path: JsonPointer; readonly from: JsonPointer };

/** The document's value as a JSON Patch. Members that RFC 6902 does not define are ignored, as it says. */
export function compileJsonPatch(
  document: JsonDocument,
): readonly PatchOperation[] | MutationIssue {
  const root = new Untouched(document, 0);
  const list = kindOf(root) === 'array' ? openValue(root) : null;
  if (list === null) {
    return new MutationIssue(`a patch is an array of operations, not ${withArticle(kindOf(root))}`);
  }
  const operations: PatchOperation[] = [];
  for (const cursor = new ChildCursor(list); !cursor.atEnd; cursor.advance()) {
    const operation = compileOperation(cursor.value);
    if (typeof operation === 'string') return new MutationIssue(operation, operations.length);
    operations.push(operation);
  }
  return operations;
}

/** One operation, or the reason why it is none. */
function compileOperation(value: JsonValue): PatchOperation | string {
  const object = kindOf(value) === 'object' ? openValue(value) : null;
  if (object === null) return `must be an object, not ${withArticle(kindOf(value))}`;
  const op = textMember(object, OP);
  const path = pointerMember(object, PATH);
  switch (op) {
    case 'add':
    case 'replace':
    case 'test': {
      if (typeof path === 'string') return path;
      const operand = member(object, VALUE);
      if (operand === null) return `${op} needs a "value"`;
      return { op, path, value: operand, levels: levelsOf(operand) };
    }
    case 'remove':
      if (typeof path === 'string') return path;
      if (path.tokens.length === 0) return 'remove cannot take the whole document away';
      return { op, path };
    case 'move':
    case 'copy': {
      if (typeof path === 'string') return path;
      const from = pointerMember(object, FROM);
      if (typeof from === 'string') return from;
      if (op === 'move' && from.contains(path)) {
        return `${quoted(from.text)} cannot move into itself, to ${quoted(path.text)}`;
      }
      return { op, path, from };
    }
    default:
      return op === null
        ? 'needs an "op": add, remove, replace, move, copy or test'
        : `"op" must be add, remove, replace, move, copy or test, not ${quoted(op)}`;
  }
}

function pointerMember(object: Opened, key: MemberKey): JsonPointer | string {
  const text = textMember(object, key);
  if (text === null) return `needs a "${key.text}" that is a string`;
  const pointer = parsePointer(text);
  return pointer instanceof JsonPointer ? pointer : `"${key.text}" ${quoted(text)} ${pointer}`;
}

/** The string under a key, unescaped, or null: absent, or not a string. */
function textMember(object: Opened, key: MemberKey): string | null {
  const value = member(object, key);
  if (!(value instanceof Untouched) || kindOf(value) !== 'string') return null;
  const { document, node } = value;
  return stringOf(document.bytes, valueStartOf(document, node), valueEndOf(document, node));
}

/** The value under a key, or null. */
function member(object: Opened, key: MemberKey): JsonValue | null {
  const place = findMember(object, key);
  return place === null ? null : valueAt(object, place);
}

/** A text that came from outside, as part of a message: quoted, and no longer than one can read. */
export function quoted(text: string): string {
  return JSON.stringify(
    text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}...` : text,
  );
}

export function withArticle(noun: string): string {
  if (noun === 'null') return noun;
  return ARTICLE_AN.test(noun) ? `an ${noun}` : `a ${noun}`;
}

const OP = new MemberKey('op');
const PATH = new MemberKey('path');
const FROM = new MemberKey('from');
const VALUE = new MemberKey('value');
const ARTICLE_AN = /^[aeiou]/;
const TEXT_SHOWN_MAX = 200;
