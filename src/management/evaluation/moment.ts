/**
 * An environment at a moment: what its content items have in common, each part read once. Segments and revisions are found by
 * `loadCandidate`, which takes a moment.
 */
import { contentKey } from '../../content/content-id.js';
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Layers } from '../../content/layers.js';
import { isInRamp } from '../../content/ramp.js';
import { Problem } from '../../contract/problems.js';
import type { Db } from '../store/dialect.js';
import { findLayersAt, listLayerTimes } from '../store/layers/layer-history.js';
import {
  listRampItems,
  listRampsAt,
  listRampTimes,
  type PastRamp,
} from '../store/releases/ramp-history.js';
import { findSegmentRevision } from '../store/segments/segment-revisions.js';
import { toIso } from '../to-iso.js';
import type { LoadedSegment } from './load-candidate.js';
import type { ReleaseView } from './release-view.js';

/** A ramp with all that it delivered. */
export interface RampThen extends PastRamp {
  /** Lower-case ids of the contents that it reached; null: it is not known. */
  readonly reached: ReadonlySet<string> | null;
  readonly view: ReleaseView | Problem;
}

export class Moment {
  readonly environment: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  #layers: Layers | null | undefined;
  #ramps: readonly RampThen[] | undefined;

  constructor(environment: string, atMs: number) {
    this.environment = environment;
    this.atMs = atMs;
  }

  /** Null: it is not known which layers there were. */
  async layers(db: Db): Promise<Layers | null> {
    if (this.#layers === undefined) {
      this.#layers = await findLayersAt(db, this.environment, this.atMs);
    }
    return this.#layers;
  }

  /** What the ramp delivers that reaches a content and that the caller is in; null: the caller was given what was live. */
  async rampOf(
    db: Db,
    id: string,
    caller: EvaluationContext,
  ): Promise<ReleaseView | Problem | null> {
    const ramps = await this.rampsReaching(db, id);
    return ramps.find((ramp) => isInRamp(ramp, caller))?.view ?? null;
  }

  /** The ramps that reach a content, or may: a caller is given what the first delivers that it is in. */
  async rampsReaching(db: Db, id: string): Promise<readonly RampThen[]> {
    const ramps = await this.#rampsThen(db);
    return ramps.filter(({ reached }) => reached === null || reached.has(contentKey(id)));
  }

  async #rampsThen(db: Db): Promise<readonly RampThen[]> {
    if (this.#ramps !== undefined) return this.#ramps;
    const ramps: RampThen[] = [];
    for (const ramp of await listRampsAt(db, this.environment, this.atMs)) {
      ramps.push(await this.#readRamp(db, ramp));
    }
    this.#ramps = ramps;
    return ramps;
  }

  async #readRamp(db: Db, ramp: PastRamp): Promise<RampThen> {
    const { environment, release } = ramp;
    const items = await listRampItems(db, ramp);
    const unknown = (reached: RampThen['reached']): RampThen => {
      const detail = `The player was in the ramp of release ${release} at ${toIso(this.atMs)}, but what it delivered is not kept.`;
      return { ...ramp, reached, view: new Problem('history_not_kept', detail) };
    };
    if (items.length === 0) return unknown(null);
    const reached = new Set<string>();
    const revisions = new Map<string, number | null>();
    const segments = new Map<string, LoadedSegment>();
    let isComplete = true;
    for (const { kind, name, isChanged, revision } of items) {
      if (kind === 'content') {
        reached.add(name);
        if (isChanged) revisions.set(name, revision);
      } else if (isChanged && revision !== null) {
        const saved = await findSegmentRevision(db, environment, name, revision);
        if (saved === null) isComplete = false;
        else segments.set(name, { name, condition: saved.condition, revision });
      }
    }
    return isComplete
      ? { ...ramp, reached, view: { release, revisions, segments } }
      : unknown(reached);
  }
}

/**
 * Times in (from, to] at which layers or ramps of an environment became others, ascending. Publications of contents and segments
 * have records of their own.
 */
export async function listMoments(
  db: Db,
  environment: string,
  fromMs: number,
  toMs: number,
): Promise<number[]> {
  const layers = await listLayerTimes(db, environment, fromMs, toMs);
  const ramps = await listRampTimes(db, environment, fromMs, toMs);
  return [...new Set([...layers, ...ramps])].sort((a, b) => a - b);
}
