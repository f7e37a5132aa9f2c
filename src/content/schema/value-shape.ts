/** What values at one place have in common: their types, numbers, texts, members and elements. Pure; works in a browser. */
import type { TextNode, TextTree } from '../json/text-tree.js';
import type { ValueKind } from '../json/value-kind.js';

/** Deeper values are not looked at. */
export const shapeLevelsMax = 32;
/** Distinct texts that are kept of a place. */
const textsMax = 16;
const textCharsMax = 64;

export interface NumberRange {
  min: number;
  max: number;
  /** Each is written without a fraction and an exponent. */
  areIntegers: boolean;
}

export interface MemberShape {
  readonly shape: ValueShape;
  /** Objects that have it. */
  seen: number;
  /** Some variant lacks it. */
  isOptional: boolean;
}

export interface ValueShape {
  readonly kinds: Set<ValueKind>;
  /** Null: no number was seen. */
  numbers: NumberRange | null;
  /** A number that no double can hold was seen: nothing can be said. */
  isOpen: boolean;
  /** Null: too many, or long ones. */
  texts: Set<string> | null;
  /** Texts seen, repeated ones included. */
  textsSeen: number;
  objectsSeen: number;
  readonly members: Map<string, MemberShape>;
  /** Of the elements of all arrays; null: no element was seen. */
  items: ValueShape | null;
}

export function emptyShape(): ValueShape {
  return {
    kinds: new Set(),
    numbers: null,
    isOpen: false,
    texts: new Set(),
    textsSeen: 0,
    objectsSeen: 0,
    members: new Map(),
    items: null,
  };
}

/** Adds a value of a text to what is known of its place. */
export function addNode(shape: ValueShape, tree: TextTree, node: TextNode, level = 0): void {
  shape.kinds.add(node.kind);
  const source = tree.text.slice(node.start, node.end);
  if (node.kind === 'number') {
    addNumber(shape, Number(source), isIntegerSource(source));
  } else if (node.kind === 'string') {
    addText(shape, String(JSON.parse(source)));
  } else if (level < shapeLevelsMax) {
    addChildren(shape, tree, node, level);
  }
}

function addChildren(shape: ValueShape, tree: TextTree, node: TextNode, level: number): void {
  if (node.kind === 'array') {
    for (const child of node.children) addNode(itemsOf(shape), tree, child, level + 1);
  }
  if (node.kind !== 'object') return;
  shape.objectsSeen++;
  // Of a repeated name, the last one counts.
  const last = new Map(node.children.map((child) => [child.name ?? '', child]));
  for (const [name, child] of last) {
    const member = memberOf(shape, name);
    member.seen++;
    addNode(member.shape, tree, child, level + 1);
  }
}

export function itemsOf(shape: ValueShape): ValueShape {
  shape.items ??= emptyShape();
  return shape.items;
}

export function memberOf({ members }: ValueShape, name: string): MemberShape {
  let member = members.get(name);
  if (member === undefined) {
    member = { shape: emptyShape(), seen: 0, isOptional: false };
    members.set(name, member);
  }
  return member;
}

export function addNumber(shape: ValueShape, value: number, isInteger: boolean): void {
  if (!Number.isFinite(value)) {
    shape.isOpen = true;
    return;
  }
  shape.numbers ??= { min: value, max: value, areIntegers: true };
  const { numbers } = shape;
  numbers.min = Math.min(numbers.min, value);
  numbers.max = Math.max(numbers.max, value);
  numbers.areIntegers &&= isInteger;
}

export function addText(shape: ValueShape, text: string): void {
  shape.textsSeen++;
  if (text.length > textCharsMax) shape.texts = null;
  shape.texts?.add(text);
  if (shape.texts !== null && shape.texts.size > textsMax) shape.texts = null;
}

/** Whether a number is written without a fraction and an exponent. */
export function isIntegerSource(source: string): boolean {
  return integer.test(source);
}

const integer = /^-?[0-9]+$/;

/** Adds what is known of another place to `into`. */
export function joinShape(into: ValueShape, other: ValueShape): void {
  for (const kind of other.kinds) into.kinds.add(kind);
  if (other.numbers !== null) {
    const { min, max, areIntegers } = other.numbers;
    addNumber(into, min, areIntegers);
    addNumber(into, max, areIntegers);
  }
  into.isOpen ||= other.isOpen;
  joinTexts(into, other);
  into.objectsSeen += other.objectsSeen;
  for (const [name, member] of other.members) {
    const known = memberOf(into, name);
    known.seen += member.seen;
    known.isOptional ||= member.isOptional;
    joinShape(known.shape, member.shape);
  }
  if (other.items !== null) joinShape(itemsOf(into), other.items);
}

function joinTexts(into: ValueShape, other: ValueShape): void {
  if (other.texts === null) into.texts = null;
  else for (const text of other.texts) addText(into, text);
  into.textsSeen += other.textsSeen - (other.texts?.size ?? 0);
}
