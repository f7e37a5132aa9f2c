/** Parts of the counts of assigned users: bytes of sketches, whose union counts (D95). */
import type { Selectable } from 'kysely';
import type { Db } from '../dialect.js';
import type { AssignedCountsTable } from '../tables/experiments.js';
import type { UnitOfWork } from '../unit-of-work.js';

export type AssignedPart = Readonly<Selectable<AssignedCountsTable>>;

/** A phase of an experiment. */
export type PhaseId = Pick<AssignedPart, 'environment' | 'experiment' | 'phase'>;

export interface AssignedDay extends PhaseId {
  /** YYYY-MM-DD; '' for all days that are over. */
  readonly day: string;
}

/** What one server has counted of a day. */
export interface NodeDay extends AssignedDay {
  /** '' for all servers. */
  readonly node: string;
}

/** `process` and `number` of a part that others were folded into; the second where its sample is elsewhere. */
const folded = { process: '', number: 0 };
const foldedAway = { process: '', number: -1 };

const phaseOf = ({ environment, experiment, phase }: PhaseId): PhaseId => ({
  ...{ environment, experiment, phase },
});

/** Writes parts, each once; those of an experiment that is gone are left out. */
export async function insertAssignedParts(
  { db }: UnitOfWork,
  parts: readonly AssignedPart[],
): Promise<void> {
  for (const part of parts) {
    const experiment = await db
      .selectFrom('experiments')
      .select('id')
      .where((where) => where.and({ environment: part.environment, id: part.experiment }))
      .executeTakeFirst();
    if (experiment === undefined) continue;
    await db
      .insertInto('assignedCounts')
      .values(part)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Days that have more than one part of a server, or whose sample is to join that of the days before, the first of them. */
export async function listDaysToFold(
  db: Db,
  overBefore: string,
  limit: number,
): Promise<NodeDay[]> {
  return db
    .selectFrom('assignedCounts')
    .select(['environment', 'experiment', 'phase', 'day', 'node'])
    .groupBy(['environment', 'experiment', 'phase', 'day', 'node'])
    .having(({ fn, eb, or, and }) =>
      or([
        eb(fn.countAll(), '>', 1),
        and([
          eb('day', '<', overBefore),
          eb('day', '!=', ''),
          eb(fn.max('number'), '!=', foldedAway.number),
        ]),
      ]),
    )
    .orderBy('environment')
    .orderBy('experiment')
    .orderBy('phase')
    .orderBy('day')
    .orderBy('node')
    .limit(limit)
    .execute();
}

/** The parts of a day. */
export async function listDayParts(
  db: Db,
  { day, ...phase }: AssignedDay,
): Promise<AssignedPart[]> {
  return db
    .selectFrom('assignedCounts')
    .selectAll()
    .where((where) => where.and({ ...phaseOf(phase), day }))
    .execute();
}

/** The first parts of one server's day. */
export async function findNodeParts(
  db: Db,
  { day, node, ...phase }: NodeDay,
  limit: number,
): Promise<AssignedPart[]> {
  return db
    .selectFrom('assignedCounts')
    .selectAll()
    .where((where) => where.and({ ...phaseOf(phase), day, node }))
    .orderBy('process')
    .orderBy('number')
    .limit(limit)
    .execute();
}

/**
 * Puts one part in the place of others of the same server's day.
 * @param hasSample false: the sample is elsewhere
 */
export async function replaceParts(
  { db }: UnitOfWork,
  { day, node, ...phase }: NodeDay,
  parts: readonly AssignedPart[],
  users: Uint8Array,
  hasSample: boolean,
): Promise<void> {
  for (const { process, number } of parts) {
    await db
      .deleteFrom('assignedCounts')
      .where((where) => where.and({ ...phaseOf(phase), day, node, process, number }))
      .execute();
  }
  await db
    .insertInto('assignedCounts')
    .values({ ...phaseOf(phase), day, node, ...(hasSample ? folded : foldedAway), users })
    .execute();
}

/** Days of a phase that have parts, in order; '' comes first. */
export async function listAssignedDays(db: Db, phase: PhaseId): Promise<string[]> {
  const rows = await db
    .selectFrom('assignedCounts')
    .select('day')
    .distinct()
    .where((where) => where.and({ ...phaseOf(phase) }))
    .orderBy('day')
    .execute();
  return rows.map(({ day }) => day);
}
