/** Sketches of the parts that the store has of a day. */
import type { AssignedSketch } from '../../../content/sketch/assigned-sketch.js';
import { decodeSketch } from '../../../content/sketch/sketch-bytes.js';
import type { AssignedPart } from '../../store/experiments/assigned-parts.js';

export interface ReadParts {
  /** Those that could be read: a later version may have written others. */
  readonly parts: readonly AssignedPart[];
  /** Of each of them. */
  readonly sketches: readonly AssignedSketch[];
}

export function readParts(found: readonly AssignedPart[]): ReadParts {
  const parts: AssignedPart[] = [];
  const sketches: AssignedSketch[] = [];
  for (const part of found) {
    const sketch = decodeSketch(part.users);
    if (sketch === null) continue;
    parts.push(part);
    sketches.push(sketch);
  }
  return { parts, sketches };
}
