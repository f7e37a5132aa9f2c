/** Names of attributes that requests have carried, by environment. No part of history: no audit row, no sequence. */
import { sql } from 'kysely';
import { seenAttributesKeptMs, seenAttributesMax } from '../limits/evaluation.js';
import type { Db } from '../store/dialect.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** Names by the beginning of the day (UTC) on which a request carried them last, milliseconds since the epoch. */
export type SeenNames = ReadonlyMap<string, number>;

/** Those that are kept at that time, by name; at most `seenAttributesMax`. */
export async function listSeenAttributes(
  db: Db,
  environment: string,
  nowMs: number,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('seenAttributes')
    .select(['name', 'lastSeen'])
    .where('environment', '=', environment)
    .where('lastSeen', '>=', nowMs - seenAttributesKeptMs)
    .orderBy('name')
    .limit(seenAttributesMax)
    .execute();
  return new Map(rows.map(({ name, lastSeen }) => [name, lastSeen]));
}

/**
 * Writes what was seen. Servers report one after the other: an older report does not take a newer one back. Of more names
 * than an environment may have, those that were seen last stay. An environment that is gone is no error.
 */
export async function writeSeenAttributes(
  { db }: UnitOfWork,
  environment: string,
  names: SeenNames,
): Promise<void> {
  const rows = [...names].map(([name, at]) => sql`(cast(${name} as text), cast(${at} as bigint))`);
  if (rows.length === 0) return;
  await sql`
    with seen (name, at) as (values ${sql.join(rows)})
    insert into seen_attributes (environment, name, last_seen)
    select environments.id, seen.name, seen.at from seen, environments where environments.id = ${environment}
    on conflict (environment, name) do update set last_seen = excluded.last_seen
      where seen_attributes.last_seen < excluded.last_seen`.execute(db);
  await sql`
    delete from seen_attributes where environment = ${environment} and name in (
      select name from seen_attributes where environment = ${environment}
      order by last_seen desc, name limit 1000000 offset ${seenAttributesMax})`.execute(db);
}

/** Those that no request has carried for too long, of all environments, the first of them. */
export async function listForgottenAttributes(
  db: Db,
  beforeMs: number,
  limit: number,
): Promise<{ readonly environment: string; readonly name: string }[]> {
  return db
    .selectFrom('seenAttributes')
    .select(['environment', 'name'])
    .where('lastSeen', '<', beforeMs)
    .orderBy('environment')
    .orderBy('name')
    .limit(limit)
    .execute();
}

/** Removes those of the names that are still as old: a request may have carried one meanwhile. */
export async function forgetAttributes(
  { db }: UnitOfWork,
  environment: string,
  names: readonly string[],
  beforeMs: number,
): Promise<void> {
  await db
    .deleteFrom('seenAttributes')
    .where('environment', '=', environment)
    .where('name', 'in', names)
    .where('lastSeen', '<', beforeMs)
    .execute();
}
