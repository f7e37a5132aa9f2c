/** Reads the audit (who did what, when, from where), and removes what is too old. `UnitOfWork.audit` writes its rows. */
import type { Selectable } from 'kysely';
import type { ChangedItem } from '../../contract/operations/audit.js';
import { auditedContentsPerRemoval } from '../limits/audit.js';
import { type AuditedContent, deleteAuditedContents } from '../store/contents/audited-contents.js';
import type { Db } from '../store/dialect.js';
import { timePrefix } from '../store/ids.js';
import type { AuditTable } from '../store/tables/audit.js';
import { deleteIndexRows } from './index/rows.js';

export type AuditRow = Selectable<AuditTable>;

export interface AuditEvent {
  readonly id: string;
  readonly atMs: number;
  readonly userId: string;
  readonly userName: string;
  /** `noun.verb`. */
  readonly action: string;
  readonly environment: string;
  readonly name: string;
  /** Network address of the caller; '' for the server itself. */
  readonly address: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What a sync or import did to the content that was asked for by name. */
  readonly content?: AuditedContent;
  /** What it changed in the values of contents. */
  readonly items?: readonly ChangedItem[];
}

/** Id of the newest event; '' without any. */
export async function newestAuditId(db: Db): Promise<string> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? '';
}

/** Whether something was done at or after a time: by the ids, which sort by time. */
export async function didSince(db: Db, action: string, sinceMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .where('id', '>=', timePrefix(sinceMs))
    .where('action', '=', action)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Removes the oldest events of before a time, at most `limit`, with what they and the index of changes say of contents. That may be much: it goes
 * first, in several calls.
 */
export async function deleteAudit(
  db: Db,
  beforeMs: number,
  limit: number,
): Promise<{ readonly removed: number; readonly isMore: boolean }> {
  const oldest = await db
    .selectFrom('audit')
    .select('id')
    .where('id', '<', timePrefix(beforeMs))
    .orderBy('id')
    .limit(limit)
    .execute();
  const ids = oldest.map(({ id }) => id);
  if (ids.length === 0) return { removed: 0, isMore: false };
  const contents = await deleteAuditedContents(db, ids, auditedContentsPerRemoval);
  if (contents === auditedContentsPerRemoval) return { removed: 0, isMore: true };
  const indexed = await deleteIndexRows(db, ids, auditedContentsPerRemoval);
  if (indexed === auditedContentsPerRemoval) return { removed: 0, isMore: true };
  await db.deleteFrom('audit').where('id', 'in', ids).execute();
  return { removed: ids.length, isMore: ids.length === limit };
}

export function eventOf({ at, details, ...row }: AuditRow): AuditEvent {
  return { ...row, atMs: at, details: JSON.parse(details) as Record<string, unknown> };
}
