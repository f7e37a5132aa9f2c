/** Schema step 10: experiments with their phases and logs, metrics, layers and the holdout, counted users, keys for events. */
import type { CreateTableBuilder, SchemaModule } from 'kysely';
import type { StoreDialect } from '../dialect.js';

export async function experimentsSchema(
  schema: SchemaModule,
  bytesType: StoreDialect['bytesType'],
): Promise<void> {
  await experiments(schema);
  await phases(schema);
  await assignedCounts(schema, bytesType);
  await settings(schema);
}

async function experiments(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('experiments')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hypothesis', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('content_lower', 'text', (column) => column.notNull())
    .addColumn('segment', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('control', 'text', (column) => column.notNull())
    .addColumn('primary_metric', 'text')
    .addColumn('guard_metrics', 'text', (column) => column.notNull())
    .addColumn('planned_days', 'integer', (column) => column.notNull())
    .addColumn('smallest_effect', 'double precision', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('stopped_at', 'bigint')
    .addColumn('decided_at', 'bigint')
    .addColumn('decision', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiments_key', ['environment', 'id'])
    .execute();
  await schema
    .createIndex('experiments_by_state')
    .on('experiments')
    .columns(['environment', 'state'])
    .execute();
}

async function phases(schema: SchemaModule): Promise<void> {
  await ofExperiment(schema, 'experiment_phases')
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('rule', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_phases_key', ['environment', 'experiment', 'number'])
    .execute();
  await ofExperiment(schema, 'experiment_log')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('experiment_log_key', ['environment', 'experiment', 'position'])
    .execute();
}

async function assignedCounts(
  schema: SchemaModule,
  bytesType: StoreDialect['bytesType'],
): Promise<void> {
  await ofExperiment(schema, 'assigned_counts')
    .addColumn('phase', 'integer', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('node', 'text', (column) => column.notNull())
    .addColumn('process', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('users', bytesType, (column) => column.notNull())
    .addPrimaryKeyConstraint('assigned_counts_key', [
      ...['environment', 'experiment', 'phase', 'day', 'node', 'process', 'number'],
    ] as ['environment'])
    .execute();
}

async function settings(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('metrics')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('definition', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('metrics_key', ['environment', 'name'])
    .execute();
  await schema
    .createTable('environment_layers')
    .addColumn('environment', 'text', (column) =>
      column.primaryKey().references('environments.id').onDelete('cascade'),
    )
    .addColumn('layers', 'text', (column) => column.notNull())
    .addColumn('holdout', 'text')
    .execute();
  await schema
    .createTable('key_purposes')
    .addColumn('key_id', 'text', (column) =>
      column.primaryKey().references('api_keys.id').onDelete('cascade'),
    )
    .addColumn('purpose', 'text', (column) => column.notNull())
    .execute();
}

/** A table of rows that belong to an experiment and go with it. */
function ofExperiment(
  schema: SchemaModule,
  name: string,
): CreateTableBuilder<string, 'environment' | 'experiment'> {
  return schema
    .createTable(name)
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('experiment', 'text', (column) => column.notNull())
    .addForeignKeyConstraint(
      `${name}_experiment`,
      ['environment', 'experiment'],
      'experiments',
      ['environment', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    ) as CreateTableBuilder<string, 'environment' | 'experiment'>;
}
