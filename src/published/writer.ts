/** The one writer of published.db: applies what management decided, in order, each sequence atomically. */

import { digestOf } from '../content/hash.js';
import type {
  PublishedCandidate,
  PublishedChange,
  PublishedDelivery,
  PublishedLine,
} from './change.js';
import { damageOf, findingDamage, PublishedDamaged } from './damage.js';
import { writeSettings } from './environment-settings.js';
import { rowSum } from './row-sum.js';
import {
  checkRows,
  type PublishedCandidateRow,
  type PublishedLineRow,
  preparePublished,
  publishedFormat,
} from './schema.js';
import { BetterSqlite3, type Database, withDatabase } from './sqlite-driver.js';

/** How much of which history of the store is published; see management's `LogPosition`. */
export interface PublishedPosition {
  readonly sequence: number;
  readonly mark: string;
}

/** Which store a file was published from. */
export interface PublishedStore {
  /** Its identity; '' before anything was published. */
  readonly id: string;
  /** Its secret, base64url: tokens of streams are sealed with it. '' where an earlier version published the file. */
  readonly streamKey: string;
}

type ContentChange = Extract<PublishedChange, { kind: 'content' }>;

/**
 * How long the names of changes stay for delivery processes that are behind; one that is further behind
 * reads everything again, which 10,000 contents make cheap enough.
 */
const changesKept = 10_000;

/**
 * A body without references stays this long after it was retired: a request that chose it just
 * before an edit may still be waiting for a worker, and no request lives longer.
 */
const retiredKeptMs = 60_000;
/** How often what is kept for longer is measured. */
const retiredMeasureMs = 10_000;

/** How long retired bodies stay, and how many bytes of them: the oldest go first. */
export interface RetiredKept {
  readonly ms: number;
  readonly bytesMax: number;
}

/** How long opening waits for somebody else's lock: a process of a moment ago may still be closing the file. */
const openBusyMs = 5_000;
/** How long a write does: SQLite waits on the thread, and all else the control process does waits with it. */
const writeBusyMs = 100;

/** What delivery processes read when they start. Not the bodies: they are most of the file, and each is read when it is asked for. */
const tablesChecked = ['environments', 'keys', 'segments', 'contents', 'content_bodies', 'changes'];

/** The one row of `state`. */
interface State extends PublishedPosition {
  readonly storeId: string;
  readonly streamKey: string;
  readonly changesAfter: number;
  readonly refused: string;
}

export class PublishedWriter {
  readonly #db: Database;
  readonly #statements: Statements;
  readonly #now: () => number;
  /** As it was committed: what the file says later may be its damage. */
  #state: State;
  #servesNothing: boolean;
  #measuredMs = 0;
  /** What was retired up to then is more than is kept. */
  #fullMs = 0;

  /**
   * Opens or creates the file; a file of an unknown format is emptied (sequence 0).
   * @param now milliseconds since the epoch
   * @throws PublishedDamaged, as what writes does, or SQLite's own error
   */
  constructor(path: string, now: () => number) {
    this.#db = new BetterSqlite3(path, { timeout: openBusyMs });
    try {
      // NORMAL: a power cut may undo the newest sequences, never tear one; start-up replays them from the store.
      this.#db.pragma('journal_mode = WAL');
      this.#db.pragma('synchronous = NORMAL');
      preparePublished(this.#db);
      checkTables(this.#db);
      this.#statements = prepareStatements(this.#db);
      this.#state = stateOf(this.#statements);
      this.#servesNothing = this.#statements.anyContent.get() === undefined;
      this.#db.pragma(`busy_timeout = ${writeBusyMs}`);
    } catch (error) {
      this.#db.close();
      throw damageOf(error);
    }
    this.#now = now;
  }

  /** The newest sequence that the file holds. */
  get sequence(): number {
    return this.#state.sequence;
  }

  /** Where in which history that is. */
  get position(): PublishedPosition {
    const { sequence, mark } = this.#state;
    return { sequence, mark };
  }

  /** Identity of the store that it was last published from; '' before the first time. */
  get storeId(): string {
    return this.#state.storeId;
  }

  /**
   * An earlier version published it: what its rows lack only the store knows. It is served as it is until `replace` of
   * management's `PublishedFile` has made another one.
   */
  get isOfOlderFormat(): boolean {
    return this.#state.sequence > 0 && this.#state.streamKey === '';
  }

  /** Whether no content item is live: candidates alone do not count. */
  get servesNothing(): boolean {
    return this.#servesNothing;
  }

  /** Identity of a store that must not replace what is in it; '' for none. */
  get refused(): string {
    return this.#state.refused;
  }

  setRefused(refused: string): void {
    if (refused !== this.refused) this.#changeState({ refused });
  }

  /** From which store all of this is. */
  setStore({ id: storeId, streamKey }: PublishedStore): void {
    if (storeId === this.storeId && streamKey === this.#state.streamKey) return;
    this.#changeState({ storeId, streamKey });
  }

  #changeState(change: Partial<State>): void {
    const state = { ...this.#state, ...change };
    findingDamage(() => this.#putState(state));
    this.#state = state;
  }

  /** Applies the changes of everything up to a position in one transaction. */
  apply(to: PublishedPosition, changes: readonly PublishedChange[]): void {
    const state = this.#stateAt(to);
    findingDamage(() =>
      this.#db
        .transaction(() => {
          for (const change of changes) this.#applyOne(to.sequence, change);
          this.#putPosition(state);
        })
        .immediate(),
    );
    this.#committed(state);
  }

  /** The same with changes that are still being read: in one transaction too, but in as many turns as they come in. */
  async applyMany(to: PublishedPosition, changes: AsyncIterable<PublishedChange>): Promise<void> {
    const state = this.#stateAt(to);
    await this.#inTurns(async () => {
      for await (const change of changes) findingDamage(() => this.#applyOne(to.sequence, change));
      findingDamage(() => this.#putPosition(state));
    });
    this.#committed(state);
  }

  /**
   * Replaces everything in one transaction, so that readers see the old state until the new one is whole.
   * Delivery processes read everything again. Nothing else may be written meanwhile.
   */
  async rebuild(
    { sequence, mark }: PublishedPosition,
    everything: AsyncIterable<PublishedChange>,
  ): Promise<void> {
    const state = { ...this.#state, sequence, mark, changesAfter: sequence };
    await this.#inTurns(async () => {
      findingDamage(() => {
        for (const clear of this.#statements.clearAll) clear.run();
      });
      for await (const change of everything) findingDamage(() => this.#applyOne(sequence, change));
      findingDamage(() => {
        this.#statements.retireAllUnused.run(this.#now());
        this.#db.exec('DELETE FROM changes');
        this.#putState(state);
      });
    });
    this.#committed(state);
  }

  /** One transaction that takes several turns of the event loop. Nothing else may be written meanwhile. */
  async #inTurns(work: () => Promise<void>): Promise<void> {
    findingDamage(() => this.#db.exec('BEGIN IMMEDIATE'));
    try {
      await work();
      findingDamage(() => this.#db.exec('COMMIT'));
    } catch (error) {
      // When the disk is full SQLite has rolled back by itself, and another time would hide why.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #stateAt({ sequence, mark }: PublishedPosition): State {
    const changesAfter = Math.max(this.#state.changesAfter, sequence - changesKept);
    return { ...this.#state, sequence, mark, changesAfter };
  }

  #putPosition(state: State): void {
    this.#statements.forgetChanges.run(state.changesAfter);
    this.#putState(state);
  }

  #putState({ storeId, sequence, changesAfter, mark, refused, streamKey }: State): void {
    const fields = [storeId, sequence, changesAfter, mark, refused, streamKey];
    this.#statements.putState.run(...fields, rowSum('state', [1, publishedFormat, ...fields]));
  }

  #committed(state: State): void {
    this.#state = state;
    this.#servesNothing = findingDamage(() => this.#statements.anyContent.get() === undefined);
  }

  /**
   * Removes bodies that were retired long enough ago and that no content uses again. Returns how many.
   * @param kept for how long, and how many bytes of them, for others than the server's own delivery processes
   */
  pruneBodies(kept: RetiredKept | null = null): number {
    return findingDamage(() =>
      this.#db
        .transaction(() => {
          const before = this.#retiredBefore(kept);
          const removed = this.#statements.deleteRetired.run(before).changes;
          this.#statements.forgetRetired.run(before);
          return removed;
        })
        .immediate(),
    );
  }

  /** The time before which retired bodies are not needed any more. */
  #retiredBefore(kept: RetiredKept | null): number {
    const nowMs = this.#now();
    const needed = nowMs - retiredKeptMs;
    if (kept === null) return needed;
    // It reads the length of each that is kept: not for each edit.
    if (nowMs - this.#measuredMs >= retiredMeasureMs) {
      this.#measuredMs = nowMs;
      this.#fullMs = this.#statements.retiredBeyond.get(kept.bytesMax)?.atMs ?? 0;
    }
    return Math.min(needed, Math.max(nowMs - kept.ms, this.#fullMs + 1));
  }

  close(): void {
    this.#db.close();
  }

  #applyOne(sequence: number, change: PublishedChange): void {
    const s = this.#statements;
    switch (change.kind) {
      case 'environment': {
        const row = [change.environment, writeSettings(change.settings)];
        const isThere = s.hasEnvironment.get(change.environment) !== undefined;
        s.putEnvironment.run(...row, rowSum('environments', row));
        s.note.run(sequence, isThere ? 'settings' : 'environment', change.environment, '');
        return;
      }
      case 'environment-removed':
        s.retireEnvironment.run(this.#now(), change.environment);
        for (const remove of s.removeEnvironment) remove.run(change.environment);
        s.note.run(sequence, 'environment', change.environment, '');
        return;
      case 'key': {
        const row = [change.keyHash, change.environment, change.expiresAtMs, change.purpose];
        s.putKey.run(...row, rowSum('keys', row));
        s.note.run(sequence, 'key', '', change.keyHash);
        return;
      }
      case 'key-removed':
        s.removeKey.run(change.keyHash);
        s.note.run(sequence, 'key', '', change.keyHash);
        return;
      case 'segment': {
        const { environment, name, when, candidate } = change;
        const row = [environment, name, when ?? '', candidate ?? ''];
        s.putSegment.run(...row, rowSum('segments', row));
        s.note.run(sequence, 'segment', change.environment, change.name);
        return;
      }
      case 'segment-removed':
        s.removeSegment.run(change.environment, change.name);
        s.note.run(sequence, 'segment', change.environment, change.name);
        return;
      case 'content':
        this.#putContent(sequence, change);
        return;
      case 'content-removed': {
        const idLower = change.id.toLowerCase();
        this.#retire(change.environment, idLower);
        s.removeContent.run(change.environment, idLower);
        s.note.run(sequence, 'content', change.environment, idLower);
        return;
      }
    }
  }

  #putContent(sequence: number, change: ContentChange): void {
    const s = this.#statements;
    const { environment, id, lines, mapping, flags, candidate } = change;
    const idLower = id.toLowerCase();
    this.#retire(environment, idLower);
    for (const delivery of [change, candidate?.content ?? null]) {
      if (delivery !== null) this.#putBodies(delivery, environment, idLower);
    }
    const row = [
      ...[environment, idLower, id, JSON.stringify(lines.map(rowOfLine)), digestOfMapping(mapping)],
      ...[
        JSON.stringify(flags),
        candidate === null ? '' : JSON.stringify(rowOfCandidate(candidate)),
      ],
    ];
    s.putContent.run(...row, rowSum('contents', row));
    s.note.run(sequence, 'content', environment, idLower);
  }

  #putBodies({ lines, mapping }: PublishedDelivery, environment: string, idLower: string): void {
    if (mapping !== '') {
      this.#putBody(digestOfMapping(mapping), Buffer.from(mapping), environment, idLower);
    }
    for (const line of lines) this.#putBody(line.digest, line.json, environment, idLower);
  }

  #putBody(digest: string, bytes: Uint8Array, environment: string, idLower: string): void {
    const s = this.#statements;
    if (s.hasBody.get(digest) === undefined) s.putBody.run(digest, bytes);
    s.unretire.run(digest);
    s.putUse.run(digest, environment, idLower);
  }

  /** Forgets which bodies a content uses; those that are used by no other are retired. */
  #retire(environment: string, idLower: string): void {
    const s = this.#statements;
    const used = s.usesOf.all(environment, idLower);
    s.removeUses.run(environment, idLower);
    for (const { digest } of used) {
      if (s.isUsed.get(digest) === undefined) s.retire.run(digest, this.#now());
    }
  }
}

function checkTables(db: Database): void {
  for (const table of tablesChecked) {
    const found = db.pragma(`quick_check(${table})`, { simple: true });
    if (found !== 'ok') {
      throw new PublishedDamaged(`published.db is damaged: table ${table}: ${found}`);
    }
  }
  checkRows(db);
}

/**
 * Looks at what delivery processes read when they start, through a connection of its own.
 * @throws PublishedDamaged
 */
export function checkPublished(path: string): void {
  findingDamage(() => withDatabase(path, checkTables, { readonly: true, timeout: openBusyMs }));
}

function stateOf(statements: Statements): State {
  const state = statements.state.get();
  if (state === undefined) throw new PublishedDamaged('published.db is damaged: it has no state.');
  return state;
}

function rowOfLine({ version, digest, hash, json }: PublishedLine): PublishedLineRow {
  return { version, digest, hash, bytes: json.byteLength };
}

function rowOfCandidate({ content, ...ramp }: PublishedCandidate): PublishedCandidateRow {
  if (content === null) return { ...ramp, content };
  const { lines, mapping, flags } = content;
  const mappingDigest = digestOfMapping(mapping);
  return { ...ramp, content: { lines: lines.map(rowOfLine), mappingDigest, flags } };
}

function digestOfMapping(mapping: string): string {
  return mapping === '' ? '' : digestOf(mapping);
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  return {
    state: db.prepare<[], State>(
      `SELECT store_id AS storeId, sequence, changes_after AS changesAfter, mark, refused,
       stream_key AS streamKey FROM state`,
    ),
    putState: db.prepare(
      `UPDATE state SET store_id = ?, sequence = ?, changes_after = ?, mark = ?, refused = ?, stream_key = ?,
       sum = ?`,
    ),
    anyContent: db.prepare("SELECT 1 FROM contents WHERE lines <> '[]' LIMIT 1"),
    note: db.prepare('INSERT OR IGNORE INTO changes VALUES (?, ?, ?, ?)'),
    forgetChanges: db.prepare('DELETE FROM changes WHERE sequence <= ?'),
    hasEnvironment: db.prepare('SELECT 1 FROM environments WHERE id = ?'),
    putEnvironment: db.prepare(
      'INSERT OR REPLACE INTO environments (id, settings, sum) VALUES (?, ?, ?)',
    ),
    retireEnvironment: db.prepare(
      `INSERT OR REPLACE INTO retired_bodies
       SELECT digest, ? FROM content_bodies GROUP BY digest HAVING max(environment) = ?
         AND min(environment) = max(environment)`,
    ),
    removeEnvironment: [
      'DELETE FROM environments WHERE id = ?',
      'DELETE FROM keys WHERE environment = ?',
      'DELETE FROM segments WHERE environment = ?',
      'DELETE FROM contents WHERE environment = ?',
      'DELETE FROM content_bodies WHERE environment = ?',
    ].map((sql) => db.prepare(sql)),
    putKey: db.prepare(
      'INSERT OR REPLACE INTO keys (hash, environment, expires_at_ms, purpose, sum) VALUES (?, ?, ?, ?, ?)',
    ),
    removeKey: db.prepare('DELETE FROM keys WHERE hash = ?'),
    // By name: of a file that was upgraded, the columns are in another order.
    putSegment: db.prepare(
      `INSERT OR REPLACE INTO segments (environment, name, condition, candidate, sum)
       VALUES (?, ?, ?, ?, ?)`,
    ),
    removeSegment: db.prepare('DELETE FROM segments WHERE environment = ? AND name = ?'),
    putContent: db.prepare(
      `INSERT OR REPLACE INTO contents
         (environment, id_lower, id, lines, mapping_digest, flags, candidate, sum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeContent: db.prepare('DELETE FROM contents WHERE environment = ? AND id_lower = ?'),
    hasBody: db.prepare('SELECT 1 FROM bodies WHERE digest = ?'),
    putBody: db.prepare('INSERT INTO bodies VALUES (?, ?)'),
    putUse: db.prepare('INSERT OR IGNORE INTO content_bodies VALUES (?, ?, ?)'),
    usesOf: db.prepare<[string, string], { digest: string }>(
      'SELECT digest FROM content_bodies WHERE environment = ? AND id_lower = ?',
    ),
    removeUses: db.prepare('DELETE FROM content_bodies WHERE environment = ? AND id_lower = ?'),
    isUsed: db.prepare('SELECT 1 FROM content_bodies WHERE digest = ? LIMIT 1'),
    retire: db.prepare('INSERT OR REPLACE INTO retired_bodies VALUES (?, ?)'),
    unretire: db.prepare('DELETE FROM retired_bodies WHERE digest = ?'),
    retireAllUnused: db.prepare(
      `INSERT OR IGNORE INTO retired_bodies
       SELECT digest, ? FROM bodies WHERE digest NOT IN (SELECT digest FROM content_bodies)`,
    ),
    deleteRetired: db.prepare(
      `DELETE FROM bodies WHERE digest IN (SELECT digest FROM retired_bodies WHERE retired_at_ms < ?)
         AND digest NOT IN (SELECT digest FROM content_bodies)`,
    ),
    retiredBeyond: db.prepare<[number], { atMs: number }>(
      `SELECT atMs FROM (
         SELECT retired_at_ms AS atMs, sum(length(bytes)) OVER (ORDER BY retired_at_ms DESC, digest) AS total
         FROM retired_bodies JOIN bodies USING (digest))
       WHERE total > ? ORDER BY atMs DESC LIMIT 1`,
    ),
    forgetRetired: db.prepare('DELETE FROM retired_bodies WHERE retired_at_ms < ?'),
    clearAll: ['environments', 'keys', 'segments', 'contents', 'content_bodies'].map((table) =>
      db.prepare(`DELETE FROM ${table}`),
    ),
  };
}
