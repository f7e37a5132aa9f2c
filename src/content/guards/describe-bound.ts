/** Bounds and places in words, for findings. */

import type { JsonType, NumberBound, ValueSource } from '../envelope/line-envelope.js';
import { withArticle } from '../mutation/json-patch.js';

/** Such as `50,000,000 (rule "whales", variant "b")`. */
export function describeBound({ value, source }: NumberBound): string {
  const written = describeSource(source);
  return written === null ? describeNumber(value) : `${describeNumber(value)} (${written})`;
}

export function describeNumber(value: number): string {
  const size = Math.abs(value);
  if (value !== 0 && (size >= PLAIN_MAX || size < PLAIN_MIN)) return String(value);
  return plainFormat.format(value);
}

/** Null: the version line itself. */
function describeSource({ segment, variant }: ValueSource): string | null {
  if (segment === null) return null;
  const rule = `rule ${JSON.stringify(segment)}`;
  return variant === null ? rule : `${rule}, variant ${JSON.stringify(variant)}`;
}

/** Such as `a string or null`. */
export function describeTypes(types: readonly JsonType[]): string {
  return types.map(withArticle).join(' or ');
}

/** A path as part of a sentence. */
export function describePath(path: string): string {
  if (path === '') return 'the whole document';
  return path.length > PATH_SHOWN_MAX ? `${path.slice(0, PATH_SHOWN_MAX)}...` : path;
}

/** A text of JSON as part of a sentence. */
export function describeText(text: string): string {
  return text.length > TEXT_SHOWN_MAX ? `${text.slice(0, TEXT_SHOWN_MAX)}...` : text;
}

const plainFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 17 });
/** Beyond these a number is easier to read with an exponent. */
const PLAIN_MAX = 1e15;
const PLAIN_MIN = 1e-6;
const PATH_SHOWN_MAX = 200;
const TEXT_SHOWN_MAX = 60;
