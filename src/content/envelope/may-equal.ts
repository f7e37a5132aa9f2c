/** Whether a `test` of a JSON Patch may pass. */

import { jsonEqual } from '../mutation/json-equal.js';
import { type JsonValue, kindOf, Untouched } from '../mutation/json-value.js';
import { AbstractObject, type AbstractValue, Mixed, type Plain } from './abstract-value.js';
import { TypeBit } from './json-types.js';

/** False: none of the values is equal to `operand`. */
export function mayEqual(value: AbstractValue, operand: JsonValue): boolean {
  if (!(value instanceof Mixed)) return isEqual(value, operand);
  const kind = kindOf(operand);
  if (kind === 'object' || kind === 'array') {
    const isObject = kind === 'object';
    return value.containers.some((container) => container instanceof AbstractObject === isObject);
  }
  const { scalars } = value;
  if (scalars === null || (scalars.types & TypeBit[kind]) === 0) return false;
  if (scalars.known === null) return true;
  return [...scalars.known.values()].some((scalar) => isEqual(scalar, operand));
}

function isEqual({ origin, node }: Plain, operand: JsonValue): boolean {
  return jsonEqual(new Untouched(origin.document, node), operand);
}
