/** The saved segments that come along with a sync, found as contents turn out to use them. */
import { getOrAdd } from '../get-or-add.js';
import type { Segment } from '../store/segments/segments.js';
import type { PlanId } from './plan-id.js';

export interface SegmentCopy {
  readonly source: Segment;
  /** Null: the target has none of that name. */
  readonly target: Segment | null;
}

export class SegmentsToCopy {
  readonly copies: SegmentCopy[] = [];
  readonly #sources: ReadonlyMap<string, Segment>;
  readonly #targets: ReadonlyMap<string, Segment>;
  readonly #known = new Map<string, SegmentCopy | null>();

  constructor(sources: readonly Segment[], targets: readonly Segment[]) {
    this.#sources = byName(sources);
    this.#targets = byName(targets);
  }

  /** Of the named ones, those that the target lacks or has otherwise. What they are goes into the plan's id. */
  add(names: readonly string[], planId: PlanId): SegmentCopy[] {
    const found = names.map((name) =>
      getOrAdd(this.#known, name, () => this.#compare(name, planId)),
    );
    return found.filter((copy) => copy !== null);
  }

  #compare(name: string, planId: PlanId): SegmentCopy | null {
    const source = this.#sources.get(name);
    const target = this.#targets.get(name) ?? null;
    for (const segment of [source, target]) {
      if (segment !== undefined && segment !== null) planId.addSegment(segment);
      else planId.add([name]);
    }
    const same = source === undefined || source.condition === target?.condition;
    const copy = same ? null : { source, target };
    if (copy !== null) this.copies.push(copy);
    return copy;
  }
}

function byName(segments: readonly Segment[]): ReadonlyMap<string, Segment> {
  return new Map(segments.map((segment) => [segment.name, segment]));
}
