/** How many contents an environment has, and how many of them are live or have a draft. */
import type { Db } from '../dialect.js';

export interface ContentCounts {
  readonly total: number;
  readonly live: number;
  /** Their newest revision is not live. */
  readonly drafts: number;
}

/** Without those that are deleted. */
export async function countContents(db: Db, environment: string): Promise<ContentCounts> {
  const { total, live, same } = await db
    .selectFrom('contents')
    .where('environment', '=', environment)
    .where('deletedAt', 'is', null)
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('total'),
      fn.count<number>('live').as('live'),
      fn.count<number>(eb.case().when('live', '=', eb.ref('newest')).then(1).end()).as('same'),
    ])
    .executeTakeFirstOrThrow();
  return { total: Number(total), live: Number(live), drafts: Number(total) - Number(same) };
}
