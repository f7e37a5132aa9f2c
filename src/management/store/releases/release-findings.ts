/** Rows of what the last check of a release has found, and what was confirmed. An edit of the release removes it. */
import type { Finding } from '../../../contract/schemas/guard.js';
import type { Db } from '../dialect.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ReleaseId } from './releases.js';

export interface ReleaseFindings {
  /** The first of them. */
  readonly findings: readonly Finding[];
  readonly total: number;
  /** Digest of the findings that were confirmed; null: none were. */
  readonly confirmed: string | null;
  /** A guard wants the approval of a second person. */
  readonly needsApproval: boolean;
}

/** Null: the release was not checked since its last edit, or nothing was found. */
export async function findReleaseFindings(
  db: Db,
  { environment, release }: ReleaseId,
): Promise<ReleaseFindings | null> {
  const row = await db
    .selectFrom('releaseFindings')
    .select(['findings', 'total', 'confirmed', 'needsApproval'])
    .where((where) => where.and({ environment, release }))
    .executeTakeFirst();
  if (row === undefined) return null;
  const findings = JSON.parse(row.findings) as Finding[];
  return { ...row, findings, needsApproval: row.needsApproval !== 0 };
}

/** @param found null: nothing */
export async function putReleaseFindings(
  write: UnitOfWork,
  { environment, release }: ReleaseId,
  found: ReleaseFindings | null,
): Promise<void> {
  await write.db
    .deleteFrom('releaseFindings')
    .where((where) => where.and({ environment, release }))
    .execute();
  if (found === null) return;
  const { findings, total, confirmed, needsApproval } = found;
  const columns = { findings: JSON.stringify(findings), total, confirmed };
  await write.db
    .insertInto('releaseFindings')
    .values({ environment, release, ...columns, needsApproval: needsApproval ? 1 : 0 })
    .execute();
}
