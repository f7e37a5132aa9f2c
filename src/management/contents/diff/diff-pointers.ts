/**
 * Lists where two JSON documents differ, as JSON pointers, with the values before and after. Values are compared as they
 * are delivered, byte for byte: 1.0 and 1.00 differ, and so do two numbers that JavaScript would parse to the same value.
 * A removed value has the path it stood at, any other value the path it stands at.
 */
import { BRACE_OPEN, BRACKET_OPEN, QUOTE } from '../../../content/json/ascii.js';
import {
  indexDocument,
  type JsonDocument,
  keyStartOf,
  nextOf,
  valueEndOf,
  valueStartOf,
} from '../../../content/json/document.js';
import { hasEscape, stringOf, textOf } from '../../../content/json/json-text.js';
import { escapeToken } from '../../../content/json/pointer-text.js';
import type { LineChange, PointerChange } from '../../../contract/schemas/changes.js';
import { placeValueCharsMax } from '../../limits/audit.js';

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

/**
 * The same down to single values: of an object or array that came or went, each value in it. Another order of the keys is no
 * change.
 * @param before minified JSON; null: there was none
 */
export function diffLeaves(
  before: Uint8Array | null,
  after: Uint8Array | null,
  countMax: number,
): PointerChange[] {
  const differ = new LeafDiff(
    before === null ? nothing : indexDocument(before),
    after === null ? nothing : indexDocument(after),
    countMax,
  );
  differ.compareOrAdd(before === null ? null : 0, after === null ? null : 0, '');
  return differ.changes;
}

const nothing: JsonDocument = { bytes: new Uint8Array(), nodes: new Uint32Array() };

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
  protected readonly before: JsonDocument;
  protected readonly after: JsonDocument;
  readonly #countMax: number;

  constructor(before: JsonDocument, after: JsonDocument, countMax: number) {
    this.before = before;
    this.after = after;
    this.#countMax = countMax;
  }

  /** The limit on stored texts bounds the recursion. */
  compare(before: number, after: number, path: string): void {
    if (this.isFull || this.#same(before, after)) return;
    const kind = kindOf(this.before, before);
    const countBefore = this.changes.length;
    if (kind === 'value' || kind !== kindOf(this.after, after)) {
      this.add(path, before, after);
    } else if (kind === 'array') {
      this.#compareElements(before, after, path);
    } else {
      this.#compareMembers(before, after, path);
      // The order of the keys, or a repeated one that the last one hides.
      if (this.changes.length === countBefore) this.addReordered(path, before, after);
    }
  }

  #compareMembers(before: number, after: number, path: string): void {
    const old = membersOf(this.before, before);
    const now = membersOf(this.after, after);
    for (const [key, node] of old) {
      this.compareOrAdd(node, now.get(key) ?? null, `${path}/${escapeToken(key)}`);
    }
    for (const [key, node] of now) {
      if (!old.has(key)) this.compareOrAdd(null, node, `${path}/${escapeToken(key)}`);
    }
  }

  /** Skips equal elements at both ends, so that an element inserted at the front is one change. */
  #compareElements(before: number, after: number, path: string): void {
    const old = childrenOf(this.before, before);
    const now = childrenOf(this.after, after);
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
    for (let index = head; index < end && !this.isFull; index++) {
      const oldNode = index < old.length - tail ? (old[index] as number) : null;
      const newNode = index < now.length - tail ? (now[index] as number) : null;
      this.compareOrAdd(oldNode, newNode, `${path}/${index}`);
    }
  }

  compareOrAdd(before: number | null, after: number | null, path: string): void {
    if (before !== null && after !== null) this.compare(before, after, path);
    else this.add(path, before, after);
  }

  protected add(path: string, before: number | null, after: number | null): void {
    if (this.isFull) return;
    const change = before === null ? 'added' : after === null ? 'removed' : 'changed';
    this.changes.push({
      path,
      change,
      before: before === null ? null : this.show(this.before, before),
      after: after === null ? null : this.show(this.after, after),
    });
  }

  protected show(document: JsonDocument, node: number): string {
    return shownValue(document, node, valueCharsMax);
  }

  protected addReordered(path: string, before: number, after: number): void {
    this.add(path, before, after);
  }

  #same(before: number, after: number): boolean {
    return Buffer.compare(bytesOfValue(this.before, before), bytesOfValue(this.after, after)) === 0;
  }

  protected get isFull(): boolean {
    return this.changes.length >= this.#countMax;
  }
}

class LeafDiff extends PointerDiff {
  protected override addReordered(): void {}

  protected override show(document: JsonDocument, node: number): string {
    return leafValue(document, node);
  }

  protected override add(path: string, before: number | null, after: number | null): void {
    const [old, now] = [isBranch(this.before, before), isBranch(this.after, after)];
    if (!old && !now) {
      super.add(path, before, after);
      return;
    }
    if (before !== null)
      this.#addEach(this.before, before, path, (node, at) => this.add(at, node, null));
    if (after !== null)
      this.#addEach(this.after, after, path, (node, at) => this.add(at, null, node));
  }

  /** Calls `add` for each child, or for the value itself where it has none. */
  #addEach(
    document: JsonDocument,
    node: number,
    path: string,
    add: (node: number, path: string) => void,
  ): void {
    if (!isBranch(document, node)) {
      add(node, path);
      return;
    }
    if (kindOf(document, node) === 'array') {
      for (const [index, child] of childrenOf(document, node).entries()) {
        if (this.isFull) return;
        add(child, `${path}/${index}`);
      }
      return;
    }
    for (const [key, child] of membersOf(document, node)) {
      if (this.isFull) return;
      add(child, `${path}/${escapeToken(key)}`);
    }
  }
}

/** An object or array with something in it. */
function isBranch(document: JsonDocument, node: number | null): boolean {
  if (node === null || kindOf(document, node) === 'value') return false;
  return nextOf(document, node) > node + 1;
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

function shownValue(document: JsonDocument, node: number, charsMax: number): string {
  const start = valueStartOf(document, node);
  const end = valueEndOf(document, node);
  // A character has at most four bytes, and one that is cut in two would be no character.
  const text = textOf(document.bytes, start, Math.min(end, start + 4 * charsMax));
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1)}…`;
}

/** In its one spelling as far as it is whole: a text may be escaped in several. */
function leafValue(document: JsonDocument, node: number): string {
  const start = valueStartOf(document, node);
  const end = valueEndOf(document, node);
  const isText = document.bytes[start] === QUOTE && end - start <= 4 * placeValueCharsMax;
  if (!isText || !hasEscape(document.bytes, start, end)) {
    return shownValue(document, node, placeValueCharsMax);
  }
  const text = JSON.stringify(stringOf(document.bytes, start, end));
  return text.length <= placeValueCharsMax ? text : `${text.slice(0, placeValueCharsMax - 1)}…`;
}
