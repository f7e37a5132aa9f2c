/** Whether two values are the same JSON: strings unescaped, numbers as exact decimals, members without order. */

import { valueEndOf, valueStartOf } from '../json/document.js';
import { stringOf, textOf } from '../json/json-text.js';
import { ChildCursor } from './child-cursor.js';
import { canonicalNumber } from './json-number.js';
import { type JsonValue, kindOf, type Opened, openValue, Untouched } from './json-value.js';
import { keyTextAt } from './member-key.js';

/** Of a repeated key the last member counts. No recursion: depth is data. */
export function jsonEqual(one: JsonValue, other: JsonValue): boolean {
  const ones: JsonValue[] = [one];
  const others: JsonValue[] = [other];
  for (;;) {
    const a = ones.pop();
    const b = others.pop();
    if (a === undefined || b === undefined) return true;
    if (a === b || sameBytes(a, b)) continue;
    const kind = kindOf(a);
    if (kind !== kindOf(b)) return false;
    const openA = openValue(a);
    const openB = openValue(b);
    if (openA === null || openB === null) {
      if (!sameScalar(kind, a as Untouched, b as Untouched)) return false;
    } else if (openA.isObject) {
      if (!pairMembers(openA, openB, ones, others)) return false;
    } else if (!pairElements(openA, openB, ones, others)) {
      return false;
    }
  }
}

/** The usual case, decided without a string; different bytes decide nothing. */
function sameBytes(a: JsonValue, b: JsonValue): boolean {
  if (!(a instanceof Untouched && b instanceof Untouched)) return false;
  return a.byteLength === b.byteLength && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf({ document, node }: Untouched): Uint8Array {
  return document.bytes.subarray(valueStartOf(document, node), valueEndOf(document, node));
}

function sameScalar(kind: string, a: Untouched, b: Untouched): boolean {
  if (kind === 'number') return canonicalNumber(lexemeOf(a)) === canonicalNumber(lexemeOf(b));
  return kind === 'string' && stringIn(a) === stringIn(b);
}

function lexemeOf({ document, node }: Untouched): string {
  return textOf(document.bytes, valueStartOf(document, node), valueEndOf(document, node));
}

function stringIn({ document, node }: Untouched): string {
  return stringOf(document.bytes, valueStartOf(document, node), valueEndOf(document, node));
}

/** Puts members of the same key side by side to be compared; false: there is one without a counterpart. */
function pairMembers(a: Opened, b: Opened, ones: JsonValue[], others: JsonValue[]): boolean {
  const membersOfA = membersOf(a);
  const membersOfB = membersOf(b);
  if (membersOfA.size !== membersOfB.size) return false;
  for (const [key, value] of membersOfA) {
    const counterpart = membersOfB.get(key);
    if (counterpart === undefined) return false;
    ones.push(value);
    others.push(counterpart);
  }
  return true;
}

function membersOf(object: Opened): Map<string, JsonValue> {
  const members = new Map<string, JsonValue>();
  for (const cursor = new ChildCursor(object); !cursor.atEnd; cursor.advance()) {
    const { keyJson, keyStart } = cursor;
    members.set(keyTextAt(keyJson, keyStart), cursor.value);
  }
  return members;
}

function pairElements(a: Opened, b: Opened, ones: JsonValue[], others: JsonValue[]): boolean {
  const cursorB = new ChildCursor(b);
  for (const cursorA = new ChildCursor(a); !cursorA.atEnd; cursorA.advance()) {
    if (cursorB.atEnd) return false;
    ones.push(cursorA.value);
    others.push(cursorB.value);
    cursorB.advance();
  }
  return cursorB.atEnd;
}
