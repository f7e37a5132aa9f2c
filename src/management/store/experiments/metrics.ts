/** Rows of metrics: what experiments are judged by. */
import type { Selectable } from 'kysely';
import type { MetricInput } from '../../../contract/schemas/metric.js';
import type { Db } from '../dialect.js';
import type { MetricsTable } from '../tables/experiments.js';
import type { UnitOfWork } from '../unit-of-work.js';

/** A definition with everything that it leaves out filled in. */
export interface MetricDefinition extends Omit<MetricInput, 'cap'> {
  readonly cap: {
    /** Events of one user and day that count; null: all of them. */
    readonly perUserDay: number | null;
    /** Quantile; null: totals count as they are. */
    readonly winsorise: number | null;
  };
}

export interface MetricRecord extends MetricDefinition {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly updatedAtMs: number;
}

/** By name. */
export async function listMetrics(db: Db, environment: string): Promise<MetricRecord[]> {
  const rows = await db
    .selectFrom('metrics')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('name')
    .execute();
  return rows.map(metricOf);
}

export async function findMetric(
  db: Db,
  environment: string,
  name: string,
): Promise<MetricRecord | null> {
  const row = await db
    .selectFrom('metrics')
    .selectAll()
    .where((where) => where.and({ environment, name }))
    .executeTakeFirst();
  return row === undefined ? null : metricOf(row);
}

/** Defines a metric, or replaces its definition. */
export async function saveMetric(
  write: UnitOfWork,
  environment: string,
  name: string,
  definition: MetricDefinition,
): Promise<MetricRecord> {
  const columns = { definition: JSON.stringify(definition), updatedAt: write.at };
  await write.db
    .insertInto('metrics')
    .values({ environment, name, ...columns })
    .onConflict((conflict) => conflict.columns(['environment', 'name']).doUpdateSet(columns))
    .execute();
  return { ...definition, name, updatedAtMs: write.at };
}

export async function removeMetric(
  write: UnitOfWork,
  environment: string,
  name: string,
): Promise<void> {
  await write.db
    .deleteFrom('metrics')
    .where((where) => where.and({ environment, name }))
    .execute();
}

function metricOf({ name, definition, updatedAt }: Selectable<MetricsTable>): MetricRecord {
  return { ...(JSON.parse(definition) as MetricDefinition), name, updatedAtMs: updatedAt };
}
