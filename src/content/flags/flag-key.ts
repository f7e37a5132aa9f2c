/** The key of an OFREP flag: a content id, or one followed by a JSON Pointer into what the content delivers. */
import { type JsonPointer, parsePointer } from '../mutation/json-pointer.js';

/** The content id of a key: what stands before the first slash, valid or not. */
export function contentIdOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? key : key.slice(0, slash);
}

/**
 * The JSON Pointer of a key, which begins at its first slash; without one, it is that of the root.
 * @returns a sentence that says what is wrong with it, otherwise
 */
export function pointerOf(key: string): JsonPointer | string {
  const slash = key.indexOf('/');
  const text = slash < 0 ? '' : key.slice(slash);
  const pointer = parsePointer(text);
  if (typeof pointer !== 'string') return pointer;
  return `${JSON.stringify(text)} is not a JSON Pointer: it ${pointer}.`;
}
