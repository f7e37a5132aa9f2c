/**
 * What is made of a caller's attributes to compare them: the text of a list, the number of a text, its lower-case form,
 * its version key. Each is made once per request however many rules ask, and charged when it is made (evaluation-work.ts).
 */

import type { EvaluationContext } from '../evaluation-context.js';
import {
  characterWork,
  memberNameWork,
  shortTextUnits,
  spend,
  versionCharacterWork,
} from '../evaluation-work.js';
import { listText, scalarText } from './attribute-text.js';
import { versionKey } from './version-key.js';

export class DerivedTexts {
  lists: Map<readonly unknown[], string | null> | null = null;
  /** Of objects with many members. */
  names: Map<object, readonly string[]> | null = null;
  /** By text; only long ones: a short one is made as fast as it is found. */
  folded: Map<string, string> | null = null;
  numbers: Map<string, number> | null = null;
  versionKeys: Map<string, string> | null = null;
  /** The version that was asked for last: mostly there is one, and it is short. */
  lastVersion: string | null = null;
  lastVersionKey = '';
}

/** The text of an attribute; null when it has none. `null` itself reads 'null', a list its elements with commas. */
export function attributeText(value: unknown, caller: EvaluationContext): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return scalarText(value);
  const derived = derivedOf(caller);
  derived.lists ??= new Map();
  let text = derived.lists.get(value);
  if (text === undefined) {
    text = listText(value, caller);
    derived.lists.set(value, text);
  }
  return text;
}

/** The number of an attribute: null is 0, text is read as a number, what has no number is NaN. */
export function attributeNumber(value: unknown, caller: EvaluationContext): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' && typeof value !== 'string') return Number(value);
  if (value === null) return 0;
  const text = attributeText(value, caller);
  return text === null ? Number.NaN : textNumber(text, caller);
}

/** A text read as a number. */
export function textNumber(text: string, caller: EvaluationContext): number {
  if (text.length <= shortTextUnits) return Number(text);
  const derived = derivedOf(caller);
  derived.numbers ??= new Map();
  let number = derived.numbers.get(text);
  if (number === undefined) {
    number = spend(caller, text.length * characterWork) ? Number(text) : Number.NaN;
    derived.numbers.set(text, number);
  }
  return number;
}

/** A text in lower case. */
export function foldedText(text: string, caller: EvaluationContext): string {
  if (text.length <= shortTextUnits) return text.toLowerCase();
  const derived = derivedOf(caller);
  derived.folded ??= new Map();
  let lower = derived.folded.get(text);
  if (lower === undefined) {
    lower = spend(caller, text.length * characterWork) ? text.toLowerCase() : '';
    derived.folded.set(text, lower);
  }
  return lower;
}

/** The key of a text as a version (version-key.ts). */
export function versionKeyOf(text: string, caller: EvaluationContext): string {
  const derived = derivedOf(caller);
  if (derived.lastVersion === text) return derived.lastVersionKey;
  const key =
    text.length <= shortTextUnits ? madeKey(text, caller) : keptKey(text, derived, caller);
  derived.lastVersion = text;
  derived.lastVersionKey = key;
  return key;
}

function keptKey(text: string, derived: DerivedTexts, caller: EvaluationContext): string {
  derived.versionKeys ??= new Map();
  let key = derived.versionKeys.get(text);
  if (key === undefined) {
    key = madeKey(text, caller);
    derived.versionKeys.set(text, key);
  }
  return key;
}

function madeKey(text: string, caller: EvaluationContext): string {
  return spend(caller, text.length * versionCharacterWork) ? versionKey(text) : '';
}

/** The names of an object's members, in order. */
export function memberNames(object: object, caller: EvaluationContext): readonly string[] {
  const known = caller.derived?.names?.get(object);
  if (known !== undefined) return known;
  const names = Object.keys(object);
  // Charged afterwards: how many there are is known only now. The largest body has some 8,000, which takes 2 ms.
  caller.workLeft -= names.length * memberNameWork;
  if (names.length <= fewMembers) return names;
  const derived = derivedOf(caller);
  derived.names ??= new Map();
  derived.names.set(object, names);
  return names;
}

/** Listing so few again takes no longer than finding the list. */
const fewMembers = 8;

/** Whether two texts are the same. Texts of different lengths differ at once. */
export function isSameText(value: string, wanted: string, caller: EvaluationContext): boolean {
  const { length } = wanted;
  if (value.length !== length) return false;
  if (length > shortTextUnits && !spend(caller, length * characterWork)) return false;
  return value === wanted;
}

function derivedOf(caller: EvaluationContext): DerivedTexts {
  caller.derived ??= new DerivedTexts();
  return caller.derived;
}
