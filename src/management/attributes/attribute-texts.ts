/** What names attributes in an environment, beside mappings: saved segments and sample users, told apart by when they were saved. */
import type { Db } from '../store/dialect.js';

export interface NamingRow {
  readonly kind: 'condition' | 'context';
  /** Of the segment, or the sample user. */
  readonly name: string;
  /** Another one of the same name has another. */
  readonly stamp: string;
}

/** Segments and sample users, by name. */
export async function listNamingRows(db: Db, environment: string): Promise<NamingRow[]> {
  const segments = await db
    .selectFrom('segments')
    .select(['name', 'createdAt', 'updatedAt', 'revision'])
    .where('environment', '=', environment)
    .orderBy('name')
    .execute();
  const users = await db
    .selectFrom('sampleUsers')
    .select(['name', 'createdAt', 'updatedAt'])
    .where('environment', '=', environment)
    .orderBy('name')
    .execute();
  return [
    ...segments.map(({ name, createdAt, updatedAt, revision }) => {
      return { kind: 'condition' as const, name, stamp: `${createdAt} ${updatedAt} ${revision}` };
    }),
    ...users.map(({ name, createdAt, updatedAt }) => {
      return { kind: 'context' as const, name, stamp: `${createdAt} ${updatedAt}` };
    }),
  ];
}

/** JSON text of the condition or the context; null: it was removed meanwhile. */
export async function findNamingText(
  db: Db,
  environment: string,
  { kind, name }: NamingRow,
): Promise<string | null> {
  const row =
    kind === 'condition'
      ? await db
          .selectFrom('segments')
          .select('condition as text')
          .where('environment', '=', environment)
          .where('name', '=', name)
          .executeTakeFirst()
      : await db
          .selectFrom('sampleUsers')
          .select('context as text')
          .where('environment', '=', environment)
          .where('name', '=', name)
          .executeTakeFirst();
  return row?.text ?? null;
}
