/** Reads published.db for delivery: everything, what changed since a sequence, or one body. */
import { digestOf } from '../content/hash.js';
import type { KeyPurpose } from './change.js';
import { damageOf, findingDamage, PublishedDamaged } from './damage.js';
import { type EnvironmentSettings, readSettings } from './environment-settings.js';
import { checkSum } from './row-sum.js';
import type { PublishedCandidateRow, PublishedLineRow } from './schema.js';
import { BetterSqlite3, type Database } from './sqlite-driver.js';

export interface EnvironmentRow {
  readonly id: string;
  readonly settings: EnvironmentSettings;
}

export interface KeyRow {
  /** SHA-256 of the key's text, lower-case hex. */
  readonly hash: string;
  readonly environment: string;
  /** Milliseconds since the epoch, or null. */
  readonly expiresAtMs: number | null;
  readonly purpose: KeyPurpose;
}

export interface SegmentRow {
  readonly environment: string;
  readonly name: string;
  /** The live condition, JSON text; null: the segment is not live. */
  readonly condition: string | null;
  /** The condition that candidates see, JSON text; null: the live one. */
  readonly candidate: string | null;
}

/** What a content item delivers: live, or as the candidate of a release. */
export interface DeliveryRow {
  /** Ascending by version. */
  readonly lines: readonly PublishedLineRow[];
  /** SHA-256 of the mapping text, or '' without one. */
  readonly mappingDigest: string;
  /** The mapping text, or null without one. */
  readonly mapping: Uint8Array | null;
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
}

/** See `PublishedCandidate`. */
export interface CandidateRow extends Omit<PublishedCandidateRow, 'content'> {
  /** Null: callers that are in have no such content item. */
  readonly content: DeliveryRow | null;
}

export interface ContentRow extends DeliveryRow {
  readonly environment: string;
  readonly id: string;
  /** Empty where only the candidate is there. */
  readonly lines: readonly PublishedLineRow[];
  readonly candidate: CandidateRow | null;
}

/** Everything that is published, as of one sequence; of contents only the names (see `content`). */
export interface PublishedSnapshot {
  /** Which store it was published from. */
  readonly storeId: string;
  /** Secret of the store, 32 bytes; null: an earlier version published it, and the store was not read since. */
  readonly streamKey: Uint8Array | null;
  readonly sequence: number;
  readonly environments: readonly EnvironmentRow[];
  readonly keys: readonly KeyRow[];
  readonly segments: readonly SegmentRow[];
  readonly contents: readonly (readonly [environment: string, idLower: string])[];
}

/** What changed: the present state of the few and small things; of contents only the names (see `content`). */
export interface PublishedDelta {
  /** Which store it was published from. */
  readonly storeId: string;
  /** See `PublishedSnapshot`. */
  readonly streamKey: Uint8Array | null;
  readonly sequence: number;
  /** Those that were made, or removed (null): what was in one of the same name is not named. */
  readonly environments: ReadonlyMap<string, EnvironmentRow | null>;
  /** Of environments that were there before, and still are. */
  readonly settings: ReadonlyMap<string, EnvironmentSettings>;
  readonly keys: ReadonlyMap<string, KeyRow | null>;
  readonly segments: readonly (readonly [environment: string, name: string, SegmentRow | null])[];
  readonly contents: readonly (readonly [environment: string, idLower: string])[];
}

interface RawContent {
  readonly environment: string;
  readonly idLower: string;
  readonly id: string;
  readonly lines: string;
  readonly mappingDigest: string;
  readonly flags: string;
  readonly candidate: string;
  readonly sum: string;
  readonly mapping: Buffer | null;
}

/** As the columns have it: '' for none. */
interface RawEnvironment {
  readonly id: string;
  readonly settings: string;
}

/** As the columns have it: '' for none. */
interface RawSegment {
  readonly environment: string;
  readonly name: string;
  readonly condition: string;
  readonly candidate: string;
}

interface RawState {
  readonly id: number;
  readonly format: number;
  readonly storeId: string;
  readonly sequence: number;
  readonly changesAfter: number;
  readonly mark: string;
  readonly refused: string;
  readonly streamKey: string;
  readonly sum: string;
}

type Summed<Row> = Row & { readonly sum: string };

interface ChangeName {
  readonly kind: 'environment' | 'settings' | 'key' | 'segment' | 'content';
  readonly environment: string;
  readonly name: string;
}

const contentColumns = `contents.environment, contents.id_lower AS idLower, contents.id, contents.lines,
  contents.mapping_digest AS mappingDigest, contents.flags, contents.candidate, contents.sum,
  mappings.bytes AS mapping
  FROM contents LEFT JOIN bodies AS mappings ON mappings.digest = contents.mapping_digest`;

/**
 * Whatever it gives is what was written: rows have sums, bodies and mappings are compared with the digests that they are
 * kept under.
 */
export class PublishedReader {
  readonly #db: Database;
  readonly #statements: Statements;

  /**
   * Opens the file, which the writer has already prepared.
   * @throws PublishedDamaged, as all of its methods do
   */
  constructor(path: string) {
    this.#db = findingDamage(
      () => new BetterSqlite3(path, { readonly: true, fileMustExist: true }),
    );
    try {
      this.#db.pragma('busy_timeout = 5000');
      this.#statements = prepareStatements(this.#db);
    } catch (error) {
      this.#db.close();
      throw damageOf(error);
    }
  }

  /** Everything; to be called within `inSnapshot`. */
  snapshot(): PublishedSnapshot {
    const s = this.#statements;
    return findingDamage(() => ({
      ...storeOf(this.#state()),
      environments: s.environments.all().map(checkEnvironment),
      keys: s.keys.all().map(checkKey),
      segments: s.segments.all().map(checkSegment),
      contents: s.contentNames.all(),
    }));
  }

  /**
   * Does work that takes several turns of the event loop in one read transaction: all it reads is of one sequence.
   * One at a time.
   */
  async inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    findingDamage(() => this.#db.exec('BEGIN'));
    try {
      return await work();
    } finally {
      if (this.#db.inTransaction) this.#db.exec('COMMIT');
    }
  }

  /**
   * What changed after `sequence`. Null: the names of those changes are gone (read a snapshot instead).
   * To be called within `inSnapshot`, so that the contents that are read next are of the same sequence.
   */
  changesAfter(sequence: number): PublishedDelta | null {
    return findingDamage(() => this.#delta(sequence));
  }

  /** The present row of a content, or null when it is gone. */
  content(environment: string, idLower: string): ContentRow | null {
    return findingDamage(() => {
      const row = this.#statements.content.get(environment, idLower);
      return row === undefined ? null : this.#parseContent(row);
    });
  }

  /** The bytes stored under a digest, compared with it; null: nothing that is published uses them any more. */
  body(digest: string): Uint8Array | null {
    return findingDamage(() => {
      const row = this.#statements.body.get({ digest });
      const bytes = row?.bytes ?? null;
      if (bytes !== null) return checkBytes(digest, bytes);
      if (row?.used !== 1) return null;
      throw new PublishedDamaged(`published.db is damaged: it has no body ${digest}.`);
    });
  }

  close(): void {
    this.#db.close();
  }

  #parseContent(row: RawContent): ContentRow {
    const { environment, idLower, id, lines, mappingDigest, flags, candidate, sum } = row;
    checkSum('contents', [environment, idLower, id, lines, mappingDigest, flags, candidate], sum);
    return {
      ...{ environment, id, mappingDigest },
      lines: JSON.parse(lines) as PublishedLineRow[],
      mapping: checkMapping(mappingDigest, row.mapping),
      flags: JSON.parse(flags) as string[],
      candidate: candidate === '' ? null : this.#candidateOf(JSON.parse(candidate)),
    };
  }

  #candidateOf({ content, ...ramp }: PublishedCandidateRow): CandidateRow {
    if (content === null) return { ...ramp, content };
    const { mappingDigest: digest } = content;
    const mapping = digest === '' ? null : (this.#statements.body.get({ digest })?.bytes ?? null);
    return { ...ramp, content: { ...content, mapping: checkMapping(digest, mapping) } };
  }

  #delta(after: number): PublishedDelta | null {
    const s = this.#statements;
    const state = this.#state();
    if (after < state.changesAfter || after > state.sequence) return null;
    const environments = new Map<string, EnvironmentRow | null>();
    const settings = new Map<string, EnvironmentSettings>();
    const keys = new Map<string, KeyRow | null>();
    const segments: PublishedDelta['segments'][number][] = [];
    const contents: PublishedDelta['contents'][number][] = [];
    for (const { kind, environment, name } of s.changes.all(after)) {
      switch (kind) {
        case 'environment':
          environments.set(environment, checked(s.environment.get(environment), checkEnvironment));
          break;
        case 'settings': {
          const row = checked(s.environment.get(environment), checkEnvironment);
          if (row !== null) settings.set(environment, row.settings);
          break;
        }
        case 'key':
          keys.set(name, checked(s.key.get(name), checkKey));
          break;
        case 'segment':
          segments.push([
            environment,
            name,
            checked(s.segment.get(environment, name), checkSegment),
          ]);
          break;
        case 'content':
          contents.push([environment, name]);
          break;
      }
    }
    return { ...storeOf(state), environments, settings, keys, segments, contents };
  }

  #state(): RawState {
    const row = this.#statements.state.get();
    if (row === undefined) throw new PublishedDamaged('published.db is damaged: it has no state.');
    const { id, format, storeId, sequence, changesAfter, mark, refused, streamKey, sum } = row;
    const fields = [id, format, storeId, sequence, changesAfter, mark, refused, streamKey];
    checkSum('state', fields, sum);
    return row;
  }
}

function storeOf(row: RawState): Pick<PublishedSnapshot, 'storeId' | 'streamKey' | 'sequence'> {
  const { storeId, sequence } = row;
  const streamKey = row.streamKey === '' ? null : Buffer.from(row.streamKey, 'base64url');
  return { storeId, streamKey, sequence };
}

function checkEnvironment({ id, settings, sum }: Summed<RawEnvironment>): EnvironmentRow {
  checkSum('environments', [id, settings], sum);
  return { id, settings: readSettings(settings) };
}

function checkKey({ sum, ...row }: Summed<KeyRow>): KeyRow {
  checkSum('keys', [row.hash, row.environment, row.expiresAtMs, row.purpose], sum);
  return row;
}

function checkSegment({ sum, ...row }: Summed<RawSegment>): SegmentRow {
  const { environment, name, condition, candidate } = row;
  checkSum('segments', [environment, name, condition, candidate], sum);
  return { environment, name, condition: textOrNull(condition), candidate: textOrNull(candidate) };
}

/** Of a column that has '' for none. */
function textOrNull(text: string): string | null {
  return text === '' ? null : text;
}

function checked<Raw, Row>(row: Raw | undefined, check: (row: Raw) => Row): Row | null {
  return row === undefined ? null : check(row);
}

function checkBytes(digest: string, bytes: Uint8Array): Uint8Array {
  if (bytes instanceof Uint8Array && digestOf(bytes) === digest) return bytes;
  throw new PublishedDamaged(`published.db is damaged: the bytes of ${digest} are not these.`);
}

/** @param digest '' where there is no mapping */
function checkMapping(digest: string, mapping: Uint8Array | null): Uint8Array | null {
  if (mapping !== null) return checkBytes(digest, mapping);
  if (digest === '') return null;
  throw new PublishedDamaged(`published.db is damaged: it has no mapping ${digest}.`);
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  const environmentColumns = 'id, settings, sum FROM environments';
  const keyColumns = 'hash, environment, expires_at_ms AS expiresAtMs, purpose, sum FROM keys';
  const segmentColumns = 'environment, name, condition, candidate, sum FROM segments';
  return {
    state: db.prepare<[], RawState>(
      `SELECT id, format, store_id AS storeId, sequence, changes_after AS changesAfter, mark, refused,
       stream_key AS streamKey, sum FROM state`,
    ),
    environments: db.prepare<[], Summed<RawEnvironment>>(`SELECT ${environmentColumns}`),
    environment: db.prepare<[string], Summed<RawEnvironment>>(
      `SELECT ${environmentColumns} WHERE id = ?`,
    ),
    keys: db.prepare<[], Summed<KeyRow>>(`SELECT ${keyColumns}`),
    key: db.prepare<[string], Summed<KeyRow>>(`SELECT ${keyColumns} WHERE hash = ?`),
    segments: db.prepare<[], Summed<RawSegment>>(`SELECT ${segmentColumns}`),
    segment: db.prepare<[string, string], Summed<RawSegment>>(
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
    // One statement, one state of the file: an edit may remove a body between two. It is looked for who uses it only
    // where it is missing.
    body: db.prepare<[{ digest: string }], { bytes: Buffer | null; used: number }>(
      `SELECT bytes, 1 AS used FROM bodies WHERE digest = @digest
       UNION ALL
       SELECT NULL, EXISTS (
         SELECT 1 FROM contents
         WHERE mapping_digest = @digest OR instr(lines, @digest) > 0 OR instr(candidate, @digest) > 0
       )`,
    ),
  };
}
