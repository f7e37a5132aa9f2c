/** Makes stored texts into what is delivered, by the addon or by its twins, whichever this thread has chosen. */
import { contentHash } from '../content/hash.js';
import { stripJsonc } from '../content/json/jsonc.js';
import { TextIssue } from '../content/json/text-issue.js';
import { chooseNative, type NativeChoice } from './native-choice.js';
import type { DeliveredText, NativeContent } from './native-content.js';

let native: NativeContent | null = null;

/**
 * To be called once, when the thread starts; until then the twins do it.
 * @throws when the addon is wanted and cannot be loaded
 */
export function chooseTextWork(choice: NativeChoice): void {
  native = chooseNative(choice);
}

/** The delivered form of a stored text, or why it has none. */
export function stripText(text: Uint8Array, levelsMax: number): Uint8Array | TextIssue {
  return native === null ? stripJsonc(text, levelsMax) : native.stripJsonc(text, levelsMax);
}

/** The same with the hash that clients see. */
export function deliverText(text: Uint8Array, levelsMax: number): DeliveredText | TextIssue {
  if (native !== null) return native.deliver(text, levelsMax);
  const json = stripJsonc(text, levelsMax);
  return json instanceof TextIssue ? json : { json, hash: contentHash(json) };
}
