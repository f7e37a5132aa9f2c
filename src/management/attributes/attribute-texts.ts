/** What names attributes in an environment, beside mappings: saved segments and sample users, identified by when they were saved. */
import { findSampleUser } from '../sample-users/rows.js';
import type { Db } from '../store/dialect.js';
import { findSegment } from '../store/segments/segments.js';

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
  if (kind === 'condition') return (await findSegment(db, environment, name))?.condition ?? null;
  return (await findSampleUser(db, environment, name))?.context ?? null;
}
