/** Which contents use a layer or the holdout: found by reading their mappings, since definitions change rarely (D94). */
import { strict as assert } from 'node:assert';
import type { LayersChange } from '../../../content/layers.js';
import { type LayerUse, layerUsesOf, usesChange } from '../../../content/mapping/layer-uses.js';
import { deliveredJson } from '../contents/delivered-json.js';
import {
  type KnownRules,
  type MappedRevision,
  mappedRevisions,
  refreshAndMark,
} from '../contents/state-hashes.js';
import { readTexts } from '../contents/texts.js';
import type { Db } from '../dialect.js';
import { EventLoopYielder } from '../event-loop-yielder.js';
import type { UnitOfWork } from '../unit-of-work.js';

export interface LayerUser extends MappedRevision {
  /** Id of the content, in the spelling it was created with. */
  readonly id: string;
  readonly uses: readonly LayerUse[];
}

/** Live and newest revisions with rules that use a layer or the holdout, by content. */
export async function listLayerUsers(db: Db, environment: string): Promise<LayerUser[]> {
  const rows = await mappedRevisions(db)
    .select(['contents.id', 'revisions.mapping'])
    .where('contents.environment', '=', environment)
    .execute();
  const digests = new Set(rows.map(({ mapping }) => mapping ?? ''));
  const known = await usesOfMappings(db, digests);
  return rows.flatMap(({ mapping, ...revision }) => {
    const uses = known.get(mapping ?? '') ?? [];
    return uses.length === 0 ? [] : [{ ...revision, uses }];
  });
}

/**
 * What mappings were found to use, by digest: a text never changes under its digest, and one change of the layers asks several
 * times. Most use none; those that use very much are read again, so that this stays below some 60 MB.
 */
const knownUses = new Map<string, readonly LayerUse[]>();
const knownUsesMax = 20_000;
const usesKeptMax = 20;

async function usesOfMappings(
  db: Db,
  digests: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly LayerUse[]>> {
  const found = new Map<string, readonly LayerUse[]>();
  for (const digest of digests) {
    const uses = knownUses.get(digest);
    if (uses !== undefined) found.set(digest, uses);
  }
  const pace = new EventLoopYielder();
  const unknown = [...digests].filter((digest) => !found.has(digest));
  for await (const [digest, bytes] of readTexts(db, unknown)) {
    const uses = layerUsesOf(deliveredJson(bytes));
    found.set(digest, uses);
    if (knownUses.size >= knownUsesMax) knownUses.clear();
    if (uses.length <= usesKeptMax) knownUses.set(digest, uses);
    await pace.step();
  }
  assert(found.size === digests.size, 'revisions are saved with their texts');
  return found;
}

/** Of the rules, those that are behind a definition that differs. */
export function affectedBy(users: readonly LayerUser[], change: LayersChange): LayerUser[] {
  return users
    .map(({ uses, ...user }) => ({ ...user, uses: uses.filter((use) => usesChange(use, change)) }))
    .filter(({ uses }) => uses.length > 0);
}

/**
 * Gives contents whose rules use what differs their new hashes, under the number of the change itself: a server that serves the
 * one serves the other.
 */
export async function refreshUsesOfLayers(
  write: UnitOfWork,
  environment: string,
  change: LayersChange,
): Promise<void> {
  const known: KnownRules = new Map();
  for (const user of affectedBy(await listLayerUsers(write.db, environment), change)) {
    await refreshAndMark(write, user, known);
  }
}
