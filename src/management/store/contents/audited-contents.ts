/**
 * What syncs and imports did to each content: their one event of the audit is for all of them, and names a limited number.
 * Rows go with their event.
 */
import { type Selectable, sql } from 'kysely';
import { contentKey } from '../../../content/content-id.js';
import { containsText } from '../contains-text.js';
import type { Db } from '../dialect.js';
import { EventLoopYielder } from '../event-loop-yielder.js';
import type { AuditedContentsTable } from '../tables/audit.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** What one event did to one content. */
export interface AuditedContent {
  readonly id: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Numbers of revisions: live before it and after it, and the newest after it. Null: none, or not known. */
  readonly before: number | null;
  readonly after: number | null;
  readonly newest: number | null;
  /** Of a sync: the revision of the source. */
  readonly from: number | null;
}

/** Eight columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 100;

/** Notes what an event did to contents, in the transaction that writes the event. */
export async function noteContents(
  { db }: Pick<UnitOfWork, 'db'>,
  auditId: string,
  contents: readonly AuditedContent[],
): Promise<void> {
  const pace = new EventLoopYielder();
  for (let from = 0; from < contents.length; from += rowsPerInsert) {
    const rows = contents.slice(from, from + rowsPerInsert).map((content) => ({
      ...{ auditId, idLower: contentKey(content.id), id: content.id, change: content.change },
      ...{ liveBefore: content.before, liveAfter: content.after, newest: content.newest },
      fromRevision: content.from,
    }));
    await db
      .insertInto('auditedContents')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await pace.step();
  }
}

/** By id of the event, what those events did to the content that has the name, in whatever case. */
export async function readAuditedContents(
  db: Db,
  auditIds: readonly string[],
  name: string,
): Promise<ReadonlyMap<string, AuditedContent>> {
  if (auditIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('auditedContents')
    .selectAll()
    .where('idLower', '=', contentKey(name))
    .where('auditId', 'in', auditIds)
    .execute();
  return new Map(rows.map((row) => [row.auditId, auditedContentOf(row)]));
}

/** Contents of one event that are looked at for words: as many as a person reads. */
const wordedPerRead = 1_000;

/** By id of the event, what those events did to contents whose ids have one of the words in them, in lower case. */
export async function readAuditedWith(
  db: Db,
  auditIds: readonly string[],
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly AuditedContent[]>> {
  const found = new Map<string, AuditedContent[]>();
  if (auditIds.length === 0) return found;
  const rows = await db
    .selectFrom('auditedContents')
    .selectAll()
    .where('auditId', 'in', auditIds)
    .where((where) => where.or(words.map((word) => containsText(sql.ref('idLower'), word))))
    .orderBy('auditId')
    .orderBy('idLower')
    .limit(wordedPerRead)
    .execute();
  for (const row of rows) {
    const content = auditedContentOf(row);
    const ofEvent = found.get(row.auditId);
    if (ofEvent === undefined) found.set(row.auditId, [content]);
    else ofEvent.push(content);
  }
  return found;
}

/**
 * Removes what these events say of contents.
 * @returns how many rows were removed: `limit`, or less when none is left
 */
export async function deleteAuditedContents(
  db: Db,
  auditIds: readonly string[],
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('auditedContents')
    .select(['auditId', 'idLower'])
    .where('auditId', 'in', auditIds)
    .orderBy('auditId')
    .orderBy('idLower')
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('auditedContents')
    .where(({ eb, refTuple }) =>
      eb(refTuple('auditId', 'idLower'), 'in', some.$asTuple('auditId', 'idLower')),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Events per page of the upgrade: the details of one may name thousands of contents. */
const oldEventsPerPage = 20;

/**
 * Notes the contents that events from before the table name in their details: at most 1,000 of each kind, an import's
 * without revisions. Part of the upgrade; it reads the audit once.
 */
export async function noteOldTransfers(db: Db): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('audit')
      .select(['id', 'details'])
      .where('id', '>', after)
      .where('action', 'in', ['environment.sync', 'environment.import'])
      .orderBy('id')
      .limit(oldEventsPerPage)
      .execute();
    for (const { id, details } of rows) {
      await noteContents({ db }, id, contentsNamed(JSON.parse(details) as OldDetails));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < oldEventsPerPage) return;
    after = last.id;
  }
}

type OldDetails = {
  readonly [Change in AuditedContent['change']]?: {
    readonly contents?: readonly {
      readonly id: string;
      readonly before: number | null;
      readonly from: number;
    }[];
    readonly ids?: readonly string[];
  };
};

function contentsNamed(details: OldDetails): AuditedContent[] {
  const unknown = { before: null, after: null, newest: null, from: null };
  return (['added', 'changed', 'removed'] as const).flatMap((change) => [
    ...(details[change]?.contents ?? []).map((named) => ({ ...unknown, ...named, change })),
    ...(details[change]?.ids ?? []).map((id) => ({ ...unknown, id, change })),
  ]);
}

function auditedContentOf(row: Selectable<AuditedContentsTable>): AuditedContent {
  const { id, change, liveBefore: before, liveAfter: after, newest, fromRevision: from } = row;
  return { id, change, before, after, newest, from };
}
