/**
 * Lists where two JSON documents differ, as JSON pointers, with the values before and after. Values are compared as they
 * are delivered, byte for byte: 1.0 and 1.00 differ, and so do two numbers that JavaScript would parse to the same value.
 * A removed value has the path it stood at, any other value the path it stands at.
 */
import { BRACE_OPEN, BRACKET_OPEN } from '../../../content/json/ascii.js';
import {
  indexDocument,
  type JsonDocument,
  keyStartOf,
  nextOf,
  valueEndOf,
  valueStartOf,
} from '../../../content/json/document.js';
import { stringOf, textOf } from '../../../content/json/json-text.js';
import { escapeToken } from '../../../content/mutation/json-pointer.js';
import type { LineChange, PointerChange } from '../../../contract/schemas/changes.js';

/** Enough to recognise a value, which is shown beside its path, on one line. */
const valueCharsMax = 100;

/**
 * In document order, at most `countMax` of them.
 * @param before minified JSON, as `stripJsonc` gives it
 */
export function diffPointers(
  before: Uint8Array,
  after: Uint8Array,
  countMax: number,
): PointerChange[] {
  const differ = new PointerDiff(indexDocument(before), indexDocument(after), countMax);
  differ.compare(0, 0, '');
  return differ.changes;
}

/** The first ones, and whether there are more. */
export function firstPointers(
  before: Uint8Array,
  after: Uint8Array,
  countMax: number,
): Pick<LineChange, 'pointers' | 'pointersCut'> {
  const pointers = diffPointers(before, after, countMax + 1);
  return { pointers: pointers.slice(0, countMax), pointersCut: pointers.length > countMax };
}

class PointerDiff {
  readonly changes: PointerChange[] = [];
  readonly #before: JsonDocument;
  readonly #after: JsonDocument;
  readonly #countMax: number;

  constructor(before: JsonDocument, after: JsonDocument, countMax: number) {
    this.#before = before;
    this.#after = after;
    this.#countMax = countMax;
  }

  /** The limit on stored texts bounds the recursion. */
  compare(before: number, after: number, path: string): void {
    if (this.#isFull || this.#same(before, after)) return;
    const kind = kindOf(this.#before, before);
    const countBefore = this.changes.length;
    if (kind === 'value' || kind !== kindOf(this.#after, after)) {
      this.#add(path, before, after);
    } else if (kind === 'array') {
      this.#compareElements(before, after, path);
    } else {
      this.#compareMembers(before, after, path);
      // The order of the keys, or a repeated one that the last one hides.
      if (this.changes.length === countBefore) this.#add(path, before, after);
    }
  }

  #compareMembers(before: number, after: number, path: string): void {
    const old = membersOf(this.#before, before);
    const now = membersOf(this.#after, after);
    for (const [key, node] of old) {
      this.#compareOrAdd(node, now.get(key) ?? null, `${path}/${escapeToken(key)}`);
    }
    for (const [key, node] of now) {
      if (!old.has(key)) this.#compareOrAdd(null, node, `${path}/${escapeToken(key)}`);
    }
  }

  /** Skips equal elements at both ends, so that an element inserted at the front is one change. */
  #compareElements(before: number, after: number, path: string): void {
    const old = childrenOf(this.#before, before);
    const now = childrenOf(this.#after, after);
    const shorter = Math.min(old.length, now.length);
    let head = 0;
    while (head < shorter && this.#same(old[head] as number, now[head] as number)) head++;
    let tail = 0;
    while (
      tail < shorter - head &&
      this.#same(old[old.length - 1 - tail] as number, now[now.length - 1 - tail] as number)
    ) {
      tail++;
    }
    const end = Math.max(old.length, now.length) - tail;
    for (let index = head; index < end && !this.#isFull; index++) {
      const oldNode = index < old.length - tail ? (old[index] as number) : null;
      const newNode = index < now.length - tail ? (now[index] as number) : null;
      this.#compareOrAdd(oldNode, newNode, `${path}/${index}`);
    }
  }

  #compareOrAdd(before: number | null, after: number | null, path: string): void {
    if (before !== null && after !== null) this.compare(before, after, path);
    else this.#add(path, before, after);
  }

  #add(path: string, before: number | null, after: number | null): void {
    if (this.#isFull) return;
    const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
    this.changes.push({
      path,
      change,
      before: before === null ? null : shownValue(this.#before, before),
      after: after === null ? null : shownValue(this.#after, after),
    });
  }

  #same(before: number, after: number): boolean {
    return (
      Buffer.compare(bytesOfValue(this.#before, before), bytesOfValue(this.#after, after)) === 0
    );
  }

  get #isFull(): boolean {
    return this.changes.length >= this.#countMax;
  }
}

function kindOf(document: JsonDocument, node: number): 'array' | 'object' | 'value' {
  const byte = document.bytes[valueStartOf(document, node)];
  if (byte === BRACE_OPEN) return 'object';
  return byte === BRACKET_OPEN ? 'array' : 'value';
}

function childrenOf(document: JsonDocument, node: number): number[] {
  const children: number[] = [];
  const end = nextOf(document, node);
  for (let child = node + 1; child < end; child = nextOf(document, child)) children.push(child);
  return children;
}

/** Of a repeated key the last one counts, as most clients read it. */
function membersOf(document: JsonDocument, node: number): Map<string, number> {
  const members = new Map<string, number>();
  for (const child of childrenOf(document, node)) {
    // Minified: between the key and its value stands one colon.
    const keyEnd = valueStartOf(document, child) - 1;
    members.set(stringOf(document.bytes, keyStartOf(document, child), keyEnd), child);
  }
  return members;
}

function bytesOfValue(document: JsonDocument, node: number): Uint8Array {
  return document.bytes.subarray(valueStartOf(document, node), valueEndOf(document, node));
}

function shownValue(document: JsonDocument, node: number): string {
  const start = valueStartOf(document, node);
  const end = valueEndOf(document, node);
  // A character has at most four bytes, and one that is cut in two would be no character.
  const text = textOf(document.bytes, start, Math.min(end, start + 4 * valueCharsMax));
  return text.length <= valueCharsMax ? text : `${text.slice(0, valueCharsMax - 1)}…`;
}
