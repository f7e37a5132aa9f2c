/** Moves a whole store between a data folder and PostgreSQL, while no server uses either (D48). */

import { haltReleases } from '../releases/halt-releases.js';
import type { Db } from '../store/dialect.js';
import { StoreUnavailable, WriteInDoubt } from '../store/store-errors.js';
import { type Copied, copyStoreRows, MoveRejected } from './copy-store.js';
import { openSource, type StorePlace, shownPlace } from './move-source.js';
import { openTarget } from './move-target.js';
import { reasonOf } from './reach-database.js';

export interface MoveOptions {
  readonly from: StorePlace;
  /** Empty, or not there yet. */
  readonly to: StorePlace;
  /** Also when servers use the database it comes from: what they write from then on is not in the copy. */
  readonly whileServing: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** @param share from 0 to 1 */
  readonly onProgress?: (share: number) => void;
}

const movedReason =
  'The store was moved to another database: go on once its servers serve from it.';

/**
 * All or nothing: whatever ends this early leaves the target empty, and it can be done again. The source stays as it is.
 * @throws MoveRejected, StoreFileUnusable, DataFolderUnusable, SchemaNotUpToDate, SchemaForbidden, StoreTooNew,
 *   DatabaseUnreachable, WriteInDoubt
 */
export async function moveStore(wish: MoveOptions): Promise<Copied> {
  if (wish.from.kind === 'folder' && wish.to.kind === 'folder') {
    throw new MoveRejected(
      'Both are data folders: `loadout backup` and `loadout restore` take a store from one to another.',
    );
  }
  const source = await openSource(wish.from, wish);
  try {
    return await source.read((from) => copyInto(wish, from));
  } finally {
    await source.close();
  }
}

async function copyInto(wish: MoveOptions, from: Db): Promise<Copied> {
  const target = await openTarget(wish.to, wish.now);
  try {
    return await target.fill(async (into) => {
      const copied = await copyStoreRows({
        from,
        into,
        intoKind: wish.to.kind === 'folder' ? 'sqlite' : 'postgres',
        onProgress: wish.onProgress ?? (() => undefined),
      });
      await into((db) => haltReleases(db, wish.now(), movedReason));
      return copied;
    });
  } catch (error) {
    throw rejectionOf(wish, error);
  } finally {
    await target.close();
  }
}

function rejectionOf({ from, to }: MoveOptions, error: unknown): unknown {
  const rejected = `The store in ${shownPlace(from)} is not copied to ${shownPlace(to)}.`;
  if (error instanceof MoveRejected) return new MoveRejected(`${rejected} ${error.message}`, error);
  // Whether it was kept is not known then, and its own words say so.
  if (!(error instanceof StoreUnavailable) || error instanceof WriteInDoubt) return error;
  return new MoveRejected(
    `${rejected} The database was lost in the middle: ${reasonOf(error)}. Do it again when it is back.`,
    error,
  );
}
