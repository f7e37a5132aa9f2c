/** One run of housekeeping: removes what retention lets go, in writes so small that no edit waits for them (D27). */
import { setTimeout as pause } from 'node:timers/promises';
import {
  housekeepingIdsNamedMax,
  housekeepingPauseMs,
  housekeepingRowsPerPage,
  housekeepingRowsPerWrite,
  housekeepingTextBytesPerWrite,
} from '../limits/housekeeping.js';
import { forgetHeldTexts, hasHeldTooLong } from '../store/contents/staged-texts.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import {
  deleteSegmentRevision,
  findOldSegmentRevisions,
} from '../store/segments/segment-revisions.js';
import type { Store } from '../store/store.js';
import type { Actor, UnitOfWork } from '../store/unit-of-work.js';
import {
  type ContentName,
  countExpired,
  deleteContentRow,
  deleteRevisions,
  deleteTexts,
  findOldRevisions,
  findUnusedTexts,
  firstContent,
  isExpired,
  listExpired,
  listLongHistories,
  type UnusedText,
} from './rows.js';

/** What is kept. */
export interface RetentionRules {
  /** Newest revisions of each content and segment; null: all. */
  readonly revisionsKept: number | null;
  /** Days that a deleted content can be brought back; null: for ever. */
  readonly deletedDaysKept: number | null;
}

/** What went, or would go. */
export interface Removed {
  readonly contents: number;
  readonly revisions: number;
  readonly texts: number;
  readonly textBytes: number;
}

export interface HousekeepingRun {
  readonly store: Store;
  readonly rules: RetentionRules;
  readonly actor: Actor;
  /** Counts only. Texts that only the counted revisions use are not among its texts. */
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Ends the run between two writes. What is left is for the next one. */
  readonly signal: AbortSignal;
}

type Counts = { -readonly [Name in keyof Removed]: Removed[Name] };

const dayMs = 24 * 60 * 60_000;

/**
 * Contents first, then revisions, then the texts that neither uses any more. Every write records in the run's one
 * audit row what the run has removed so far, so the row is true whenever the run ends.
 * @throws StoreUnavailable
 */
export async function runHousekeeping(run: HousekeepingRun): Promise<Removed> {
  const sweep = new Sweep(run);
  const { revisionsKept, deletedDaysKept } = run.rules;
  if (deletedDaysKept !== null) await sweepExpired(sweep, run.nowMs - deletedDaysKept * dayMs);
  if (revisionsKept !== null) {
    await sweepRevisions(sweep, revisionsKept);
    await sweepSegmentRevisions(sweep, revisionsKept);
  }
  await sweepTexts(sweep);
  return sweep.removed;
}

class Sweep {
  readonly run: HousekeepingRun;
  readonly removed: Counts = { contents: 0, revisions: 0, texts: 0, textBytes: 0 };
  readonly pace = new EventLoopYielder();
  readonly #ids: string[] = [];
  #auditId: string | null = null;

  constructor(run: HousekeepingRun) {
    this.run = run;
  }

  get over(): boolean {
    return this.run.signal.aborted;
  }

  /** Lets everybody else at the store before the next step. */
  async rest(): Promise<void> {
    await pause(housekeepingPauseMs);
  }

  /** Removes and notes it in one transaction. */
  async remove(
    work: (write: UnitOfWork) => Promise<Partial<Removed> & { id?: string }>,
  ): Promise<void> {
    const { store, actor, rules } = this.run;
    await store.write(actor, async (write) => {
      const { id, ...counts } = await work(write);
      if (Object.values(counts).every((count) => count === 0)) return;
      // Counted here, not after the commit: a commit that fails ends the run, and its counts with it.
      for (const name of Object.keys(this.removed) as (keyof Removed)[]) {
        this.removed[name] += counts[name] ?? 0;
      }
      if (id !== undefined && this.#ids.length < housekeepingIdsNamedMax) this.#ids.push(id);
      const details = { ...rules, removed: this.removed, contents: this.#ids };
      if (this.#auditId === null) {
        this.#auditId = await write.audit('retention.run', '', '', details);
      } else {
        await write.amendAudit(this.#auditId, details);
      }
    });
    await this.rest();
  }
}

async function sweepExpired(sweep: Sweep, beforeMs: number): Promise<void> {
  const { store, dryRun } = sweep.run;
  if (dryRun) {
    Object.assign(sweep.removed, await store.read((db) => countExpired(db, beforeMs)));
    return;
  }
  while (!sweep.over) {
    const names = await store.read((db) => listExpired(db, beforeMs, housekeepingRowsPerPage));
    if (names.length === 0) return;
    for (const name of names) await sweepOneExpired(sweep, name, beforeMs);
  }
}

/** Its revisions first, some at a time; the newest, and the one that bringing it back needs, go with the content itself. */
async function sweepOneExpired(sweep: Sweep, name: ContentName, beforeMs: number): Promise<void> {
  let gone = false;
  while (!gone && !sweep.over) {
    await sweep.remove(async (write) => {
      // It may have been brought back a moment ago.
      if (!(await isExpired(write.db, name, beforeMs))) {
        gone = true;
        return {};
      }
      const old = await findOldRevisions(write.db, name, 1, housekeepingRowsPerWrite);
      await deleteRevisions(write, old);
      if (old.numbers.length === housekeepingRowsPerWrite) return { revisions: old.numbers.length };
      gone = true;
      const rest = await countRevisions(write, name);
      await deleteContentRow(write, name);
      const id = `${name.environment}/${name.idLower}`;
      return { contents: 1, revisions: old.numbers.length + rest, id };
    });
  }
}

async function countRevisions(write: UnitOfWork, name: ContentName): Promise<number> {
  const rows = await write.db
    .selectFrom('revisions')
    .select('number')
    .where((row) => row.and({ environment: name.environment, idLower: name.idLower }))
    .execute();
  return rows.length;
}

async function sweepRevisions(sweep: Sweep, keep: number): Promise<void> {
  const { store } = sweep.run;
  for (let after = firstContent; !sweep.over; ) {
    const names = await store.read((db) =>
      listLongHistories(db, keep, after, housekeepingRowsPerPage),
    );
    await sweepHistories(sweep, names, keep);
    const last = names.at(-1);
    if (last === undefined || names.length < housekeepingRowsPerPage) return;
    after = last;
    await sweep.rest();
  }
}

/** Several contents share a write: in most of them, only a revision or two has become too old since the last run. */
async function sweepHistories(
  sweep: Sweep,
  names: readonly ContentName[],
  keep: number,
): Promise<void> {
  const { store, dryRun } = sweep.run;
  let part: ContentName[] = [];
  let count = 0;
  for (const name of names) {
    const { numbers } = await store.read((db) => findOldRevisions(db, name, keep));
    await sweep.pace.step();
    if (dryRun) sweep.removed.revisions += numbers.length;
    if (dryRun || numbers.length === 0) continue;
    part.push(name);
    count += numbers.length;
    if (count < housekeepingRowsPerWrite) continue;
    await removeOld(sweep, part, keep, count);
    part = [];
    count = 0;
  }
  await removeOld(sweep, part, keep, count);
}

/** As many writes as `count` rows take; only the last name of a part can have more than fit into one. */
async function removeOld(
  sweep: Sweep,
  names: readonly ContentName[],
  keep: number,
  count: number,
): Promise<void> {
  for (let done = 0; done < count && !sweep.over; done += housekeepingRowsPerWrite) {
    await sweep.remove(async (write) => {
      let revisions = 0;
      for (const name of names) {
        const room = housekeepingRowsPerWrite - revisions;
        if (room === 0) break;
        // Found again: another revision may have become live since.
        const old = await findOldRevisions(write.db, name, keep, room);
        await deleteRevisions(write, old);
        revisions += old.numbers.length;
      }
      return { revisions };
    });
  }
}

async function sweepSegmentRevisions(sweep: Sweep, keep: number): Promise<void> {
  const { store, dryRun } = sweep.run;
  if (dryRun) {
    const old = await store.read((db) => findOldSegmentRevisions(db, keep, segmentRevisionsMax));
    sweep.removed.revisions += old.length;
    return;
  }
  for (let left = true; left && !sweep.over; ) {
    await sweep.remove(async (write) => {
      const old = await findOldSegmentRevisions(write.db, keep, housekeepingRowsPerWrite);
      for (const key of old) await deleteSegmentRevision(write, key);
      left = old.length === housekeepingRowsPerWrite;
      return { revisions: old.length };
    });
  }
}

/** Of a dry run: more than any store has. */
const segmentRevisionsMax = 1_000_000;

async function sweepTexts(sweep: Sweep): Promise<void> {
  const { store, dryRun, nowMs } = sweep.run;
  if (!dryRun) await forgetHolders(sweep);
  for (let after: string | null = ''; after !== null && !sweep.over; ) {
    const from: string = after;
    const page = await store.read((db) =>
      findUnusedTexts(db, from, housekeepingRowsPerPage, nowMs),
    );
    if (dryRun) {
      sweep.removed.texts += page.unused.length;
      sweep.removed.textBytes += bytesOf(page.unused);
    } else {
      await removeUnused(sweep, from, page.unused);
    }
    after = page.last;
    await sweep.rest();
  }
}

/** Not audited: what an import of a killed server held was never visible. */
async function forgetHolders(sweep: Sweep): Promise<void> {
  const { store, actor, nowMs } = sweep.run;
  while (!sweep.over && (await store.read((db) => hasHeldTooLong(db, nowMs)))) {
    const { value: forgotten } = await store.write(actor, forgetHeldTexts);
    // The store's clock may say that it is not late yet.
    if (forgotten === 0) return;
    await sweep.rest();
  }
}

async function removeUnused(sweep: Sweep, from: string, marked: UnusedText[]): Promise<void> {
  for (const part of inParts(marked)) {
    if (sweep.over) return;
    await sweep.remove(async (write) => {
      // A save may have taken one of them up since it was marked, for a revision that has its text already; or an
      // import, which stores its texts ahead of the write that uses them.
      const { unused } = await findUnusedTexts(write.db, from, housekeepingRowsPerPage, write.at);
      const still = new Set(unused.map((text) => text.digest));
      const going = part.filter(({ digest }) => still.has(digest));
      await deleteTexts(
        write,
        going.map((text) => text.digest),
      );
      return { texts: going.length, textBytes: bytesOf(going) };
    });
  }
}

/** Parts of one write each: few rows, few bytes, and at least one text. */
function* inParts(texts: readonly UnusedText[]): Generator<UnusedText[]> {
  let part: UnusedText[] = [];
  let bytes = 0;
  for (const text of texts) {
    const full =
      part.length === housekeepingRowsPerWrite ||
      bytes + text.bytes > housekeepingTextBytesPerWrite;
    if (part.length > 0 && full) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(text);
    bytes += text.bytes;
  }
  if (part.length > 0) yield part;
}

function bytesOf(texts: readonly UnusedText[]): number {
  return texts.reduce((sum, text) => sum + text.bytes, 0);
}
