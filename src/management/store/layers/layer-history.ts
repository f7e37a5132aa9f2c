/** Which layers and holdout an environment had at a moment. */
import { type Layers, noLayers } from '../../../content/layers.js';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { readLayers } from './read-layers.js';

/** Records that are kept of an environment: people change layers a few times a month. */
const recordsMax = 1_000;

/**
 * Records what is in force from this write on. What a server of an older version has changed since the last record is recorded as
 * not known.
 * @param before what was in force until now
 */
export async function recordLayers(
  write: UnitOfWork,
  environment: string,
  before: Layers,
  after: Layers,
): Promise<void> {
  const last = await findRecord(write.db, environment);
  if (last === null) await insert(write, environment, 0, isEmpty(before) ? noLayers : null);
  else if (last.definition !== textOf(before)) await insert(write, environment, last.at + 1, null);
  await insert(write, environment, write.at, after);
  await prune(write, environment);
}

/** @returns null: it is not known what was in force then */
export async function findLayersAt(
  db: Db,
  environment: string,
  atMs: number,
): Promise<Layers | null> {
  const [newest, present] = [await findRecord(db, environment), await readLayers(db, environment)];
  if (newest === null) return isEmpty(present) ? noLayers : null;
  const then = await findRecord(db, environment, atMs);
  if (then === null || then.definition === null) return null;
  // A server of an older version, which keeps no record, has changed them since.
  if (then.at === newest.at && then.definition !== textOf(present)) return null;
  return JSON.parse(then.definition) as Layers;
}

/** Times in (from, to] from which on other layers were in force, ascending. */
export async function listLayerTimes(
  db: Db,
  environment: string,
  fromMs: number,
  toMs: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('layerPublications')
    .select('at')
    .where('environment', '=', environment)
    .where('at', '>', fromMs)
    .where('at', '<=', toMs)
    .orderBy('at')
    .execute();
  return rows.map(({ at }) => at);
}

async function findRecord(
  db: Db,
  environment: string,
  atMs: number = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly at: number; readonly definition: string | null } | null> {
  const row = await db
    .selectFrom('layerPublications')
    .select(['at', 'definition'])
    .where('environment', '=', environment)
    .where('at', '<=', atMs)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

async function insert(
  write: UnitOfWork,
  environment: string,
  at: number,
  layers: Layers | null,
): Promise<void> {
  const definition = layers === null ? null : textOf(layers);
  await write.db
    .insertInto('layerPublications')
    .values({ environment, at, definition })
    .onConflict((conflict) => conflict.columns(['environment', 'at']).doUpdateSet({ definition }))
    .execute();
}

async function prune({ db }: UnitOfWork, environment: string): Promise<void> {
  const oldest = await db
    .selectFrom('layerPublications')
    .select('at')
    .where('environment', '=', environment)
    .orderBy('at', 'desc')
    .offset(recordsMax - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await db
    .deleteFrom('layerPublications')
    .where('environment', '=', environment)
    .where('at', '<', oldest.at)
    .execute();
}

function isEmpty({ layers, holdout }: Layers): boolean {
  return layers.length === 0 && holdout === null;
}

/** Equal for equal definitions; layers are stored by name. */
function textOf({ layers, holdout }: Layers): string {
  return JSON.stringify({ layers, holdout });
}
