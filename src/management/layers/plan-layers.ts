/** Decides what becomes of the layers and the holdout of an environment: what an edit names, completed and checked. */
import { randomBytes } from 'node:crypto';
import { changeOfLayers, type Layers, type LayersChange } from '../../content/layers.js';
import { Problem } from '../../contract/problems.js';
import type { LayersInput } from '../../contract/schemas/experiments/layers.js';
import { formatNames } from '../format-names.js';
import { rejectPublish, rejectRamping } from '../gate/gate.js';
import { bodyIssue } from '../http/problem.js';
import type { Db } from '../store/dialect.js';
import { readSettings } from '../store/environment-settings.js';
import { affectedBy, type LayerUser, listLayerUsers } from '../store/layers/layer-users.js';
import { readLayers } from '../store/layers/read-layers.js';

/** What is left out stays. */
export interface LayersEdit {
  readonly layers?: Layers['layers'] | undefined;
  readonly holdout?: Layers['holdout'] | undefined;
}

/** An edit that can be carried out. */
export interface PlannedLayers {
  readonly before: Layers;
  readonly after: Layers;
  readonly change: LayersChange;
  /** Contents whose rules use what differs. */
  readonly affected: readonly LayerUser[];
  /** It only adds layers, which no rule can use yet. */
  readonly isAddition: boolean;
}

const saltBytes = 10;

/** Salts that are left out are those that are there, or random ones. */
export function completeLayers(before: Layers, { layers, holdout }: LayersInput): Layers {
  const salts = new Map(before.layers.map(({ name, salt }) => [name, salt]));
  const random = (): string => randomBytes(saltBytes).toString('hex');
  return {
    layers: layers.map(({ name, salt }) => ({ name, salt: salt ?? salts.get(name) ?? random() })),
    holdout:
      holdout === null
        ? null
        : { salt: holdout.salt ?? before.holdout?.salt ?? random(), groups: holdout.groups },
  };
}

/**
 * Why the definitions cannot be these, or what they do. Whether it may reach players is another question: the gate's.
 */
export async function planLayers(
  db: Db,
  environment: string,
  edit: LayersEdit,
): Promise<PlannedLayers | Problem> {
  const before = await readLayers(db, environment);
  const after = editedLayers(before, edit);
  const issue = rejectSameSalts(after);
  if (issue !== null) return issue;
  const change = changeOfLayers(before, after);
  const differs = change.layers.size > 0 || change.holdout;
  const affected = differs ? affectedBy(await listLayerUsers(db, environment), change) : [];
  const rejected =
    rejectRemoved(environment, after, affected) ?? (await rejectRunning(db, environment, affected));
  const names = new Set(before.layers.map(({ name }) => name));
  const isAddition = !change.holdout && ![...change.layers].some((name) => names.has(name));
  return rejected ?? { before, after, change, affected, isAddition };
}

export function editedLayers(before: Layers, { layers, holdout }: LayersEdit): Layers {
  return {
    layers: layers ?? before.layers,
    holdout: holdout === undefined ? before.holdout : holdout,
  };
}

/** Equal salts assign equal buckets: slices of two layers would be of the same players. */
function rejectSameSalts({ layers, holdout }: Layers): Problem | null {
  const owners = new Map<string, string>();
  const named = layers.map(({ name, salt }, at) => [`layers[${at}].salt`, `"${name}"`, salt]);
  if (holdout !== null) named.push(['holdout.salt', 'the holdout', holdout.salt]);
  for (const [path = '', owner = '', salt = ''] of named) {
    const other = owners.get(salt);
    if (other !== undefined) return bodyIssue(path, `is the salt of ${other}, too`);
    owners.set(salt, owner);
  }
  return null;
}

function rejectRemoved(
  environment: string,
  { layers }: Layers,
  affected: readonly LayerUser[],
): Problem | null {
  const names = new Set(layers.map(({ name }) => name));
  for (const { id, uses } of affected) {
    const gone = uses.find(({ layer }) => layer !== null && !names.has(layer));
    if (gone === undefined) continue;
    const detail = `Rule ${gone.rule} ("${gone.segment}") of "${id}" uses the layer "${gone.layer}" of "${environment}": give it another one first.`;
    return new Problem('layer_in_use', detail);
  }
  return null;
}

/** Who is in a running experiment does not change by the way. */
async function rejectRunning(
  db: Db,
  environment: string,
  affected: readonly LayerUser[],
): Promise<Problem | null> {
  const { experiments } = await readSettings(db, environment);
  const running = experiments.filter(({ content, segment }) =>
    affected.some(
      ({ idLower, live, number, uses }) =>
        idLower === content && live === number && uses.some((use) => use.segment === segment),
    ),
  );
  if (running.length === 0) return null;
  const detail = `What would change assigns the users of running experiments: ${formatNames(running.map(({ id }) => id))}. Stop them first.`;
  return new Problem('experiment_running', detail);
}

/**
 * Why what is planned may not reach players; null: it may. What a ramp delivers may depend on it, too, so nothing but an addition
 * is made while one goes on.
 * @param instead how it becomes a release, see `rejectPublish`
 */
export async function rejectLayers(
  db: Db,
  environment: string,
  { affected, isAddition }: PlannedLayers,
  instead: string,
): Promise<Problem | null> {
  const contents = affected.map(({ idLower }) => idLower);
  const gated = await rejectPublish(db, environment, { contents }, instead);
  return gated ?? (isAddition ? null : rejectRamping(db, environment));
}
