/**
 * Values under edit, as what they consist of: untouched spans of documents, and containers that were opened.
 *
 *   {"a":1,"b":[1,2],"c":3}   with /b/0 replaced by the value 9 of another document:
 *
 *   Opened { Run "a":1 | Member "b": Opened [ Member 9 | Run 2 ] | Run "c":3 }
 *
 * Everything is immutable: an edit makes new containers along its path and shares the rest, so the value before it
 * stays whole, which is how a JSON Patch that fails halfway leaves no trace. Every part carries its length in bytes,
 * so the size of a result is known before a byte of it is written.
 */

import { type JsonDocument, nextOf, valueEndOf, valueStartOf } from '../json/document.js';
import { kindAt, type ValueKind } from '../json/value-kind.js';
import type { KeySpan } from './member-key.js';

export type JsonValue = Untouched | Opened;

/** A value as it stands in a document. */
export class Untouched {
  readonly document: JsonDocument;
  readonly node: number;
  readonly byteLength: number;

  constructor(document: JsonDocument, node: number) {
    this.document = document;
    this.node = node;
    this.byteLength = valueEndOf(document, node) - valueStartOf(document, node);
  }

  get firstByte(): number {
    return this.document.bytes[valueStartOf(this.document, this.node)] as number;
  }
}

/** An object or array of which parts may have been touched. */
export class Opened {
  readonly isObject: boolean;
  readonly pieces: readonly Piece[];
  readonly byteLength: number;

  /** `piecesBytes`: what the pieces measure together. */
  constructor(isObject: boolean, pieces: readonly Piece[], piecesBytes: number) {
    this.isObject = isObject;
    this.pieces = pieces;
    this.byteLength = 2 + piecesBytes + Math.max(0, pieces.length - 1);
  }
}

export type Piece = Run | Member;

/** Neighbouring members or elements of a document's container, untouched: at least one, with the commas between them. */
export class Run {
  readonly document: JsonDocument;
  /** Nodes from `first` (a child) up to, not including, `end`. */
  readonly first: number;
  readonly end: number;
  /** The bytes of them. */
  readonly start: number;
  readonly byteLength: number;

  constructor(document: JsonDocument, first: number, end: number, start: number, stop: number) {
    this.document = document;
    this.first = first;
    this.end = end;
    this.start = start;
    this.byteLength = stop - start;
  }
}

/** One member or element with a value of its own. */
export class Member {
  readonly key: KeySpan;
  readonly value: JsonValue;
  readonly byteLength: number;

  constructor(key: KeySpan, value: JsonValue) {
    this.key = key;
    this.value = value;
    this.byteLength = key.end - key.start + value.byteLength;
  }
}

/** The key of what has none: an element. */
export const ELEMENT: KeySpan = { json: new Uint8Array(0), start: 0, end: 0 };

export function kindOf(value: JsonValue): ValueKind {
  if (value instanceof Opened) return value.isObject ? 'object' : 'array';
  return kindAt(value.firstByte);
}

/** The container with its parts in reach, or null: the value is a scalar. */
export function openValue(value: JsonValue): Opened | null {
  if (value instanceof Opened) return value;
  const kind = kindOf(value);
  if (kind !== 'object' && kind !== 'array') return null;
  const { document, node } = value;
  const end = nextOf(document, node);
  if (end === node + 1) return new Opened(kind === 'object', [], 0);
  const start = valueStartOf(document, node) + 1;
  const run = new Run(document, node + 1, end, start, valueEndOf(document, node) - 1);
  return new Opened(kind === 'object', [run], run.byteLength);
}
