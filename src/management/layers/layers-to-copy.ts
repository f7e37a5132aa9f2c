/**
 * The layers and the holdout that a sync or an import brings (D94). What the target has of a name stays: its salt decides who is in
 * its experiments. Only what it lacks is added.
 */
import type { Layers } from '../../content/layers.js';
import { Problem, type ValidationIssue } from '../../contract/problems.js';
import { formatNames } from '../format-names.js';
import type { Db } from '../store/dialect.js';
import { readLayers } from '../store/layers/read-layers.js';
import { type PlannedLayers, planLayers, rejectLayers } from './plan-layers.js';

export interface LayerCopy {
  /** Null: what the target has stays. */
  readonly planned: PlannedLayers | null;
  /** What it will have. */
  readonly after: Layers;
  /** Names of layers that are added. */
  readonly added: readonly string[];
  /** What differs in the target, and stays. */
  readonly warnings: readonly ValidationIssue[];
}

/** @param wanted what the contents that come along use, or the file names */
export async function planLayerCopy(
  db: Db,
  environment: string,
  wanted: Layers,
): Promise<LayerCopy | Problem> {
  const before = await readLayers(db, environment);
  const salts = new Map(before.layers.map(({ name, salt }) => [name, salt]));
  const missing = wanted.layers.filter(({ name }) => !salts.has(name));
  const other = wanted.layers.filter(({ name, salt }) => (salts.get(name) ?? salt) !== salt);
  const after = {
    layers: [...before.layers, ...missing],
    holdout: before.holdout ?? wanted.holdout,
  };
  const isSame = missing.length === 0 && after.holdout === before.holdout;
  const planned = isSame ? null : await planLayers(db, environment, after);
  if (planned instanceof Problem) return planned;
  const warnings = [
    ...layersKept(
      environment,
      other.map(({ name }) => name),
    ),
    ...holdoutKept(environment, before, wanted),
  ];
  return { planned, after, added: missing.map(({ name }) => name), warnings };
}

/**
 * Why what is added may not reach players; null: it may. A layer that no rule uses reaches none, but a holdout may.
 * @param instead how it becomes a release, see `rejectPublish`
 */
export async function rejectLayerCopy(
  db: Db,
  environment: string,
  { planned }: LayerCopy,
  instead: string,
): Promise<Problem | null> {
  if (planned === null || planned.isAddition) return null;
  return rejectLayers(db, environment, planned, instead);
}

function layersKept(environment: string, names: readonly string[]): ValidationIssue[] {
  if (names.length === 0) return [];
  const message = `"${environment}" assigns players to other buckets of ${formatNames(names)}: its own salts stay`;
  return [{ path: 'layers', message }];
}

function holdoutKept(environment: string, before: Layers, wanted: Layers): ValidationIssue[] {
  if (before.holdout === null || wanted.holdout === null) return [];
  if (JSON.stringify(before.holdout) === JSON.stringify(wanted.holdout)) return [];
  return [{ path: 'holdout', message: `"${environment}" has a holdout of its own, which stays` }];
}
