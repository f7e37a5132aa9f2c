/** Rows of what happened to an experiment, for people. */
import type { Selectable } from 'kysely';
import { experimentLogMax } from '../../../contract/limits.js';
import type { Db } from '../dialect.js';
import type { ExperimentLogTable } from '../tables/experiments.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ExperimentId } from './experiments.js';

export type LogLine = Readonly<Selectable<ExperimentLogTable>>;

/** Oldest first. */
export async function listLog(
  db: Db,
  { environment, id: experiment }: ExperimentId,
): Promise<LogLine[]> {
  return db
    .selectFrom('experimentLog')
    .selectAll()
    .where((where) => where.and({ environment, experiment }))
    .orderBy('position')
    .execute();
}

export async function countLog(
  db: Db,
  { environment, id: experiment }: ExperimentId,
): Promise<number> {
  const { count } = await db
    .selectFrom('experimentLog')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where((where) => where.and({ environment, experiment }))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * A log that is full loses its oldest line but the first, which says how the experiment came to be: what a publish does to an
 * experiment is always kept.
 * @param text a sentence
 */
export async function addToLog(
  write: UnitOfWork,
  { environment, id: experiment }: ExperimentId,
  text: string,
): Promise<void> {
  const position = await nextPosition(write.db, { environment, id: experiment });
  await write.db
    .insertInto('experimentLog')
    .values({ environment, experiment, position, at: write.at, userName: write.actor.name, text })
    .execute();
  if (position < experimentLogMax) return;
  await write.db
    .deleteFrom('experimentLog')
    .where((where) => where.and({ environment, experiment }))
    .where('position', '>', 0)
    .where('position', '<=', position - experimentLogMax + 1)
    .execute();
}

async function nextPosition(
  db: Db,
  { environment, id: experiment }: ExperimentId,
): Promise<number> {
  const { last } = await db
    .selectFrom('experimentLog')
    .select((select) => select.fn.max('position').as('last'))
    .where((where) => where.and({ environment, experiment }))
    .executeTakeFirstOrThrow();
  return last === null ? 0 : last + 1;
}
