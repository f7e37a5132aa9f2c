/** Finds what one event of the audit changed in the values of contents: the rows of the index, within its limits. */

import { changedLines } from '../../contents/diff/changed-lines.js';
import type { ListedPlaces } from '../../contents/diff/list-places.js';
import { doWork, type Work, WorkFailed, WorkOverloaded, WorkTooLong } from '../../jobs/work.js';
import {
  indexedBytesPerEventMax,
  placesPerEventMax,
  placesPerItemMax,
} from '../../limits/audit.js';
import { findRevision, type Revision } from '../../store/contents/revisions.js';
import { readText } from '../../store/contents/texts.js';
import { EventLoopYielder } from '../../store/event-loop-yielder.js';
import type { Store } from '../../store/store.js';
import type { AuditEvent } from '../rows.js';
import { type ComparedPair, comparedPairs } from './compared-pairs.js';
import type { ChangeRow, PlaceRow } from './rows.js';

export interface EventRows {
  readonly changes: ChangeRow[];
  readonly places: PlaceRow[];
}

interface IndexDeps {
  readonly store: Pick<Store, 'read'>;
  readonly work: Work;
}

/** What is left of the limits of one event. */
interface Room {
  places: number;
  bytes: number;
}

/** Two texts of a content that differ. */
interface TextPair {
  /** '' : the mapping. */
  readonly version: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** @param signal ends it early: its rows are incomplete then */
export async function indexEvent(
  deps: IndexDeps,
  event: AuditEvent,
  signal?: AbortSignal,
): Promise<EventRows> {
  const { store } = deps;
  const rows: EventRows = { changes: [], places: [] };
  const room: Room = { places: placesPerEventMax, bytes: indexedBytesPerEventMax };
  const pairs = await store.read((db) => comparedPairs(db, event));
  const pace = new EventLoopYielder();
  for (const [item, pair] of pairs.entries()) {
    if (signal?.aborted === true) break;
    const { places, cut } = await placesOfPair(deps, event.environment, pair, room);
    const { id, idLower, from: fromRevision, to: toRevision } = pair;
    const key = { auditId: event.id, item, idLower };
    const count = places.length;
    rows.changes.push({ ...key, id, fromRevision, toRevision, places: count, cut: cut ? 1 : 0 });
    rows.places.push(...places.map((place, position) => ({ ...key, position, ...place })));
    await pace.step();
  }
  return rows;
}

type FoundPlace = Pick<PlaceRow, 'version' | 'path' | 'valueBefore' | 'valueAfter'>;

async function placesOfPair(
  { store, work }: IndexDeps,
  environment: string,
  { idLower, from, to }: ComparedPair,
  room: Room,
): Promise<{ readonly places: FoundPlace[]; readonly cut: boolean }> {
  const places: FoundPlace[] = [];
  let cut = false;
  const states = await store.read(async (db) => ({
    before: from === null ? null : await findRevision(db, environment, idLower, from),
    after: to === null ? null : await findRevision(db, environment, idLower, to),
  }));
  // Retention has removed one of them, or the environment was deleted.
  const isLost =
    (from !== null && states.before === null) || (to !== null && states.after === null);
  if (isLost) return { places, cut: true };
  for (const pair of textPairs(states.before, states.after)) {
    const countMax = Math.min(room.places, placesPerItemMax - places.length);
    if (countMax <= 0 || room.bytes <= 0) return { places, cut: true };
    const texts = await store.read(async (db) => ({
      before: pair.before === null ? null : await readText(db, pair.before),
      after: pair.after === null ? null : await readText(db, pair.after),
    }));
    const weight = (texts.before?.byteLength ?? 0) + (texts.after?.byteLength ?? 0);
    room.bytes -= weight;
    const listed = await tryList(work, { ...texts, countMax }, weight);
    const { version } = pair;
    for (const { path, before: valueBefore, after: valueAfter } of listed.places) {
      places.push({ version, path, valueBefore, valueAfter });
    }
    room.places -= listed.places.length;
    cut ||= listed.cut;
  }
  return { places, cut };
}

function textPairs(before: Revision | null, after: Revision | null): TextPair[] {
  const nothing = { lines: [], mapping: null, flags: [] };
  const pairs = changedLines(before, after ?? nothing).map(({ old, line }) => ({
    version: line?.version ?? old?.version ?? '',
    before: old?.textDigest ?? null,
    after: line?.textDigest ?? null,
  }));
  const [old, now] = [before?.mapping ?? null, after?.mapping ?? null];
  return old === now ? pairs : [...pairs, { version: '', before: old, after: now }];
}

/** A text that is too costly to compare is not indexed; the event says so. */
async function tryList(
  work: Work,
  input: Parameters<Work['tasks']['listPlaces']>[0],
  weightBytes: number,
): Promise<ListedPlaces> {
  try {
    return await doWork(work, 'listPlaces', input, weightBytes);
  } catch (error) {
    const isCostly = error instanceof WorkFailed || error instanceof WorkTooLong;
    if (isCostly || error instanceof WorkOverloaded) return { places: [], cut: true };
    throw error;
  }
}
