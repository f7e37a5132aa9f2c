/**
 * Finds the children of the wide objects and arrays of a document without looking at all of them: an array's by their
 * places, an object's by the hashes of their names. Narrow ones are looked through.
 */
import { BRACE_OPEN, BRACKET_OPEN } from '../json/ascii.js';
import {
  type JsonDocument,
  keyStartOf,
  NODE_WORDS,
  nextOf,
  valueStartOf,
} from '../json/document.js';
import { NOT_FOUND } from '../mutation/document-child.js';
import { hashOfKeyAt, isSameKey, type MemberKey } from '../mutation/member-key.js';

/** Flat, so that threads can hand it on. */
export interface WideContainers {
  /** `ENTRY_WORDS` words for each wide container, in document order. */
  readonly entries: Uint32Array;
  /** The children's nodes: of an array in order, of an object a hash table with open addressing. */
  readonly places: Uint32Array;
  /** What hashes begin with: no content item can be written so that its names collide. */
  readonly seed: number;
}

/** The container's node, where its places begin, and how many it has: of an object a power of two. */
const ENTRY_WORDS = 3;
/** Containers with more children than this are wide. */
const narrowChildrenMax = 64;
const NO_NODE = 0xffff_ffff;

/** @param seed any 32 bits */
export function indexWideContainers(document: JsonDocument, seed: number): WideContainers {
  const entries = entriesOf(document);
  const last = entries.length - ENTRY_WORDS;
  const length = last < 0 ? 0 : (entries[last + 1] as number) + (entries[last + 2] as number);
  const wide = { entries, places: new Uint32Array(length).fill(NO_NODE), seed };
  for (let entry = 0; entry < entries.length; entry += ENTRY_WORDS) fill(document, wide, entry);
  return wide;
}

/**
 * The child of a wide container, of a repeated name the last.
 * @returns null for a container that is not wide; `NOT_FOUND` where there is no such child
 */
export function childOfWide(
  document: JsonDocument,
  wide: WideContainers,
  container: number,
  key: MemberKey,
  index: number,
): number | null {
  const { entries, places, seed } = wide;
  const entry = entryOf(entries, container);
  if (entry === NOT_FOUND) return null;
  const from = entries[entry + 1] as number;
  const length = entries[entry + 2] as number;
  const { bytes } = document;
  if (bytes[valueStartOf(document, container)] === BRACKET_OPEN) {
    return index >= 0 && index < length ? (places[from + index] as number) : NOT_FOUND;
  }
  for (let at = key.hash(seed); ; at += 1) {
    const node = places[from + (at & (length - 1))] as number;
    if (node === NO_NODE) return NOT_FOUND;
    if (key.matches(bytes, keyStartOf(document, node))) return node;
  }
}

function entriesOf(document: JsonDocument): Uint32Array {
  const entries: number[] = [];
  const count = document.nodes.length / NODE_WORDS;
  let length = 0;
  for (let node = 0; node < count; node += 1) {
    const opener = document.bytes[valueStartOf(document, node)];
    if (opener !== BRACE_OPEN && opener !== BRACKET_OPEN) continue;
    // Each child is a node, so a container with few nodes below it is narrow.
    if (nextOf(document, node) - node <= narrowChildrenMax) continue;
    const children = childrenOf(document, node);
    if (children <= narrowChildrenMax) continue;
    const places = opener === BRACKET_OPEN ? children : 2 ** Math.ceil(Math.log2(2 * children));
    entries.push(node, length, places);
    length += places;
  }
  return Uint32Array.from(entries);
}

function childrenOf(document: JsonDocument, container: number): number {
  const end = nextOf(document, container);
  let count = 0;
  for (let child = container + 1; child < end; child = nextOf(document, child)) count += 1;
  return count;
}

function fill(document: JsonDocument, wide: WideContainers, entry: number): void {
  const { entries, places, seed } = wide;
  const container = entries[entry] as number;
  const from = entries[entry + 1] as number;
  const table = places.subarray(from, from + (entries[entry + 2] as number));
  const end = nextOf(document, container);
  const isArray = document.bytes[valueStartOf(document, container)] === BRACKET_OPEN;
  let place = 0;
  for (let child = container + 1; child < end; child = nextOf(document, child)) {
    if (isArray) {
      table[place] = child;
      place += 1;
    } else {
      put(document, table, child, seed);
    }
  }
}

/** A name that is there already gives its place up: the last of a repeated name counts. */
function put(document: JsonDocument, places: Uint32Array, child: number, seed: number): void {
  const { bytes } = document;
  const keyStart = keyStartOf(document, child);
  const mask = places.length - 1;
  for (let at = hashOfKeyAt(bytes, keyStart, seed); ; at += 1) {
    const node = places[at & mask] as number;
    if (node !== NO_NODE && !isSameKey(bytes, keyStartOf(document, node), keyStart)) continue;
    places[at & mask] = child;
    return;
  }
}

/** @returns the word that a container's entry begins at, or `NOT_FOUND` */
function entryOf(entries: Uint32Array, container: number): number {
  let low = 0;
  let high = entries.length / ENTRY_WORDS - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const node = entries[middle * ENTRY_WORDS] as number;
    if (node === container) return middle * ENTRY_WORDS;
    if (node < container) low = middle + 1;
    else high = middle - 1;
  }
  return NOT_FOUND;
}
