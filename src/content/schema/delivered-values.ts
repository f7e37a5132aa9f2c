/** Adds the values that rules and variants may deliver, as an envelope lists them, to what the texts have. Pure. */
import { tokensOf } from '../json/pointer-text.js';
import type { ValueKind } from '../json/value-kind.js';
import {
  addNumber,
  addText,
  isIntegerSource,
  itemsOf,
  memberOf,
  type ValueShape,
} from './value-shape.js';

/** The values of one path of an envelope. */
export interface DeliveredPath {
  /** JSON Pointer; `*` stands for every element of an array. */
  readonly path: string;
  readonly types: readonly ValueKind[];
  /** Every player is given it. */
  readonly always: boolean;
  /** Of the numbers; a value of null is beyond a double. */
  readonly min: { readonly value: number | null } | null;
  readonly max: { readonly value: number | null } | null;
  /** JSON texts of the scalars; null: there are too many. */
  readonly values: readonly string[] | null;
}

/** @param paths parents before their children, as an envelope lists them */
export function addDelivered(root: ValueShape, paths: readonly DeliveredPath[]): void {
  for (const path of paths) {
    const tokens = tokensOf(path.path) ?? [];
    const last = tokens.at(-1);
    for (const parent of shapesAt(root, tokens.slice(0, -1))) {
      if (last === undefined) addTo(root, path);
      else for (const shape of childrenAt(parent, last, path.always)) addTo(shape, path);
    }
  }
}

function shapesAt(root: ValueShape, tokens: readonly string[]): readonly ValueShape[] {
  let shapes: readonly ValueShape[] = [root];
  for (const token of tokens) shapes = shapes.flatMap((shape) => childrenAt(shape, token, true));
  return shapes;
}

/** Where both an array and an object are possible, what a token names may be in either. */
function childrenAt(shape: ValueShape, token: string, isAlways: boolean): readonly ValueShape[] {
  const found: ValueShape[] = [];
  const isElement = shape.kinds.has('array') && element.test(token);
  if (isElement) found.push(itemsOf(shape));
  if (shape.kinds.has('object') || !isElement) {
    const member = memberOf(shape, token);
    member.isOptional ||= !isAlways || isElement;
    found.push(member.shape);
  }
  return found;
}

const element = /^(?:\*|[0-9]+)$/;

function addTo(shape: ValueShape, { types, min, max, values }: DeliveredPath): void {
  for (const type of types) shape.kinds.add(type);
  const scalars = values?.map((source) => JSON.parse(source) as unknown) ?? [];
  if (types.includes('number')) {
    // Of more values than are listed, each may have a fraction.
    const areIntegers = values?.every((source) => !number.test(source) || isIntegerSource(source));
    for (const bound of [min, max]) {
      addNumber(shape, bound?.value ?? Number.POSITIVE_INFINITY, areIntegers ?? false);
    }
  }
  if (values === null && types.includes('string')) shape.texts = null;
  for (const scalar of scalars) if (typeof scalar === 'string') addKnownText(shape, scalar);
}

/** The texts have been counted. */
function addKnownText(shape: ValueShape, text: string): void {
  if (shape.texts?.has(text) === true) return;
  addText(shape, text);
}

const number = /^-?[0-9]/;
