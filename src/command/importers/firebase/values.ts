/** Values of parameters: Firebase keeps all of them as text, with the type for the whole parameter. */

import { isObject, type JsonObject } from '../source.js';

export type FirebaseValue =
  /** `json`: the value in its type. `misfit`: the text is not of the type, so it stays a text. */
  | { readonly kind: 'explicit'; readonly json: string; readonly misfit: string | null }
  /** The game's own default: Firebase sends nothing. */
  | { readonly kind: 'in-app' }
  | {
      readonly kind: 'rollout';
      readonly json: string;
      readonly misfit: string | null;
      readonly id: string;
      readonly percent: number;
    }
  | { readonly kind: 'managed'; readonly what: string };

const trueWords: ReadonlySet<string> = new Set(['1', 'true', 't', 'yes', 'y', 'on']);
const falseWords: ReadonlySet<string> = new Set(['0', 'false', 'f', 'no', 'n', 'off', '']);
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Null: it is no value of the schema. */
export function readValue(value: unknown, type: string): FirebaseValue | null {
  if (!isObject(value)) return null;
  const { value: text, useInAppDefault, rolloutValue } = value;
  if (typeof text === 'string') return { kind: 'explicit', ...typed(text, type) };
  if (useInAppDefault === true) return { kind: 'in-app' };
  if (isObject(rolloutValue)) return rolloutOf(rolloutValue, type);
  if (isObject(value['personalizationValue'])) return { kind: 'managed', what: 'personalization' };
  if (isObject(value['experimentValue'])) return { kind: 'managed', what: 'an experiment' };
  return null;
}

function rolloutOf({ rolloutId, value, percent }: JsonObject, type: string): FirebaseValue | null {
  if (typeof rolloutId !== 'string' || typeof value !== 'string' || typeof percent !== 'number') {
    return null;
  }
  return { kind: 'rollout', id: rolloutId, percent, ...typed(value, type) };
}

/** `"true"` of a BOOLEAN is `true`; numbers keep their digits, and JSON its bytes. */
function typed(
  text: string,
  type: string,
): { readonly json: string; readonly misfit: string | null } {
  const asText = { json: JSON.stringify(text), misfit: `is no ${type}, so it stays a text` };
  const plain = text.trim();
  switch (type) {
    case 'BOOLEAN': {
      const word = plain.toLowerCase();
      if (trueWords.has(word)) return { json: 'true', misfit: null };
      return falseWords.has(word) ? { json: 'false', misfit: null } : asText;
    }
    case 'NUMBER': {
      if (jsonNumber.test(plain)) return { json: plain, misfit: null };
      const number = Number(plain);
      // `.5` and `007` are numbers to Firebase, and none in JSON.
      return plain !== '' && Number.isFinite(number)
        ? { json: String(number), misfit: null }
        : asText;
    }
    case 'JSON':
      return isJson(plain) ? { json: plain, misfit: null } : asText;
    default:
      return { json: JSON.stringify(text), misfit: null };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
