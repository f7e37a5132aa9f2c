/** A saved segment as rules meet it: the condition that is live, and the one that candidates of releases see. */
import { isDeepStrictEqual } from 'node:util';
import { type Condition, compileCondition } from '../../content/condition/condition.js';
import type { SegmentRow } from '../../published/reader.js';

/** The segments of an environment, by name. */
export type SavedSegments = (name: string) => ServedSegment | undefined;

export class ServedSegment {
  /** Undefined: the segment is not live. */
  readonly live: Condition | undefined;
  /** The live one, unless a release changes it. */
  readonly candidate: Condition | undefined;
  readonly #row: SegmentRow;

  /** @throws when a condition does not compile: management checks it, so the file is not what it wrote */
  constructor(row: SegmentRow) {
    this.#row = row;
    this.live = row.condition === null ? undefined : conditionOf(row.condition);
    this.candidate = row.candidate === null ? this.live : conditionOf(row.candidate);
  }

  /** Whether the row has the same conditions: it was published again as it was. */
  isOf(row: SegmentRow): boolean {
    return isDeepStrictEqual(row, this.#row);
  }
}

function conditionOf(text: string): Condition {
  const condition = compileCondition(JSON.parse(text));
  if (typeof condition !== 'function') throw new Error('A published segment does not compile.');
  return condition;
}
