/** Values that are possible at one path, taken together: their types and bounds, and what is below them, by key. */

import { BRACE_OPEN, BRACKET_OPEN } from '../json/ascii.js';
import { keyStartOf, nextOf } from '../json/document.js';
import { keyTextAt, MemberKey } from '../mutation/member-key.js';
import {
  type AbstractContainer,
  AbstractObject,
  type AbstractValue,
  type Mixed,
  Plain,
} from './abstract-value.js';
import { textLengthListedMax, textsListedMax } from './envelope-limits.js';
import { TypeBit, typeBitOf } from './json-types.js';
import type { NumberBound } from './line-envelope.js';
import { higher, lower, type ScalarSet, scalarText } from './scalar-set.js';

export class ValueGroup {
  /** Bits of `TypeBit`. */
  types = 0;
  min: NumberBound | null = null;
  max: NumberBound | null = null;
  /** Null: there are more than `textsListedMax`, or longer ones than `textLengthListedMax`. */
  texts: Set<string> | null = new Set();
  readonly members: GroupMember[] = [];
  /** The elements of each array alternative. */
  readonly lists: (readonly AbstractValue[])[] = [];
  /** The elements of some array are not in their places. */
  hasBag = false;
  /** Every array alternative has so many; infinite without one. */
  elementsMin = Number.POSITIVE_INFINITY;
  /** How many alternatives there are: one per object, array, and set of scalars. */
  #alternatives = 0;
  readonly #byKey = new Map<string, GroupMember>();

  constructor(values: readonly AbstractValue[]) {
    for (const value of values) {
      if (value instanceof Plain) this.#addPlain(value);
      else this.#addMixed(value);
    }
  }

  member(key: string): GroupMember | null {
    return this.#byKey.get(key) ?? null;
  }

  /** Whether every alternative has the member. */
  alwaysHas(member: GroupMember): boolean {
    return member.certain === this.#alternatives;
  }

  /** The elements of all arrays, in no order that means anything. */
  get elements(): readonly AbstractValue[] {
    return this.lists.length === 1
      ? (this.lists[0] as readonly AbstractValue[])
      : this.lists.flat();
  }

  /** How many elements each array has, where all have as many and each element has its place; otherwise null. */
  get length(): number | null {
    const length = this.lists[0]?.length;
    if (length === undefined || this.hasBag) return null;
    return this.lists.every((list) => list.length === length) ? length : null;
  }

  /** What is possible at one place of the arrays; `length` is not null. */
  elementsAt(index: number): AbstractValue[] {
    return this.lists.map((list) => list[index] as AbstractValue);
  }

  #addPlain(value: Plain): void {
    const byte = value.firstByte;
    if (byte === BRACE_OPEN) this.#addPlainObject(value, null);
    else if (byte === BRACKET_OPEN) this.#addPlainArray(value);
    else this.#addScalar(value, typeBitOf(byte));
  }

  #addMixed({ scalars, containers }: Mixed): void {
    if (scalars !== null) this.#addScalars(scalars);
    for (const container of containers) this.#addContainer(container);
  }

  #addScalar(scalar: Plain, type: number): void {
    this.#alternatives++;
    this.types |= type;
    if (type !== TypeBit.number) {
      if (this.texts !== null) this.#addText(scalarText(scalar));
      return;
    }
    const text = scalarText(scalar);
    const value = Number(text);
    if (this.texts !== null) this.#addText(text);
    const isLower = this.min === null || value < this.min.value;
    const isHigher = this.max === null || value > this.max.value;
    if (!isLower && !isHigher) return;
    const bound = { value, source: scalar.origin.source };
    if (isLower) this.min = bound;
    if (isHigher) this.max = bound;
  }

  #addScalars({ types, min, max, known }: ScalarSet): void {
    this.#alternatives++;
    this.types |= types;
    this.min = lower(this.min, min);
    this.max = higher(this.max, max);
    if (known === null) this.texts = null;
    for (const text of known?.keys() ?? []) this.#addText(text);
  }

  #addText(text: string): void {
    if (this.texts === null) return;
    this.texts.add(text);
    if (this.texts.size > textsListedMax || text.length > textLengthListedMax) this.texts = null;
  }

  #addContainer(container: AbstractContainer): void {
    if (!(container instanceof AbstractObject)) {
      this.#alternatives++;
      this.types |= TypeBit.array;
      this.lists.push(container.elements);
      if (container.bag !== null) this.hasBag = true;
      this.elementsMin = Math.min(this.elementsMin, container.lengths.min);
      return;
    }
    const { base } = container;
    const changes = container.changesAbove(null);
    if (base !== null) this.#addPlainObject(base, changes);
    else this.#addObject();
    for (const [key, { value, isAlwaysThere }] of changes) {
      if (value === null) continue;
      const member = this.#byKey.get(key) ?? this.#newMember(key);
      member.add(value, isAlwaysThere, this.#alternatives);
    }
  }

  #addObject(): void {
    this.#alternatives++;
    this.types |= TypeBit.object;
  }

  /** @param except members that something else is known of */
  #addPlainObject(object: Plain, except: ReadonlyMap<string, unknown> | null): void {
    this.#addObject();
    const { origin, node: first } = object;
    const { document } = origin;
    const { bytes } = document;
    const end = nextOf(document, first);
    let guess = 0;
    for (let node = first + 1; node < end; node = nextOf(document, node)) {
      const keyStart = keyStartOf(document, node);
      // Objects of one path mostly have the same keys in the same order.
      let member = this.members[guess++];
      if (member === undefined || !member.matches(bytes, keyStart)) {
        const key = keyTextAt(bytes, keyStart);
        member = this.#byKey.get(key) ?? this.#newMember(key);
        guess = member.number + 1;
      }
      if (except?.has(member.name)) continue;
      member.add(new Plain(origin, node), true, this.#alternatives);
    }
  }

  #addPlainArray({ origin, node: first }: Plain): void {
    this.#alternatives++;
    this.types |= TypeBit.array;
    const { document } = origin;
    const end = nextOf(document, first);
    const list: AbstractValue[] = [];
    for (let node = first + 1; node < end; node = nextOf(document, node)) {
      list.push(new Plain(origin, node));
    }
    this.lists.push(list);
    this.elementsMin = Math.min(this.elementsMin, list.length);
  }

  #newMember(key: string): GroupMember {
    const member = new GroupMember(key, this.members.length);
    this.members.push(member);
    this.#byKey.set(key, member);
    return member;
  }
}

/** The members of one key. */
export class GroupMember {
  readonly name: string;
  /** Its place among the members of the group. */
  readonly number: number;
  /** None: the key is only in objects where something removed it. */
  readonly values: AbstractValue[] = [];
  /** In how many alternatives it is always there. */
  certain = 0;
  #lastAlternative = 0;
  #key: MemberKey | null = null;

  constructor(name: string, number: number) {
    this.name = name;
    this.number = number;
  }

  /** Whether the key whose opening quote is at `keyStart` is this one. */
  matches(json: Uint8Array, keyStart: number): boolean {
    this.#key ??= new MemberKey(this.name);
    return this.#key.matches(json, keyStart);
  }

  /** Of a key that is repeated in one object, the last member counts. */
  add(value: AbstractValue, isAlwaysThere: boolean, alternative: number): void {
    if (this.#lastAlternative === alternative) this.values.pop();
    else if (isAlwaysThere) this.certain++;
    this.#lastAlternative = alternative;
    this.values.push(value);
  }
}
