/** Finds by index which events are about one name: those of the thing itself, and what syncs and imports did to a content. */
import { contentKey } from '../../content/content-id.js';
import type { Db } from './dialect.js';

/** Ids lie above `after` and below `before`. */
export interface NameSearch {
  readonly name: string;
  readonly after: string;
  readonly before: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Ids of the first events of that order, at most `limit`. */
export async function auditIdsOfName(db: Db, search: NameSearch): Promise<string[]> {
  const { name, after, before, order, limit } = search;
  let own = db.selectFrom('audit').select('id').where('name', '=', name).where('id', '>', after);
  let noted = db
    .selectFrom('auditedContents')
    .select('auditId')
    .where('idLower', '=', contentKey(name))
    .where('auditId', '>', after);
  if (before !== undefined) {
    own = own.where('id', '<', before);
    noted = noted.where('auditId', '<', before);
  }
  const ids = [
    ...(await own.orderBy('id', order).limit(limit).execute()).map(({ id }) => id),
    ...(await noted.orderBy('auditId', order).limit(limit).execute()).map((row) => row.auditId),
  ];
  const sorted = [...new Set(ids)].sort();
  return (order === 'asc' ? sorted : sorted.reverse()).slice(0, limit);
}
