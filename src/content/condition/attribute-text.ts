/**
 * What an attribute is as text and as a number, by the conversion rules of JavaScript, which the condition dialect
 * is defined by; but total: where JavaScript would throw, the attribute has no text, and compares as nothing.
 */

/** Attributes are lists of names and numbers; an array nested deeper than this has no text (JavaScript would recurse). */
const textLevelsMax = 64;

/** The text of a JSON value; null when it has none. `null` itself reads 'null', a list its elements with commas. */
export function attributeText(value: unknown): string | null {
  return typeof value === 'string' ? value : textAt(value, textLevelsMax);
}

function textAt(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return levels === 0 ? null : listText(value, levels - 1);
  // JavaScript asks the value's own `toString`, which in JSON is never a function, and throws.
  return Object.hasOwn(value, 'toString') ? null : '[object Object]';
}

function listText(list: readonly unknown[], levels: number): string | null {
  let text = '';
  for (let i = 0; i < list.length; i++) {
    const element = list[i];
    if (i > 0) text += ',';
    if (element === null || element === undefined) continue;
    const part = textAt(element, levels);
    if (part === null) return null;
    text += part;
  }
  return text;
}

/** The number of a JSON value: null is 0, text is read as a number, what has no number is NaN. */
export function attributeNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null) return Number(value);
  const text = attributeText(value);
  return text === null ? Number.NaN : Number(text);
}
