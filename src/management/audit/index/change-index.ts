/**
 * Keeps the index of changes: after each commit it compares what the newest events changed, and what is older it takes on
 * in the background. Edits do not wait for it, and events that servers of older versions write are indexed as well (D104).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from '../../jobs/work.js';
import { auditRowsLookedAt, indexedEventsPerStep, indexRowsPerWrite } from '../../limits/audit.js';
import type { Db } from '../../store/dialect.js';
import type { Store } from '../../store/store.js';
import { systemActor } from '../../store/unit-of-work.js';
import { type AuditEvent, eventOf, newestAuditId } from '../rows.js';
import { indexedActions } from './compared-pairs.js';
import { type EventRows, indexEvent } from './index-event.js';
import { type IndexReach, insertIndexRows, moveReach, readReach } from './rows.js';

/** Events to index, and where the index reaches once they are. Null: there is nothing to do. */
interface Batch {
  readonly seen: IndexReach;
  readonly events: readonly AuditEvent[];
  readonly moved: Partial<IndexReach>;
}

export class ChangeIndex {
  readonly #store: Store;
  readonly #work: Work;
  #catchingUp: Promise<void> | null = null;

  constructor(store: Store, work: Work) {
    this.#store = store;
    this.#work = work;
  }

  /**
   * Indexes everything up to now. Calls while it does so share the run.
   * @param signal ends it early
   * @throws StoreUnavailable, UpgradeInProgress
   */
  catchUp(signal?: AbortSignal): Promise<void> {
    this.#catchingUp ??= this.#runAll(newerBatch, signal).finally(() => {
      this.#catchingUp = null;
    });
    return this.#catchingUp;
  }

  /** Indexes what was there before the index, newest first. It ends soon after its signal aborts. */
  fill(signal?: AbortSignal): Promise<void> {
    return this.#runAll(olderBatch, signal);
  }

  /** Waits a limited time for the newest changes. What keeps them from being indexed is left to the background. */
  async settle(msMax: number): Promise<void> {
    const timer = new AbortController();
    const caughtUp = this.catchUp().catch(() => undefined);
    const late = pause(msMax, undefined, { signal: timer.signal, ref: false });
    await Promise.race([caughtUp, late.catch(() => undefined)]);
    timer.abort();
  }

  async #runAll(next: (db: Db) => Promise<Batch | null>, signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const batch = await this.#store.read(next);
      if (batch === null) return;
      await this.#index(batch, signal);
    }
  }

  async #index({ seen, events, moved }: Batch, signal: AbortSignal | undefined): Promise<void> {
    const deps = { store: this.#store, work: this.#work };
    let rows: EventRows = { changes: [], places: [] };
    for (const event of events) {
      const { changes, places } = await indexEvent(deps, event, signal);
      if (signal?.aborted === true) return;
      rows = { changes: [...rows.changes, ...changes], places: [...rows.places, ...places] };
      rows = await this.#writeFull(rows);
    }
    await this.#store.write(systemActor, async ({ db }) => {
      await insertIndexRows(db, rows.changes, rows.places);
      await moveReach(db, seen, moved);
    });
  }

  /** Writes as many rows as there are for whole writes. Returns the others. */
  async #writeFull({ changes, places }: EventRows): Promise<EventRows> {
    let [from, placesFrom] = [0, 0];
    while (changes.length - from + places.length - placesFrom > indexRowsPerWrite) {
      const some = changes.slice(from, from + indexRowsPerWrite);
      const others = places.slice(placesFrom, placesFrom + indexRowsPerWrite - some.length);
      await this.#store.write(systemActor, ({ db }) => insertIndexRows(db, some, others));
      from += some.length;
      placesFrom += others.length;
    }
    return { changes: changes.slice(from), places: places.slice(placesFrom) };
  }
}

async function newerBatch(db: Db): Promise<Batch | null> {
  const seen = await readReach(db);
  const newest = await newestAuditId(db);
  if (newest <= seen.indexedTo) return null;
  const last = await idAtDistance(db, seen.indexedTo, 'asc');
  const until = last ?? newest;
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('id', '>', seen.indexedTo)
    .where('id', '<=', until)
    .where('action', 'in', indexedActions)
    .orderBy('id')
    .limit(indexedEventsPerStep)
    .execute();
  const isCut = rows.length === indexedEventsPerStep;
  const indexedTo = isCut ? (rows.at(-1)?.id ?? until) : until;
  return { seen, events: rows.map(eventOf), moved: { indexedTo } };
}

async function olderBatch(db: Db): Promise<Batch | null> {
  const seen = await readReach(db);
  if (seen.filledFrom === '') return null;
  const last = await idAtDistance(db, seen.filledFrom, 'desc');
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('id', '<', seen.filledFrom)
    .where('id', '>=', last ?? '')
    .where('action', 'in', indexedActions)
    .orderBy('id', 'desc')
    .limit(indexedEventsPerStep)
    .execute();
  const isCut = rows.length === indexedEventsPerStep;
  const filledFrom = isCut ? (rows.at(-1)?.id ?? '') : (last ?? '');
  return { seen, events: rows.map(eventOf), moved: { filledFrom } };
}

/** Id of the event so far from another that a step looks at none beyond it; null: there are fewer. */
async function idAtDistance(db: Db, from: string, order: 'asc' | 'desc'): Promise<string | null> {
  const row = await db
    .selectFrom('audit')
    .select('id')
    .where('id', order === 'asc' ? '>' : '<', from)
    .orderBy('id', order)
    .limit(1)
    .offset(auditRowsLookedAt - 1)
    .executeTakeFirst();
  return row?.id ?? null;
}
