/** Frequent values of attributes that requests have carried, by environment (D111). No part of history: no audit row, no sequence. */
import type { SeenValues } from '../../published/traffic.js';
import {
  seenAttributesKeptMs,
  seenAttributesMax,
  seenValuesHalfMs,
  seenValuesMax,
} from '../limits/evaluation.js';
import type { Db } from '../store/dialect.js';
import { readTrafficKept } from '../store/traffic-policies.js';
import type { UnitOfWork } from '../store/unit-of-work.js';

/** JSON texts of values with the part of the requests with the attribute that carried each, the most frequent first. */
export type FrequentValues = readonly (readonly [json: string, share: number])[];

/** As the `counts` column has them. */
type Counts = readonly (readonly [json: string, count: number])[];

/** Those that are kept at that time, by name of the attribute. */
export async function listSeenValues(
  db: Db,
  environment: string,
  nowMs: number,
): Promise<Map<string, FrequentValues>> {
  const rows = await db
    .selectFrom('seenValues')
    .select(['name', 'looked', 'counts'])
    .where('environment', '=', environment)
    .where('lastSeen', '>=', nowMs - seenAttributesKeptMs)
    .orderBy('name')
    .limit(seenAttributesMax)
    .execute();
  return new Map(
    rows.map(({ name, looked, counts }) => [
      name,
      parseCounts(counts).map(([json, count]) => [json, Math.min(1, count / looked)] as const),
    ]),
  );
}

/**
 * Adds what was counted to what is there, which counts for half after a fortnight: a season's values give way to the next's.
 * Nothing is written where the environment is gone, or keeps names alone.
 */
export async function writeSeenValues(
  { db }: UnitOfWork,
  environment: string,
  seen: Iterable<SeenValues>,
  dayMs: number,
): Promise<void> {
  const exists = await db
    .selectFrom('environments')
    .select('id')
    .where('id', '=', environment)
    .executeTakeFirst();
  if (exists === undefined || (await readTrafficKept(db, environment)) === 'names') return;
  const rows = await db
    .selectFrom('seenValues')
    .select(['name', 'looked', 'counts', 'lastSeen'])
    .where('environment', '=', environment)
    .execute();
  const known = new Map(rows.map((row) => [row.name, row]));
  for (const { name, looked, values } of seen) {
    const before = known.get(name);
    if (before === undefined && known.size >= seenAttributesMax) continue;
    const fades = before === undefined ? 0 : faded(before.lastSeen, dayMs);
    const merged = {
      looked: Math.round((before?.looked ?? 0) * fades) + looked,
      counts: JSON.stringify(mergeCounts(parseCounts(before?.counts ?? '[]'), fades, values)),
      lastSeen: Math.max(before?.lastSeen ?? 0, dayMs),
    };
    await db
      .insertInto('seenValues')
      .values({ environment, name, ...merged })
      .onConflict((conflict) => conflict.columns(['environment', 'name']).doUpdateSet(merged))
      .execute();
    known.set(name, { name, ...merged });
  }
}

/** Removes those of attributes that no request has carried for too long. */
export async function forgetSeenValues({ db }: UnitOfWork, beforeMs: number): Promise<void> {
  await db.deleteFrom('seenValues').where('lastSeen', '<', beforeMs).execute();
}

function parseCounts(json: string): Counts {
  return JSON.parse(json) as Counts;
}

/** What a count of that day is worth today. */
function faded(thenMs: number, nowMs: number): number {
  return 0.5 ** (Math.max(0, nowMs - thenMs) / seenValuesHalfMs);
}

function mergeCounts(before: Counts, fades: number, added: Counts): Counts {
  const counts = new Map(before.map(([json, count]) => [json, count * fades]));
  for (const [json, count] of added) counts.set(json, (counts.get(json) ?? 0) + count);
  return [...counts]
    .map(([json, count]) => [json, Math.round(count)] as const)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, seenValuesMax);
}
