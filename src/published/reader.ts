/** Reads published.db for delivery: everything, what changed since a sequence, or one body. */
import BetterSqlite3 from 'better-sqlite3';
import type { PublishedLineRow } from './schema.js';

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

/** Everything that is published, as of one sequence. */
export interface PublishedSnapshot {
  readonly sequence: number;
  readonly environments: readonly string[];
  readonly keys: readonly KeyRow[];
  readonly segments: readonly SegmentRow[];
  readonly contents: readonly ContentRow[];
}

/** The present state of what changed; a name without a row is gone. */
export interface PublishedDelta {
  readonly sequence: number;
  readonly environments: ReadonlyMap<string, boolean>;
  readonly keys: ReadonlyMap<string, KeyRow | null>;
  readonly segments: readonly (readonly [environment: string, name: string, SegmentRow | null])[];
  readonly contents: readonly (readonly [
    environment: string,
    idLower: string,
    ContentRow | null,
  ])[];
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
  readonly #db: BetterSqlite3.Database;
  readonly #statements: Statements;

  /** Opens the file, which the writer has already prepared. */
  constructor(path: string) {
    this.#db = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    this.#db.pragma('busy_timeout = 5000');
    this.#statements = prepareStatements(this.#db);
  }

  /** Everything, in one read transaction. */
  snapshot(): PublishedSnapshot {
    const s = this.#statements;
    return this.#db.transaction(() => ({
      sequence: s.state.get()?.sequence ?? 0,
      environments: s.environments.all().map((row) => row.id),
      keys: s.keys.all(),
      segments: s.segments.all(),
      contents: s.contents.all().map(parseContent),
    }))();
  }

  /**
   * What changed after `sequence`, in one read transaction.
   * Null: the names of those changes are gone (read a snapshot instead).
   */
  changesAfter(sequence: number): PublishedDelta | null {
    return this.#db.transaction(() => this.#delta(sequence))();
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
        case 'content': {
          const row = s.content.get(environment, name);
          contents.push([environment, name, row === undefined ? null : parseContent(row)]);
          break;
        }
      }
    }
    return { sequence: state.sequence, environments, keys, segments, contents };
  }
}

function parseContent(row: RawContent): ContentRow {
  return { ...row, lines: JSON.parse(row.lines) as PublishedLineRow[] };
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: BetterSqlite3.Database) {
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
    contents: db.prepare<[], RawContent>(`SELECT ${contentColumns}`),
    content: db.prepare<[string, string], RawContent>(
      `SELECT ${contentColumns} WHERE environment = ? AND id_lower = ?`,
    ),
    changes: db.prepare<[number], ChangeName>(
      'SELECT DISTINCT kind, environment, name FROM changes WHERE sequence > ?',
    ),
    body: db.prepare<[string], { bytes: Buffer }>('SELECT bytes FROM bodies WHERE digest = ?'),
  };
}
