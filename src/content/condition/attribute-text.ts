/**
 * What an attribute is as text, by the conversion rules of JavaScript, which the condition dialect is defined by; but
 * total: where JavaScript would throw, the attribute has no text, and compares as nothing.
 */

import { elementTextWork, listTextWork, spend, type WorkMeter } from '../evaluation-work.js';

/** Attributes are lists of names and numbers; an array nested deeper than this has no text (JavaScript would recurse). */
const textLevelsMax = 64;

/** The text of a JSON value that is no list; null when it has none. */
export function scalarText(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return String(value);
  // JavaScript asks the value's own `toString`, which in JSON is never a function, and throws.
  return Object.hasOwn(value, 'toString') ? null : '[object Object]';
}

/** The texts of its elements with commas between, null and absent ones empty; null when one has none. */
export function listText(list: readonly unknown[], meter: WorkMeter): string | null {
  return textAt(list, textLevelsMax - 1, meter);
}

function textAt(list: readonly unknown[], levels: number, meter: WorkMeter): string | null {
  if (!spend(meter, listTextWork + list.length * elementTextWork)) return null;
  let text = '';
  for (let i = 0; i < list.length; i++) {
    const element = list[i];
    if (i > 0) text += ',';
    if (element === null || element === undefined) continue;
    const part = partText(element, levels, meter);
    if (part === null) return null;
    text += part;
  }
  return text;
}

function partText(element: unknown, levels: number, meter: WorkMeter): string | null {
  if (typeof element === 'string') return element;
  if (!Array.isArray(element)) return scalarText(element);
  return levels === 0 ? null : textAt(element, levels - 1, meter);
}
