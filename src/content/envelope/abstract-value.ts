/**
 * The values that are possible at one place, with their structure: a value as it is written (`Plain`), or several
 * alternatives (`Mixed`). What no rule touches stays one `Plain`, however large.
 *
 *   {"a":1,"b":[1,2],"c":3}   where a rule may set /a to 5 and another may remove /c:
 *
 *   Mixed { containers: [ Object { base: the line; changes: a -> Mixed { 1, 5 }; c -> 3, or absent } ] }
 *
 * Alternatives of the same origin (the place in a document where the container was written) are merged member by member, so
 * their number is bounded by what is written, not by what combinations of rules there are.
 */

import { BRACE_OPEN, BRACKET_OPEN } from '../json/ascii.js';
import { type JsonDocument, keyStartOf, nextOf, valueStartOf } from '../json/document.js';
import { keyTextAt } from '../mutation/member-key.js';
import type { Bag } from './bag.js';
import type { ValueSource } from './line-envelope.js';
import { ScalarSet } from './scalar-set.js';

export type AbstractValue = Plain | Mixed;
export type AbstractContainer = AbstractObject | AbstractArray;

/** A document and where it is written; it makes one `Plain` for each value that is addressed, so that equal is identical. */
export class Origin {
  readonly document: JsonDocument;
  readonly source: ValueSource;
  readonly #plains = new Map<number, Plain>();

  constructor(document: JsonDocument, source: ValueSource) {
    this.document = document;
    this.source = source;
  }

  at(node: number): Plain {
    let plain = this.#plains.get(node);
    if (plain === undefined) {
      plain = new Plain(this, node);
      this.#plains.set(node, plain);
    }
    return plain;
  }
}

/** One value as it is written. */
export class Plain {
  readonly origin: Origin;
  readonly node: number;
  #container: AbstractContainer | null = null;
  #members: Map<string, number> | null = null;

  constructor(origin: Origin, node: number) {
    this.origin = origin;
    this.node = node;
  }

  get firstByte(): number {
    const { document } = this.origin;
    return document.bytes[valueStartOf(document, this.node)] as number;
  }

  get isContainer(): boolean {
    const byte = this.firstByte;
    return byte === BRACE_OPEN || byte === BRACKET_OPEN;
  }

  /** Of a container: the same one each time. */
  get container(): AbstractContainer {
    this.#container ??=
      this.firstByte === BRACE_OPEN
        ? new AbstractObject(this, this, null, new Map(), NOT_OWNED)
        : arrayOf(this);
    return this.#container;
  }

  /** Of an object: the nodes of its members by key; of a repeated key the last. */
  get members(): ReadonlyMap<string, number> {
    if (this.#members === null) {
      const members = new Map<string, number>();
      const { document } = this.origin;
      const end = nextOf(document, this.node);
      for (let node = this.node + 1; node < end; node = nextOf(document, node)) {
        members.set(keyTextAt(document.bytes, keyStartOf(document, node)), node);
      }
      this.#members = members;
    }
    return this.#members;
  }
}

function arrayOf(plain: Plain): AbstractArray {
  const { document } = plain.origin;
  const elements: AbstractValue[] = [];
  const end = nextOf(document, plain.node);
  for (let node = plain.node + 1; node < end; node = nextOf(document, node)) {
    elements.push(plain.origin.at(node));
  }
  return new AbstractArray(plain, elements, null, NOT_OWNED);
}

/** Several alternatives; at least one. Immutable, but for containers that an edit under way owns. */
export class Mixed {
  readonly scalars: ScalarSet | null;
  /** Of different origins. */
  readonly containers: readonly AbstractContainer[];

  constructor(scalars: ScalarSet | null, containers: readonly AbstractContainer[]) {
    this.scalars = scalars;
    this.containers = containers;
  }
}

/** What is known of one member. */
export interface Slot {
  /** Null: no object has the member. */
  readonly value: AbstractValue | null;
  /** Every object has it. */
  readonly isAlwaysThere: boolean;
}

export const ABSENT: Slot = { value: null, isAlwaysThere: false };

/**
 * Objects of one origin: what is written there (`base`), and changes in layers, of which the upper count. A rule adds a layer
 * with what it touches, so that following it does not copy what the rules before it changed.
 */
export class AbstractObject {
  /** Identifies the place where it is written. */
  readonly origin: object;
  /** What has the members that no layer has; null: there are no others. */
  readonly base: Plain | null;
  readonly below: AbstractObject | null;
  readonly changes: Map<string, Slot>;
  /** The edit that may change it in place. */
  readonly owner: number;
  /** How many layers are below. */
  readonly depth: number;

  constructor(
    origin: object,
    base: Plain | null,
    below: AbstractObject | null,
    changes: Map<string, Slot>,
    owner: number,
  ) {
    this.origin = origin;
    this.base = base;
    this.below = below;
    this.changes = changes;
    this.owner = owner;
    this.depth = below === null ? 0 : below.depth + 1;
  }

  get(key: string): Slot {
    for (let layer: AbstractObject | null = this; layer !== null; layer = layer.below) {
      const changed = layer.changes.get(key);
      if (changed !== undefined) return changed;
    }
    const node = this.base?.members.get(key);
    if (node === undefined) return ABSENT;
    return { value: (this.base as Plain).origin.at(node), isAlwaysThere: true };
  }

  /** The changes of all layers, or of those above `end`. */
  changesAbove(end: AbstractObject | null): ReadonlyMap<string, Slot> {
    if (this === end) return NO_CHANGES;
    if (this.below === end) return this.changes;
    const layers: AbstractObject[] = [];
    for (
      let layer: AbstractObject | null = this;
      layer !== null && layer !== end;
      layer = layer.below
    ) {
      layers.push(layer);
    }
    const all = new Map<string, Slot>();
    for (const { changes } of layers.reverse())
      for (const [key, slot] of changes) all.set(key, slot);
    return all;
  }
}

const NO_CHANGES: ReadonlyMap<string, Slot> = new Map();

/** Arrays of one origin: of one length, element by element; or a bag of elements that are at one of several places. */
export class AbstractArray {
  readonly origin: object;
  readonly elements: AbstractValue[];
  /** Null: each element has its place. */
  readonly bag: Bag | null;
  readonly owner: number;

  constructor(origin: object, elements: AbstractValue[], bag: Bag | null, owner: number) {
    this.origin = origin;
    this.elements = elements;
    this.bag = bag;
    this.owner = owner;
  }

  get lengths(): Pick<Bag, 'min' | 'max'> {
    return this.bag ?? { min: this.elements.length, max: this.elements.length };
  }
}

/** The owner of what is shared: no edit has this number. */
export const NOT_OWNED = 0;

export function scalarsOf(value: AbstractValue): ScalarSet | null {
  if (value instanceof Mixed) return value.scalars;
  return value.isContainer ? null : ScalarSet.of(value);
}

export function containersOf(value: AbstractValue): readonly AbstractContainer[] {
  if (value instanceof Mixed) return value.containers;
  return value.isContainer ? [value.container] : [];
}
