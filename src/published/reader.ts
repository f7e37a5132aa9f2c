/** Reads published.db for delivery: everything, what changed since a sequence, or one body. */

import type { PublishedLineRow } from './schema.js';
import { BetterSqlite3, type Database } from './sqlite-driver.js';

export interface KeyRow {
  /** SHA-256 of the key's text, lower-case hex. */
  readonly hash: string;
  readonly environment: string;
  /** Milliseconds since the epoch, or null. */
  readonly expiresAtMs: number | null;
}

export interface SegmentRow {
  readonly environment: string;
  readonly name: string;
  /** The condition, JSON text. */
  readonly condition: string;
}

export interface ContentRow {
  readonly environment: string;
  readonly id: string;
  readonly lines: readonly PublishedLineRow[];
  /** SHA-256 of the mapping text, or '' without one. */
  readonly mappingDigest: string;
  /** The mapping text, or null without one. */
  readonly mapping: Uint8Array | null;
}

/** Everything that is published, as of one sequence; of contents only the names (see `content`). */
export interface PublishedSnapshot {
  readonly sequence: number;
  readonly environments: readonly string[];
  readonly keys: readonly KeyRow[];
  readonly segments: readonly SegmentRow[];
  readonly contents: readonly (readonly [environment: string, idLower: string])[];
}

/** What changed: the present state of the few and small things; of contents only the names (see `content`). */
export interface PublishedDelta {
  readonly sequence: number;
  readonly environments: ReadonlyMap<string, boolean>;
  readonly keys: ReadonlyMap<string, KeyRow | null>;
  readonly segments: readonly (readonly [environment: string, name: string, SegmentRow | null])[];
  readonly contents: readonly (readonly [environment: string, idLower: string])[];
}

interface RawContent {
  readonly environment: string;
  readonly id: string;
  readonly lines: string;
  readonly mappingDigest: string;
  readonly mapping: Buffer | null;
}

interface ChangeName {
  readonly kind: 'environment' | 'key' | 'segment' | 'content';
  readonly environment: string;
  readonly name: string;
}

const contentColumns = `contents.environment, contents.id, contents.lines,
  contents.mapping_digest AS mappingDigest, mappings.bytes AS mapping
  FROM contents LEFT JOIN bodies AS mappings ON mappings.digest = contents.mapping_digest`;

export class PublishedReader {
  readonly #db: Database;
  readonly #statements: Statements;

  /** Opens the file, which the writer has already prepared. */
  constructor(path: string) {
    this.#db = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    this.#db.pragma('busy_timeout = 5000');
    this.#statements = prepareStatements(this.#db);
  }

  /** Everything; to be called within `inSnapshot`. */
  snapshot(): PublishedSnapshot {
    const s = this.#statements;
    return {
      sequence: s.state.get()?.sequence ?? 0,
      environments: s.environments.all().map((row) => row.id),
      keys: s.keys.all(),
      segments: s.segments.all(),
      contents: s.contentNames.all(),
    };
  }

  /**
   * Does work that takes several turns of the event loop in one read transaction: all it reads is of one sequence.
   * One at a time.
   */
  async inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    this.#db.exec('BEGIN');
    try {
      return await work();
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  /**
   * What changed after `sequence`. Null: the names of those changes are gone (read a snapshot instead).
   * To be called within `inSnapshot`, so that the contents that are read next are of the same sequence.
   */
  changesAfter(sequence: number): PublishedDelta | null {
    return this.#delta(sequence);
  }

  /** The present row of a content, or null when it is gone. */
  content(environment: string, idLower: string): ContentRow | null {
    const row = this.#statements.content.get(environment, idLower);
    return row === undefined ? null : parseContent(row);
  }

  /** The bytes stored under a digest, or null. */
  body(digest: string): Uint8Array | null {
    return this.#statements.body.get(digest)?.bytes ?? null;
  }

  close(): void {
    this.#db.close();
  }

  #delta(after: number): PublishedDelta | null {
    const s = this.#statements;
    const state = s.state.get();
    if (state === undefined || after < state.changesAfter || after > state.sequence) return null;
    const environments = new Map<string, boolean>();
    const keys = new Map<string, KeyRow | null>();
    const segments: PublishedDelta['segments'][number][] = [];
    const contents: PublishedDelta['contents'][number][] = [];
    for (const { kind, environment, name } of s.changes.all(after)) {
      switch (kind) {
        case 'environment':
          environments.set(environment, s.environment.get(environment) !== undefined);
          break;
        case 'key':
          keys.set(name, s.key.get(name) ?? null);
          break;
        case 'segment':
          segments.push([environment, name, s.segment.get(environment, name) ?? null]);
          break;
        case 'content':
          contents.push([environment, name]);
          break;
      }
    }
    return { sequence: state.sequence, environments, keys, segments, contents };
  }
}

function parseContent(row: RawContent): ContentRow {
  return { ...row, lines: JSON.parse(row.lines) as PublishedLineRow[] };
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  const keyColumns = 'hash, environment, expires_at_ms AS expiresAtMs FROM keys';
  const segmentColumns = 'environment, name, condition FROM segments';
  return {
    state: db.prepare<[], { sequence: number; changesAfter: number }>(
      'SELECT sequence, changes_after AS changesAfter FROM state',
    ),
    environments: db.prepare<[], { id: string }>('SELECT id FROM environments'),
    environment: db.prepare<[string], { id: string }>('SELECT id FROM environments WHERE id = ?'),
    keys: db.prepare<[], KeyRow>(`SELECT ${keyColumns}`),
    key: db.prepare<[string], KeyRow>(`SELECT ${keyColumns} WHERE hash = ?`),
    segments: db.prepare<[], SegmentRow>(`SELECT ${segmentColumns}`),
    segment: db.prepare<[string, string], SegmentRow>(
      `SELECT ${segmentColumns} WHERE environment = ? AND name = ?`,
    ),
    contentNames: db
      .prepare<[], [string, string]>('SELECT environment, id_lower FROM contents')
      .raw(),
    content: db.prepare<[string, string], RawContent>(
      `SELECT ${contentColumns} WHERE environment = ? AND id_lower = ?`,
    ),
    changes: db.prepare<[number], ChangeName>(
      'SELECT DISTINCT kind, environment, name FROM changes WHERE sequence > ?',
    ),
    body: db.prepare<[string], { bytes: Buffer }>('SELECT bytes FROM bodies WHERE digest = ?'),
  };
}
