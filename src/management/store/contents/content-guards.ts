/** Rows of guards: what values of a content must be, kept beside its revisions as its JSON Schema is. */
import type { Guard } from '../../../content/guards/guard.js';
import type { Db } from '../dialect.js';
import { requireGuardWriters } from '../require-writers.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { guardsOfContent } from './joins.js';

/** Guards of a content that has none. */
export const noGuards = '[]';

/** @param column JSON text, as it was written */
export function parseGuards(column: string): readonly Guard[] {
  return JSON.parse(column) as Guard[];
}

export interface GuardedContent {
  readonly idLower: string;
  /** JSON array of guards; `noGuards` removes them. */
  readonly guards: string;
}

/**
 * Replaces the guards of contents that are there.
 * @throws UpgradeInProgress while a server lives that knows of no guards
 */
export async function saveGuards(
  write: UnitOfWork,
  environment: string,
  contents: readonly GuardedContent[],
): Promise<void> {
  const removed = contents.filter(({ guards }) => guards === noGuards);
  const kept = contents.filter(({ guards }) => guards !== noGuards);
  if (removed.length > 0) {
    const ids = removed.map(({ idLower }) => idLower);
    await write.db
      .deleteFrom('contentGuards')
      .where('environment', '=', environment)
      .where('idLower', 'in', ids)
      .execute();
  }
  if (kept.length === 0) return;
  await requireGuardWriters(write);
  await write.db
    .insertInto('contentGuards')
    .values(kept.map(({ idLower, guards }) => ({ environment, idLower, guards })))
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'idLower'])
        .doUpdateSet((excluded) => ({ guards: excluded.ref('excluded.guards') })),
    )
    .execute();
}

/** A content that is there, as far as findings ask for it. */
export interface GuardedNow {
  readonly isLive: boolean;
  /** JSON array. */
  readonly guards: string;
}

/** By lower-case id: contents of an environment that are not deleted. */
export async function listGuarded(
  db: Db,
  environment: string,
): Promise<ReadonlyMap<string, GuardedNow>> {
  const rows = await db
    .selectFrom('contents')
    .leftJoin('contentGuards', guardsOfContent)
    .select(['contents.idLower', 'contents.live', 'contentGuards.guards'])
    .where('contents.environment', '=', environment)
    .where('contents.deletedAt', 'is', null)
    .execute();
  return new Map(
    rows.map(({ idLower, live, guards }) => [
      idLower,
      { isLive: live !== null, guards: guards ?? noGuards },
    ]),
  );
}
