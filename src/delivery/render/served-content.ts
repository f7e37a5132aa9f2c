/** A published content item: what is live of it, and beside that the candidate of a release that ramps. */

import { isDeepStrictEqual } from 'node:util';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import { type Layers, type LayersChange, noLayers } from '../../content/layers.js';
import { isInRamp, type RampStep, type Slice, sliceOf } from '../../content/ramp.js';
import type { SelectionBudget } from '../../content/selection-budget.js';
import type { CandidateRow, ContentRow } from '../../published/reader.js';
import type { ContentExperiments } from '../experiments/counted-arms.js';
import type { SavedSegments } from './served-segment.js';
import { ServedState } from './served-state.js';

/** A release that ramps, as one content item meets it. */
export interface ServedRamp extends RampStep, Omit<CandidateRow, 'content'> {
  /** What callers that are in are given; null: the release deletes the content item. */
  readonly candidate: ServedState | null;
}

/** How many were made so far. */
let editions = 0;

export class ServedContent {
  readonly id: string;
  /**
   * Its entry in the catalog, `"id":{"h":"…","d":…}`; '' where nothing is live. While a release ramps, what is delivered
   * depends on the caller, and the hash is that of what is live.
   */
  readonly catalogEntry: string;
  /** Null: no release that ramps changes it. */
  readonly ramp: ServedRamp | null;
  /** OFREP's bulk evaluation lists flags of it, for some callers at least. */
  readonly listsFlags: boolean;
  /** The larger `ContentPlan.ordinaryWork` of the live state and the candidate. */
  readonly ordinaryWork: number;
  /** Another one with each edit that concerns the content item, and with each start of the process. */
  readonly edition: string;
  /** The refresh that named it last, by its number: so that two spellings in one request are found without a set. */
  namedBy = 0;
  /** Its place among what that refresh named. */
  namedAt = 0;
  #refreshName: Uint8Array | null = null;
  /** Null: only the candidate is there. */
  readonly #live: ServedState | null;
  readonly #row: ContentRow;
  readonly #budget: SelectionBudget;

  /**
   * @param budget what the selections of all contents may hold together
   * @param layers of the environment
   * @param experiments null: none runs
   * @throws see `ServedState`
   */
  constructor(
    row: ContentRow,
    segments: SavedSegments,
    budget: SelectionBudget,
    layers: Layers = noLayers,
    experiments: ContentExperiments | null = null,
  ) {
    const { id, lines, candidate } = row;
    const stateOf = (delivery: ContentRow | CandidateRow['content'], of: 'live' | 'candidate') =>
      delivery === null || delivery.lines.length === 0
        ? null
        : new ServedState(
            id,
            delivery,
            (name) => segments(name)?.[of],
            budget,
            layers,
            experiments,
          );
    const live = stateOf(row, 'live');
    this.id = id;
    this.#live = live;
    this.ramp = null;
    if (candidate !== null) {
      const { content, ...ramp } = candidate;
      this.ramp = { ...ramp, candidate: stateOf(content, 'candidate') };
    }
    const isDynamic = this.ramp !== null || live?.isDynamic;
    const entry = `${JSON.stringify(id)}:{"h":"${lines.at(-1)?.hash}","d":${isDynamic}}`;
    this.catalogEntry = live === null ? '' : entry;
    this.listsFlags = this.#states.some(({ flags }) => flags.length > 0);
    this.ordinaryWork = Math.max(0, ...this.#states.map(({ ordinaryWork }) => ordinaryWork));
    editions += 1;
    this.edition = String(editions);
    this.#row = row;
    this.#budget = budget;
  }

  /** What the caller is given; null: for the caller there is no such content item. */
  stateFor(caller: EvaluationContext): ServedState | null {
    const { ramp } = this;
    return ramp !== null && isInRamp(ramp, caller) ? ramp.candidate : this.#live;
  }

  /** The slice of the ramp that the caller is in; null: none, or nothing ramps. */
  sliceFor(caller: EvaluationContext): Slice | null {
    return this.ramp === null ? null : sliceOf(this.ramp, caller);
  }

  /** The same content after a change of the saved segments, the layers or the experiments that run. */
  withDefinitions(
    segments: SavedSegments,
    layers: Layers,
    experiments: ContentExperiments | null,
  ): ServedContent {
    return new ServedContent(this.#row, segments, this.#budget, layers, experiments);
  }

  /** Whether the row says what this one was made of: it was published again as it was. */
  isOf(row: ContentRow): boolean {
    return isDeepStrictEqual(row, this.#row);
  }

  usesSegment(name: string): boolean {
    return this.#states.some((state) => state.usesSegment(name));
  }

  usesChange(change: LayersChange): boolean {
    return this.#states.some((state) => state.usesChange(change));
  }

  /** The first instant after `nowMs` at which a rule begins or ends for any caller, see `ContentPlan.nextEdgeMs`. */
  nextEdgeMs(nowMs: number): number {
    return Math.min(...this.#states.map((state) => state.nextEdgeMs(nowMs)));
  }

  /** See `ServedState.release`. */
  release(): void {
    for (const state of this.#states) state.release();
  }

  /** What stands before its entry in a refresh: `,"id":`. */
  get refreshName(): Uint8Array {
    this.#refreshName ??= encodeName(this.id);
    return this.#refreshName;
  }

  /** The live state and the candidate, without those that do not exist. */
  get #states(): readonly ServedState[] {
    return [this.#live, this.ramp?.candidate ?? null].filter((state) => state !== null);
  }
}

/** `,"id":`, in memory of its own. */
export function encodeName(id: string): Uint8Array {
  return Uint8Array.from(Buffer.from(`,${JSON.stringify(id)}:`));
}
