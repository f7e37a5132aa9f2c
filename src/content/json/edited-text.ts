/**
 * Gives a JSONC text another value and keeps the rest of it as it was written: comments, white space, spellings. Only values
 * that differ are replaced, members and elements that are gone are cut out, and new ones follow the last. Pure.
 */
import { BRACE_OPEN, BRACKET_OPEN } from './ascii.js';
import {
  indexDocument,
  type JsonDocument,
  nextOf,
  startOf,
  valueEndOf,
  valueStartOf,
} from './document.js';
import { stripJsonc } from './jsonc.js';
import { skipBlank } from './jsonc-blank.js';
import { applyEdits, isSpace, placesOf, type TextEdit } from './text-edits.js';
import { TextIssue } from './text-issue.js';

const nothing = new Uint8Array();

/**
 * @param text JSONC that `stripJsonc` accepts
 * @param wanted minified JSON: the value that the text has afterwards
 * @returns the edited text; `wanted` itself where the text could not keep its form, such as with repeated names
 */
export function editedText(text: Uint8Array, wanted: Uint8Array, levelsMax: number): Uint8Array {
  const json = stripJsonc(text, levelsMax);
  if (json instanceof TextIssue) return wanted;
  const editor = new TextEditor(text, indexDocument(json), indexDocument(wanted));
  const edited = applyEdits(text, editor.edits());
  const result = stripJsonc(edited, levelsMax);
  const isRight = !(result instanceof TextIssue) && Buffer.compare(result, wanted) === 0;
  return isRight ? edited : wanted;
}

class TextEditor {
  readonly #text: Uint8Array;
  readonly #before: JsonDocument;
  readonly #after: JsonDocument;
  /** Where each byte of the minified JSON stands in the text. */
  readonly #places: Uint32Array;
  readonly #edits: TextEdit[] = [];

  constructor(text: Uint8Array, before: JsonDocument, after: JsonDocument) {
    this.#text = text;
    this.#before = before;
    this.#after = after;
    this.#places = placesOf(text, before.bytes);
  }

  edits(): readonly TextEdit[] {
    this.#compare(0, 0);
    return this.#edits.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  #compare(before: number, after: number): void {
    const from = valueBytes(this.#before, before);
    const to = valueBytes(this.#after, after);
    if (Buffer.compare(from, to) === 0) return;
    const [kind] = from;
    const isContainer = kind === to[0] && (kind === BRACE_OPEN || kind === BRACKET_OPEN);
    if (!isContainer || !this.#compareChildren(before, after)) this.#replace(before, to);
  }

  /** @returns false: the children have nothing in common that could be kept */
  #compareChildren(before: number, after: number): boolean {
    const had = childrenOf(this.#before, before);
    const wanted = childrenOf(this.#after, after);
    const pairs = this.#pair(had, wanted);
    const lastKept = pairs.at(-1)?.[0];
    if (lastKept === undefined) return false;
    for (const [child, other] of pairs) this.#compare(child, other);
    const kept = new Set(pairs.map(([child]) => child));
    for (const child of had) if (!kept.has(child) && child < lastKept) this.#cut(child);
    const added = wanted.slice(pairs.length).map((child) => memberOf(this.#after, child));
    this.#replaceTail(lastKept, had.at(-1) as number, added);
    return true;
  }

  /** Children that stay, with what becomes of them: the first ones of what is wanted, in the same order. */
  #pair(had: readonly number[], wanted: readonly number[]): [number, number][] {
    const isObject = this.#isObject(had);
    if (!isObject && had.length === wanted.length) {
      return had.map((child, at) => [child, wanted[at] as number]);
    }
    const nameOf = isObject ? keyOf : valueBytes;
    const pairs: [number, number][] = [];
    let next = 0;
    for (const child of had) {
      const other = wanted[next];
      if (other === undefined) break;
      if (Buffer.compare(nameOf(this.#before, child), nameOf(this.#after, other)) !== 0) continue;
      pairs.push([child, other]);
      next++;
    }
    return pairs;
  }

  #isObject([first]: readonly number[]): boolean {
    return (
      first !== undefined && startOf(this.#before, first) !== valueStartOf(this.#before, first)
    );
  }

  #replace(node: number, bytes: Uint8Array): void {
    const [start, end] = this.#rangeOf(
      valueStartOf(this.#before, node),
      valueEndOf(this.#before, node),
    );
    this.#edits.push({ start, end, bytes });
  }

  /** With the comma that follows it: the next one takes its place. */
  #cut(node: number): void {
    const text = this.#text;
    const [start, valueEnd] = this.#rangeOf(
      startOf(this.#before, node),
      valueEndOf(this.#before, node),
    );
    let end = skipBlank(text, valueEnd) + 1;
    while (isSpace(text[end])) end++;
    this.#edits.push({ start, end, bytes: nothing });
  }

  /** What follows the last child that is kept: those up to `last` go, and others come. */
  #replaceTail(kept: number, last: number, added: readonly Uint8Array[]): void {
    if (kept === last && added.length === 0) return;
    const endOf = (node: number): number => this.#rangeOf(0, valueEndOf(this.#before, node))[1];
    const bytes = Buffer.concat(added.flatMap((member) => [Buffer.from(', '), member]));
    this.#edits.push({ start: endOf(kept), end: endOf(last), bytes });
  }

  #rangeOf(start: number, end: number): readonly [number, number] {
    return [this.#places[start] as number, (this.#places[end - 1] as number) + 1];
  }
}

function childrenOf(document: JsonDocument, node: number): number[] {
  const children: number[] = [];
  const end = nextOf(document, node);
  for (let child = node + 1; child < end; child = nextOf(document, child)) children.push(child);
  return children;
}

function valueBytes(document: JsonDocument, node: number): Uint8Array {
  return document.bytes.subarray(valueStartOf(document, node), valueEndOf(document, node));
}

/** Of an object's member, with its colon. */
function keyOf(document: JsonDocument, node: number): Uint8Array {
  return document.bytes.subarray(startOf(document, node), valueStartOf(document, node));
}

function memberOf(document: JsonDocument, node: number): Uint8Array {
  return document.bytes.subarray(startOf(document, node), valueEndOf(document, node));
}
