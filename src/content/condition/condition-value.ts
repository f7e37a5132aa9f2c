/** Compiles equality: the value that a condition gives plainly, as in `{"country": "DE"}` or `{"tags": ["a", "b"]}`. */

import type { EvaluationContext } from '../evaluation-context.js';
import { memberNameWork, shortTextUnits, spend, testWork } from '../evaluation-work.js';
import { never, type Test } from './condition-site.js';
import {
  attributeNumber,
  attributeText,
  foldedText,
  isSameText,
  memberNames,
} from './derived-texts.js';

/**
 * Text, numbers and booleans equal what JavaScript converts to them (`"8"` equals 8, as in GrowthBook's SDKs); null
 * equals a null or absent attribute; arrays and objects equal the same JSON, members in the same order.
 * `foldCase` compares text without case.
 */
export function compileEquality(wanted: unknown, foldCase: boolean): Test {
  switch (typeof wanted) {
    case 'string':
      return foldCase ? equalsFolded(wanted.toLowerCase()) : equalsText(wanted);
    case 'number':
      return (value, caller) => attributeNumber(value, caller) === wanted;
    case 'boolean':
      return (value) => value !== null && Boolean(value) === wanted;
    case 'object':
      return wanted === null
        ? (value) => value === null
        : (value, caller) => sameJson(value, wanted, caller);
    default:
      return never;
  }
}

function equalsText(wanted: string): Test {
  if (wanted.length > shortTextUnits) {
    return (value, caller) => {
      const text = attributeText(value, caller);
      return text !== null && isSameText(text, wanted, caller);
    };
  }
  return (value, caller) =>
    (typeof value === 'string' ? value : attributeText(value, caller)) === wanted;
}

function equalsFolded(wanted: string): Test {
  return (value, caller) => {
    const text = attributeText(value, caller);
    return text !== null && isSameText(foldedText(text, caller), wanted, caller);
  };
}

/** Recurses as deep as `wanted`, whose levels are limited, however deep `value` is. */
function sameJson(value: unknown, wanted: unknown, caller: EvaluationContext): boolean {
  if (typeof wanted === 'string')
    return typeof value === 'string' && isSameText(value, wanted, caller);
  if (typeof wanted !== 'object' || wanted === null) return scalar(value) === scalar(wanted);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted)) return Array.isArray(value) && sameList(value, wanted, caller);
  return !Array.isArray(value) && sameObject(value, wanted, caller);
}

function sameList(
  value: readonly unknown[],
  wanted: readonly unknown[],
  caller: EvaluationContext,
): boolean {
  if (value.length !== wanted.length || !spend(caller, value.length * testWork)) return false;
  for (let i = 0; i < wanted.length; i++) {
    if (!sameJson(value[i], wanted[i], caller)) return false;
  }
  return true;
}

function sameObject(value: object, wanted: object, caller: EvaluationContext): boolean {
  const names = memberNames(value, caller);
  const wantedNames = Object.keys(wanted);
  if (names.length !== wantedNames.length) return false;
  if (!spend(caller, names.length * memberNameWork)) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    if (name !== wantedNames[i]) return false;
    if (!sameJson(ownMember(value, name), ownMember(wanted, name), caller)) return false;
  }
  return true;
}

/** `name` is one of the object's own keys, so nothing inherited is read. */
function ownMember(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name];
}

/** A number too large for a double (`1e400`) has no JSON form and counts as null, as it does for the SDKs. */
function scalar(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? null : value;
}
