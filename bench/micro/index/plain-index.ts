/** The oracle of micro/index: the words that content/json/document.ts describes, from JSON.parse and JSON.stringify. */
import type { Json, JsonObject } from '../../data/game-content.js';

const noKey = 0xffff_ffff;

/** @param json as JSON.stringify writes it */
export function plainIndex(json: string): Uint32Array {
  const words: number[] = [];
  /** Returns the offset behind the value. */
  const visit = (value: Json, keyStart: number, valueStart: number): number => {
    const at = words.length;
    words.push(keyStart, valueStart, 0, 0);
    let end = valueStart + 1;
    if (Array.isArray(value)) {
      for (const [number, element] of value.entries()) {
        end = visit(element as Json, noKey, end + (number > 0 ? 1 : 0));
      }
      end += 1;
    } else if (typeof value === 'object' && value !== null) {
      for (const [number, [key, member]] of Object.entries(value as JsonObject).entries()) {
        const start = end + (number > 0 ? 1 : 0);
        end = visit(member, start, start + lengthOf(key) + 1);
      }
      end += 1;
    } else {
      end = valueStart + lengthOf(value);
    }
    words[at + 2] = end;
    words[at + 3] = words.length / 4;
    return end;
  };
  visit(JSON.parse(json) as Json, noKey, 0);
  return Uint32Array.from(words);
}

function lengthOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
