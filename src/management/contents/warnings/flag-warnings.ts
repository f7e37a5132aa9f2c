/** Finds flags of a content that its texts give no value: OFREP answers them with "not found". Rejects nothing. */
import { type JsonPointer, parsePointer } from '../../../content/mutation/json-pointer.js';
import type { ValidationIssue } from '../../../contract/problems.js';
import type { LineJson } from '../validate/try-mutations.js';

/**
 * A flag that no version line has a value for gets one warning, another gets one for each version line without it.
 * @param flags JSON Pointers, in the order of the edit
 */
export function flagWarnings(
  flags: readonly string[],
  lines: readonly LineJson[],
): ValidationIssue[] {
  if (flags.length === 0) return [];
  const values = lines.map(({ json }): unknown => JSON.parse(Buffer.from(json).toString()));
  return flags.flatMap((flag, index) => {
    const pointer = parsePointer(flag);
    if (typeof pointer === 'string') return [];
    const path = `flags[${index}]`;
    const found = values.map((value) => describeMiss(pointer, value));
    const missed = found.filter((miss) => miss !== null);
    if (missed.length === lines.length && new Set(missed).size === 1) {
      return [{ path, message: `${missed[0]}${needed}` }];
    }
    return found.flatMap((miss, line) => {
      const appVersion = lines[line]?.version ?? '';
      return miss === null ? [] : [{ path, appVersion, message: `${miss}${needed}` }];
    });
  });
}

const needed = '; a flag is a boolean, a string, a number or an object';

/** Null: there is a value. */
function describeMiss({ tokens, text }: JsonPointer, root: unknown): string | null {
  let value = root;
  for (const { key, index } of tokens) {
    const next = Array.isArray(value) ? value[index] : memberOf(value, key.text);
    if (next === undefined) return `"${text}" names nothing`;
    value = next;
  }
  if (value === null) return `"${text}" names null`;
  return Array.isArray(value) ? `"${text}" names a list` : null;
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
