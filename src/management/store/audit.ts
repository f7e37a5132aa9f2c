/** Reads the audit: who did what, when, from where. Its rows are written by `Write.audit`. */
import type { Reading } from './dialect.js';

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
}

/**
 * Newest first.
 * @param filter.before id of the event before which the page begins
 */
export async function listAudit(
  db: Reading,
  filter: {
    readonly environment?: string | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<AuditEvent[]> {
  let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(filter.limit);
  if (filter.environment !== undefined) {
    query = query.where('environment', '=', filter.environment);
  }
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  const rows = await query.execute();
  return rows.map(({ at, details, ...row }) => ({
    ...row,
    atMs: at,
    details: JSON.parse(details) as Record<string, unknown>,
  }));
}
