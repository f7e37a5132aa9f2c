/** Rows of the index of changes: which values each event changed, and how far the index reaches. */
import type { Insertable, Selectable } from 'kysely';
import type { Db } from '../../store/dialect.js';
import type {
  AuditChangesTable,
  AuditPlacesTable,
  ChangeIndexTable,
} from '../../store/tables/audit.js';

export type ChangeRow = Insertable<AuditChangesTable>;
export type PlaceRow = Insertable<AuditPlacesTable>;
/** A place as the index has it. */
export type FoundPlace = Selectable<AuditPlacesTable>;
export type IndexReach = Omit<Selectable<ChangeIndexTable>, 'id'>;

/** Nine columns a row stay far below the number of parameters that either database takes. */
const rowsPerInsert = 100;

export async function readReach(db: Db): Promise<IndexReach> {
  return db.selectFrom('changeIndex').select(['indexedTo', 'filledFrom']).executeTakeFirstOrThrow();
}

/** Moves an end of the index, unless another server has moved it meanwhile. */
export async function moveReach(
  db: Db,
  seen: IndexReach,
  moved: Partial<IndexReach>,
): Promise<void> {
  await db
    .updateTable('changeIndex')
    .set(moved)
    .where((row) => row.and({ ...seen }))
    .execute();
}

/** Rows of events that were removed meanwhile are left out; what is there already stays. */
export async function insertIndexRows(
  db: Db,
  changes: readonly ChangeRow[],
  places: readonly PlaceRow[],
): Promise<void> {
  const ids = new Set([...changes, ...places].map(({ auditId }) => auditId));
  if (ids.size === 0) return;
  const found = await db
    .selectFrom('audit')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  const kept = new Set(found.map(({ id }) => id));
  const isKept = ({ auditId }: { readonly auditId: string }): boolean => kept.has(auditId);
  for (const some of chunks(changes.filter(isKept))) {
    await db
      .insertInto('auditChanges')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  for (const some of chunks(places.filter(isKept))) {
    await db
      .insertInto('auditPlaces')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

function* chunks<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    yield rows.slice(from, from + rowsPerInsert);
  }
}

/**
 * Removes what the index has of these events.
 * @returns how many rows were removed: `limit`, or less when none is left
 */
export async function deleteIndexRows(
  db: Db,
  auditIds: readonly string[],
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('auditPlaces')
    .select(['auditId', 'item', 'position'])
    .where('auditId', 'in', auditIds)
    .orderBy('auditId')
    .orderBy('item')
    .orderBy('position')
    .limit(limit);
  const places = await db
    .deleteFrom('auditPlaces')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('auditId', 'item', 'position'),
        'in',
        some.$asTuple('auditId', 'item', 'position'),
      ),
    )
    .executeTakeFirst();
  const left = limit - Number(places.numDeletedRows);
  if (left === 0) return limit;
  const others = db
    .selectFrom('auditChanges')
    .select(['auditId', 'item'])
    .where('auditId', 'in', auditIds)
    .orderBy('auditId')
    .orderBy('item')
    .limit(left);
  const changes = await db
    .deleteFrom('auditChanges')
    .where(({ eb, refTuple }) =>
      eb(refTuple('auditId', 'item'), 'in', others.$asTuple('auditId', 'item')),
    )
    .executeTakeFirst();
  return limit - left + Number(changes.numDeletedRows);
}
