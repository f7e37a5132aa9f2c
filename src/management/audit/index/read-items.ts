/** Reads what events changed in the values of contents, as a listing shows it, and how far the index reaches. */
import type { Selectable } from 'kysely';
import { contentKey } from '../../../content/content-id.js';
import { auditItemsShownMax, auditPlacesShownMax } from '../../../contract/limits.js';
import type { AuditIndex, ChangedItem, ChangedPlace } from '../../../contract/operations/audit.js';
import { cutItemsCountedMax } from '../../limits/audit.js';
import type { Db } from '../../store/dialect.js';
import { timeOfId, timePrefix } from '../../store/ids.js';
import type { AuditChangesTable } from '../../store/tables/audit.js';
import { toIso } from '../../to-iso.js';
import { type AuditFilter, inEnvironments } from '../filter.js';
import { newestAuditId } from '../rows.js';
import { type FoundPlace, readReach } from './rows.js';

export interface ItemsOptions {
  /** Only of the content that has this name, in whatever case. */
  readonly name: string | undefined;
  /** Those that are shown, by id of their events; null: the first ones. */
  readonly places: ReadonlyMap<string, readonly FoundPlace[]> | null;
}

/** By id of the event. */
export async function readItems(
  db: Db,
  auditIds: readonly string[],
  { name, places }: ItemsOptions,
): Promise<ReadonlyMap<string, readonly ChangedItem[]>> {
  if (auditIds.length === 0) return new Map();
  const shown =
    places === null
      ? await firstPlaces(db, auditIds, name)
      : auditIds.flatMap((id) => firstOfEach(places.get(id) ?? []));
  const numbers = places === null ? null : [...new Set(shown.map(({ item }) => item))];
  const placesOf = new Map<string, ChangedPlace[]>();
  for (const place of shown) {
    const key = keyOf(place);
    placesOf.set(key, [...(placesOf.get(key) ?? []), placeJson(place)]);
  }
  const items = new Map<string, ChangedItem[]>();
  for (const row of await changedItems(db, auditIds, name, numbers)) {
    const ofItem = placesOf.get(keyOf(row)) ?? [];
    const ofEvent = items.get(row.auditId) ?? [];
    if (ofEvent.length === auditItemsShownMax || (places !== null && ofItem.length === 0)) continue;
    items.set(row.auditId, [...ofEvent, itemJson(row, ofItem)]);
  }
  return items;
}

async function firstPlaces(
  db: Db,
  auditIds: readonly string[],
  name: string | undefined,
): Promise<FoundPlace[]> {
  const query = db
    .selectFrom('auditPlaces')
    .selectAll()
    .where('auditId', 'in', auditIds)
    .where('position', '<', auditPlacesShownMax)
    .orderBy('auditId')
    .orderBy('item')
    .orderBy('position');
  if (name !== undefined) return query.where('idLower', '=', contentKey(name)).execute();
  return query.where('item', '<', auditItemsShownMax).execute();
}

/** Of the first few items of an event, the first few places. */
function firstOfEach(places: readonly FoundPlace[]): FoundPlace[] {
  const counts = new Map<number, number>();
  return places.filter(({ item }) => {
    const count = counts.get(item) ?? 0;
    if (count === 0 && counts.size === auditItemsShownMax) return false;
    counts.set(item, count + 1);
    return count < auditPlacesShownMax;
  });
}

/** @param numbers of the items that are shown; null: the first ones */
async function changedItems(
  db: Db,
  auditIds: readonly string[],
  name: string | undefined,
  numbers: readonly number[] | null,
): Promise<Selectable<AuditChangesTable>[]> {
  let query = db
    .selectFrom('auditChanges')
    .selectAll()
    .where('auditId', 'in', auditIds)
    .orderBy('auditId')
    .orderBy('item');
  if (name !== undefined) query = query.where('idLower', '=', contentKey(name));
  if (numbers !== null)
    return numbers.length === 0 ? [] : query.where('item', 'in', numbers).execute();
  if (name === undefined) query = query.where('item', '<', auditItemsShownMax);
  return query.execute();
}

function keyOf({ auditId, item }: { readonly auditId: string; readonly item: number }): string {
  return `${auditId} ${item}`;
}

function itemJson(
  { id, fromRevision, toRevision, places, cut }: Selectable<AuditChangesTable>,
  shown: ChangedPlace[],
): ChangedItem {
  return { content: id, from: fromRevision, to: toRevision, places, cut: cut === 1, shown };
}

function placeJson({ version, path, valueBefore, valueAfter }: FoundPlace): ChangedPlace {
  const appVersion = version === '' ? null : version;
  return { appVersion, path, before: valueBefore, after: valueAfter };
}

/** How far a search by path and value reaches. */
export async function describeIndex(db: Db, filter: AuditFilter): Promise<AuditIndex> {
  const { indexedTo, filledFrom } = await readReach(db);
  const newest = await newestAuditId(db);
  return {
    from: filledFrom === '' ? null : toIso(timeOfId(filledFrom)),
    until: newest <= indexedTo ? null : toIso(timeOfId(indexedTo)),
    cut: await countCut(db, filter),
  };
}

/** Of a search by name, only that content counts. */
async function countCut(db: Db, filter: AuditFilter): Promise<number> {
  const { name, fromMs = 0, untilMs } = filter;
  let query = db
    .selectFrom('auditChanges')
    .select('item')
    .where('cut', '=', 1)
    .where('auditId', '>', timePrefix(fromMs))
    .where('auditId', 'in', inEnvironments(db, filter).select('id'));
  if (untilMs !== undefined) query = query.where('auditId', '<', timePrefix(untilMs));
  if (name !== undefined) query = query.where('idLower', '=', contentKey(name));
  return (await query.limit(cutItemsCountedMax).execute()).length;
}
