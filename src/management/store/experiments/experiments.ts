/** Rows of experiments: records of rules with variants. */
import type { Selectable, Updateable } from 'kysely';
import { contentKey } from '../../../content/content-id.js';
import type {
  ExperimentDecision,
  ExperimentInput,
  ExperimentState,
} from '../../../contract/schemas/experiment.js';
import type { Db } from '../dialect.js';
import type { ExperimentsTable } from '../tables/experiments.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** Times are milliseconds since the epoch. */
export interface ExperimentRecord
  extends Readonly<Omit<ExperimentsTable, 'guardMetrics' | 'decision'>> {
  readonly guardMetrics: readonly string[];
  readonly decision: StoredDecision | null;
}

/** Its release has its state in its own row. */
export type StoredDecision = Omit<ExperimentDecision, 'releaseState'>;

/** Which experiment is meant. */
export type ExperimentId = Pick<ExperimentRecord, 'environment' | 'id'>;

/** What an update may set. The version follows by itself. */
export type ExperimentColumns = Partial<
  Omit<ExperimentRecord, 'environment' | 'id' | 'version' | 'createdAt'>
>;

export async function findExperiment(
  db: Db,
  environment: string,
  id: string,
): Promise<ExperimentRecord | null> {
  const row = await db
    .selectFrom('experiments')
    .selectAll()
    .where((where) => where.and({ environment, id }))
    .executeTakeFirst();
  return row === undefined ? null : experimentOf(row);
}

/** Newest first. */
export async function listExperiments(
  db: Db,
  environment: string,
  state?: ExperimentState,
): Promise<ExperimentRecord[]> {
  let query = db.selectFrom('experiments').selectAll().where('environment', '=', environment);
  if (state !== undefined) query = query.where('state', '=', state);
  const rows = await query.orderBy('createdAt', 'desc').orderBy('id').execute();
  return rows.map(experimentOf);
}

/** By id. */
export async function listRunning(db: Db, environment: string): Promise<ExperimentRecord[]> {
  const rows = await db
    .selectFrom('experiments')
    .selectAll()
    .where((where) => where.and({ environment, state: 'running' }))
    .orderBy('id')
    .execute();
  return rows.map(experimentOf);
}

/** Of all environments, by environment and id. */
export async function listAllRunning(db: Db): Promise<ExperimentRecord[]> {
  const rows = await db
    .selectFrom('experiments')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('environment')
    .orderBy('id')
    .execute();
  return rows.map(experimentOf);
}

export async function countExperiments(
  db: Db,
  environment: string,
  state?: ExperimentState,
): Promise<number> {
  let query = db
    .selectFrom('experiments')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('environment', '=', environment);
  if (state !== undefined) query = query.where('state', '=', state);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** A draft. The environment is held, so that no other write takes the id. */
export async function insertExperiment(
  write: UnitOfWork,
  environment: string,
  { id, name = id, content, guardMetrics, ...plan }: ExperimentInput,
): Promise<ExperimentRecord> {
  const row: Selectable<ExperimentsTable> = {
    ...{ ...plan, environment, id, name, content, contentLower: contentKey(content) },
    ...{ guardMetrics: JSON.stringify(guardMetrics), state: 'draft', createdAt: write.at },
    ...{ startedAt: null, stoppedAt: null, decidedAt: null, decision: null, version: 1 },
  };
  await write.db.insertInto('experiments').values(row).execute();
  return experimentOf(row);
}

/** The environment is held, so that no other write came in between. */
export async function updateExperiment(
  write: UnitOfWork,
  seen: ExperimentRecord,
  { guardMetrics, decision, ...columns }: ExperimentColumns,
): Promise<ExperimentRecord> {
  const set: Updateable<ExperimentsTable> = {
    ...{ ...columns, version: seen.version + 1 },
    ...(guardMetrics === undefined ? {} : { guardMetrics: JSON.stringify(guardMetrics) }),
    ...(decision === undefined ? {} : { decision: decision && JSON.stringify(decision) }),
  };
  const row = await write.db
    .updateTable('experiments')
    .set(set)
    .where('environment', '=', seen.environment)
    .where('id', '=', seen.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return experimentOf(row);
}

/** With its phases, its log and its counts. */
export async function deleteExperiment(
  write: UnitOfWork,
  { environment, id }: ExperimentId,
): Promise<void> {
  await write.db
    .deleteFrom('experiments')
    .where((where) => where.and({ environment, id }))
    .execute();
}

function experimentOf(row: Selectable<ExperimentsTable>): ExperimentRecord {
  return {
    ...row,
    guardMetrics: JSON.parse(row.guardMetrics) as string[],
    decision: row.decision === null ? null : (JSON.parse(row.decision) as StoredDecision),
  };
}
