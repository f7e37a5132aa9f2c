/** The saved segments that come along with a sync. */
import type { Reading } from '../store/dialect.js';
import { findSegment, type Segment } from '../store/segments.js';

export interface SegmentChange {
  readonly name: string;
  readonly change: 'added' | 'changed';
}

/** Which saved segments differ between source and target, found as contents turn out to use them. */
export class SegmentsToCopy {
  readonly changes: SegmentChange[] = [];
  readonly toSave: Segment[] = [];
  readonly #db: Reading;
  readonly #from: string;
  readonly #to: string;
  readonly #known = new Map<string, SegmentChange | null>();

  constructor(db: Reading, from: string, to: string) {
    this.#db = db;
    this.#from = from;
    this.#to = to;
  }

  /** Of the named ones, those that the target lacks or has otherwise. */
  async add(names: readonly string[]): Promise<SegmentChange[]> {
    const changes: SegmentChange[] = [];
    for (const name of names) {
      const known = this.#known.get(name);
      const change = known === undefined ? await this.#compare(name) : known;
      if (change !== null) changes.push(change);
    }
    return changes;
  }

  async #compare(name: string): Promise<SegmentChange | null> {
    const source = await findSegment(this.#db, this.#from, name);
    const target = await findSegment(this.#db, this.#to, name);
    const same = source === null || source.condition === target?.condition;
    const change: SegmentChange | null = same
      ? null
      : { name, change: target === null ? 'added' : 'changed' };
    this.#known.set(name, change);
    if (change !== null && source !== null) {
      this.changes.push(change);
      this.toSave.push(source);
    }
    return change;
  }
}
