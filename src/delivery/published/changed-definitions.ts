/** What the contents of an environment share, as a change leaves it: saved segments, layers and the holdout, running experiments. */
import { contentKey } from '../../content/content-id.js';
import { changeOfLayers, type LayersChange } from '../../content/layers.js';
import type { EnvironmentSettings } from '../../published/environment-settings.js';
import type { PublishedDelta } from '../../published/reader.js';
import type { ServedContent } from '../render/served-content.js';
import { type SavedSegments, ServedSegment } from '../render/served-segment.js';
import { experimentsChanges } from './experiments-changes.js';
import type { ServedEnvironment } from './published-index.js';

type FindEnvironment = (id: string) => ServedEnvironment | undefined;

/** Beside what is served, until it is taken over. */
export class ChangedDefinitions {
  readonly #settings: ReadonlyMap<string, EnvironmentSettings>;
  /** Null: the segment is gone. */
  readonly #segments: ReadonlyMap<ServedEnvironment, ReadonlyMap<string, ServedSegment | null>>;
  readonly #layers: ReadonlyMap<ServedEnvironment, LayersChange>;
  readonly #experiments: ReadonlyMap<ServedEnvironment, ReadonlySet<string>>;

  constructor(delta: PublishedDelta, find: FindEnvironment) {
    this.#settings = delta.settings;
    this.#segments = changedSegments(delta, find);
    this.#layers = changedLayers(delta, find);
    this.#experiments = experimentsChanges(delta, find);
  }

  /** Those in which anything differs. */
  get environments(): Iterable<ServedEnvironment> {
    const maps = [this.#segments, this.#layers, this.#experiments];
    return new Set(maps.flatMap((map) => [...map.keys()]));
  }

  isUsedBy(environment: ServedEnvironment, content: ServedContent): boolean {
    const names = [...(this.#segments.get(environment)?.keys() ?? [])];
    if (names.some((name) => content.usesSegment(name))) return true;
    if (this.#experiments.get(environment)?.has(contentKey(content.id))) return true;
    const layers = this.#layers.get(environment);
    return layers !== undefined && content.usesChange(layers);
  }

  settingsOf(environment: ServedEnvironment): EnvironmentSettings {
    return this.#settings.get(environment.id) ?? environment.settings;
  }

  segmentsOf(environment: ServedEnvironment): SavedSegments {
    const changed = this.#segments.get(environment);
    return (name) =>
      changed?.has(name) ? (changed.get(name) ?? undefined) : environment.segments.get(name);
  }

  takeOverSegments(): void {
    for (const [environment, changed] of this.#segments) {
      for (const [name, segment] of changed) {
        if (segment === null) environment.segments.delete(name);
        else environment.segments.set(name, segment);
      }
    }
  }
}

/** One that is what it was is left out. */
function changedSegments(
  delta: PublishedDelta,
  find: FindEnvironment,
): Map<ServedEnvironment, Map<string, ServedSegment | null>> {
  const changes = new Map<ServedEnvironment, Map<string, ServedSegment | null>>();
  for (const [id, name, row] of delta.segments) {
    const environment = find(id);
    if (environment === undefined) continue;
    if (row !== null && environment.segments.get(name)?.isOf(row)) continue;
    const changed = changes.get(environment) ?? new Map<string, ServedSegment | null>();
    changes.set(environment, changed.set(name, row === null ? null : new ServedSegment(row)));
  }
  return changes;
}

/** Of environments whose layers or holdout differ from what is served. */
function changedLayers(
  delta: PublishedDelta,
  find: FindEnvironment,
): ReadonlyMap<ServedEnvironment, LayersChange> {
  const changes = new Map<ServedEnvironment, LayersChange>();
  for (const [id, settings] of delta.settings) {
    const environment = find(id);
    if (environment === undefined) continue;
    const change = changeOfLayers(environment.settings, settings);
    if (change.layers.size > 0 || change.holdout) changes.set(environment, change);
  }
  return changes;
}
