/**
 * Schema step 13: the layers and the holdout that environments had, and what past ramps delivered, so that it can be said what a
 * player was given at a moment. It only adds, so older servers go on writing; what they write is noticed when it is read.
 */
import { type SchemaModule, sql } from 'kysely';
import type { Db, StoreDialect } from '../dialect.js';

export async function pastStatesSchema(
  schema: SchemaModule,
  _bytesType: StoreDialect['bytesType'],
  db: Db,
  now: number,
): Promise<void> {
  await schema
    .createTable('layer_publications')
    .addColumn('environment', 'text', (column) =>
      column.notNull().references('environments.id').onDelete('cascade'),
    )
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('definition', 'text')
    .addPrimaryKeyConstraint('layer_publications_key', ['environment', 'at'])
    .execute();
  await schema
    .createTable('ramp_items')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('release', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('changes', 'integer', (column) => column.notNull())
    .addColumn('revision', 'integer')
    .addPrimaryKeyConstraint('ramp_items_key', [
      ...['environment', 'release', 'started_at', 'kind', 'name'],
    ] as ['environment'])
    .addForeignKeyConstraint(
      'ramp_items_release',
      ['environment', 'release'],
      'releases',
      ['environment', 'release'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  // What is in force is known from now on; an environment without a row never had layers.
  await sql`
    insert into layer_publications
    select environment, cast(${now} as bigint),
      '{"layers":' || layers || ',"holdout":' || coalesce(holdout, 'null') || '}'
    from environment_layers`.execute(db);
  await sql`
    insert into ramp_items
    select reach.environment, reach.release,
      (select max(at) from release_timeline as started
        where started.environment = reach.environment and started.release = reach.release and started.event = 'release.start'),
      reach.kind, reach.name, case when changes.name is null then 0 else 1 end, changes.revision
    from release_reach as reach
    left join release_changes as changes on changes.environment = reach.environment and changes.release = reach.release
      and changes.kind = reach.kind and changes.name = reach.name
    where exists (select 1 from release_timeline as started
      where started.environment = reach.environment and started.release = reach.release and started.event = 'release.start')`.execute(
    db,
  );
}
