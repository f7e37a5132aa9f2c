/** Saves many contents of an environment in few statements: what a sync or an import has decided. */
import type { Insertable } from 'kysely';
import { EventLoopYielder } from '../event-loop-yielder.js';
import type { RevisionLinesTable } from '../tables/contents.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { saveGuards } from './content-guards.js';
import { aboutColumns, type ContentAbout } from './contents.js';
import { recordPublications } from './publications.js';
import { requireFlagWriters } from './revision-flags.js';
import { type LineDraft, lineRows } from './revisions.js';

/** A revision to be added; its texts are in the store. */
export interface NewRevision {
  readonly number: number;
  readonly lines: readonly LineDraft[];
  readonly mapping: string | null;
  readonly flags: readonly string[];
  readonly segments: readonly string[];
  readonly note: string;
  readonly synced: { readonly from: string; readonly revision: number } | null;
}

/** A content as it shall be, and the revisions that are new with it. */
export interface ContentToSave {
  readonly idLower: string;
  readonly id: string;
  readonly about: ContentAbout;
  readonly newest: number;
  readonly live: number | null;
  readonly revisions: readonly NewRevision[];
  /** Delivery must read it again. */
  readonly delivered: boolean;
}

/** Thirteen columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 100;

/** New ones are inserted; what is there (deleted or not) is replaced, its history kept. */
export async function saveContents(
  write: UnitOfWork,
  environment: string,
  contents: readonly ContentToSave[],
): Promise<void> {
  const pace = new EventLoopYielder();
  for (let from = 0; from < contents.length; from += rowsPerInsert) {
    await saveSome(write, environment, contents.slice(from, from + rowsPerInsert));
    await pace.step();
  }
}

async function saveSome(
  write: UnitOfWork,
  environment: string,
  contents: readonly ContentToSave[],
): Promise<void> {
  await upsertContents(write, environment, contents);
  const guarded = contents.map(({ idLower, about: { guards } }) => ({ idLower, guards }));
  await saveGuards(write, environment, guarded);
  const revisions = contents.flatMap(({ idLower, revisions }) =>
    revisions.map((revision) => ({
      key: { environment, idLower, number: revision.number },
      revision,
    })),
  );
  if (revisions.some(({ revision: { flags } }) => flags.length > 0)) {
    await requireFlagWriters(write);
  }
  await insertRows(revisions, (some) =>
    write.db
      .insertInto('revisions')
      .values(
        some.map(({ key, revision: { mapping, flags, note, synced } }) => ({
          ...{ ...key, mapping, flags: JSON.stringify(flags) },
          ...{ author: write.actor.name, note, createdAt: write.at },
          ...{ syncedFrom: synced?.from ?? null, syncedRevision: synced?.revision ?? null },
        })),
      )
      .execute(),
  );
  const lines: Insertable<RevisionLinesTable>[] = [];
  const pace = new EventLoopYielder();
  for (const { key, revision } of revisions) {
    lines.push(...(await lineRows(write.db, key, revision)));
    await pace.step();
  }
  await insertRows(lines, (some) => write.db.insertInto('revisionLines').values(some).execute());
  const segments = revisions.flatMap(({ key, revision }) =>
    revision.segments.map((segment) => ({ ...key, segment })),
  );
  await insertRows(segments, (some) =>
    write.db.insertInto('revisionSegments').values(some).execute(),
  );
  const published = contents.filter(({ delivered }) => delivered);
  // A draft that is new has a record, too: nothing of it is live.
  const drafts = contents.filter(
    ({ delivered, live, revisions }) => !delivered && live === null && revisions[0]?.number === 1,
  );
  await recordPublications(write, environment, [...published, ...drafts]);
  for (const { idLower } of published) write.markChanged('content', environment, idLower);
}

async function upsertContents(
  write: UnitOfWork,
  environment: string,
  contents: readonly ContentToSave[],
): Promise<void> {
  const rows = contents.map(({ idLower, id, about, newest, live }) => ({
    environment,
    idLower,
    id,
    ...aboutColumns(about),
    newest,
    live,
    liveBefore: null,
    createdAt: write.at,
    updatedAt: write.at,
    deletedAt: null,
  }));
  await write.db
    .insertInto('contents')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'idLower'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(replaced.map((column) => [column, ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

/** Of a content that is there already. */
const replaced = [
  ...(['id', 'description', 'tags', 'schema', 'newest'] as const),
  ...(['live', 'liveBefore', 'updatedAt', 'deletedAt'] as const),
];

async function insertRows<Row>(
  rows: readonly Row[],
  insert: (some: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    await insert(rows.slice(from, from + rowsPerInsert));
  }
}
