/** Writes when keys, tokens and sessions were used last. No part of history: no audit row, no sequence. */
import { type RawBuilder, sql } from 'kysely';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** By the SHA-256 of a key, the id of a token or a session: milliseconds since the epoch. */
export type Uses = readonly (readonly [name: string, atMs: number])[];

/**
 * One statement for each kind: while it runs no server of a fleet can write. Processes and servers report one after the
 * other: an older report does not replace a newer one.
 */
export async function writeLastUsed(
  { db }: UnitOfWork,
  keys: Uses,
  tokens: Uses,
  sessions: Uses,
): Promise<void> {
  if (keys.length > 0) {
    await sql`
      with used (name, at) as (${valuesOf(keys)})
      update api_keys set last_used_at = used.at from used
      where hash = used.name and (last_used_at is null or last_used_at < used.at)`.execute(db);
  }
  if (tokens.length > 0) {
    await sql`
      with used (name, at) as (${valuesOf(tokens)})
      update tokens set last_used_at = used.at from used
      where id = used.name and (last_used_at is null or last_used_at < used.at)`.execute(db);
  }
  if (sessions.length > 0) {
    await sql`
      with used (name, at) as (${valuesOf(sessions)})
      update sessions set used_at = used.at from used
      where id = used.name and used_at < used.at`.execute(db);
  }
}

/** With its types, which PostgreSQL does not guess here. */
function valuesOf(uses: Uses): RawBuilder<unknown> {
  const rows = uses.map(([name, atMs]) => sql`(cast(${name} as text), cast(${atMs} as bigint))`);
  return sql`values ${sql.join(rows)}`;
}
