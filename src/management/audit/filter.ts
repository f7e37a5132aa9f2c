/** Which events of the audit a reader asks for, as SQL as far as SQL decides it. */
import {
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { containsText } from '../store/contains-text.js';
import type { Db } from '../store/dialect.js';
import type { Tables } from '../store/tables/tables.js';
import type { PlaceFilter } from './place-filter.js';
import type { AuditRow } from './rows.js';
import { jsonSpelling } from './words.js';

/** Which events; what is left out does not narrow. */
export interface AuditFilter {
  /** Only events of these environments; null: also those of the server itself. */
  readonly environments: readonly string[] | null;
  /** Its reader does not see where from. */
  readonly hidesAddresses?: boolean | undefined;
  /** Only what was done to these kinds of things; left out: all. */
  readonly nouns?: readonly string[] | undefined;
  /** `noun.verb`, or a noun for everything that was done to such things. */
  readonly action?: string | undefined;
  /** Id or name of who did it. */
  readonly user?: string | undefined;
  /** Id of the content, name of the segment, id of the key, ... that it was done to, alone or by a sync or import. */
  readonly name?: string | undefined;
  /** In lower case; all of them must be found (`words.ts`). */
  readonly words?: readonly string[] | undefined;
  /** What it changed in a content. */
  readonly place?: PlaceFilter | undefined;
  /** Milliseconds since the epoch: [from, until). */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export type AuditRowQuery<Row> = SelectQueryBuilder<Tables, 'audit', Row>;

/** Ids lie above `after` and below `before`. */
export interface IdRange {
  readonly after: string;
  readonly before: string | undefined;
  readonly order: 'asc' | 'desc';
}

export function within<Row>(
  query: AuditRowQuery<Row>,
  { after, before, order }: IdRange,
): AuditRowQuery<Row> {
  const found = query.where('id', '>', after).orderBy('id', order);
  return before === undefined ? found : found.where('id', '<', before);
}

/** Those that a step looks at. */
export function inEnvironments(db: Db, { environments }: AuditFilter): AuditRowQuery<object> {
  const query = db.selectFrom('audit');
  if (environments === null) return query;
  // An empty list is no SQL; nothing is in an environment of this name.
  return query.where('environment', 'in', environments.length === 0 ? [' '] : [...environments]);
}

/** By everything except the time, the name and the place. Of words, SQL lets some pass that `hasWords` does not. */
export function matching(db: Db, filter: AuditFilter): AuditRowQuery<AuditRow> {
  const { nouns, action, user, words = [] } = filter;
  let query = inEnvironments(db, filter).selectAll();
  if (nouns !== undefined) {
    query = query.where((where) => where.or(nouns.map((noun) => ofNoun(where, noun))));
  }
  if (action?.includes('.') === true) query = query.where('action', '=', action);
  else if (action !== undefined) query = query.where((where) => ofNoun(where, action));
  if (user !== undefined) {
    query = query.where((where) =>
      where.or([where('userId', '=', user), where('userName', '=', user)]),
    );
  }
  for (const word of words) query = query.where((where) => mayHaveWord(where, word));
  return query;
}

type Where = ExpressionBuilder<Tables, 'audit'>;

/** A range finds what begins with it in every collation of ASCII; "/" follows ".". */
function ofNoun(where: Where, noun: string): Expression<SqlBool> {
  return where.and([where('action', '>=', `${noun}.`), where('action', '<', `${noun}/`)]);
}

function mayHaveWord(where: Where, word: string): Expression<SqlBool> {
  const noted = where
    .selectFrom('auditedContents')
    .select(sql<number>`1`.as('one'))
    .whereRef('auditedContents.auditId', '=', 'audit.id')
    .where(containsText(sql.ref('auditedContents.idLower'), word));
  const hasNoted = where.or([
    where('action', 'in', ['environment.sync', 'environment.import']),
    ofNoun(where, 'release'),
    ofNoun(where, 'experiment'),
  ]);
  return where.or([
    containsText(sql.ref('name'), word),
    containsText(sql.ref('userName'), word),
    containsText(sql.ref('details'), jsonSpelling(word)),
    where.and([hasNoted, where.exists(noted)]),
  ]);
}
