/** The tables of published.db: what delivery needs to serve requests, and nothing of its history. */
import type { PublishedCandidate } from './change.js';
import { checkSum, type Field, rowSum } from './row-sum.js';
import type { Database } from './sqlite-driver.js';

/**
 * Raised whenever the tables below change. A file of another format holds nothing that the store
 * cannot give again, so the writer simply rebuilds it.
 */
export const publishedFormat = 6;

/** An app-version line as the `lines` column holds it (JSON). */
export interface PublishedLineRow {
  readonly version: string;
  /** SHA-256 of the delivered JSON, hex: its address in `bodies`. */
  readonly digest: string;
  /** The hash that clients see, hex (`content/hash.ts`). */
  readonly hash: string;
  /** Length of the delivered JSON. */
  readonly bytes: number;
}

/** The `candidate` column of a content item (JSON): `PublishedCandidate` with addresses in the place of texts. */
export interface PublishedCandidateRow extends Omit<PublishedCandidate, 'content'> {
  readonly content: {
    readonly lines: readonly PublishedLineRow[];
    /** SHA-256 of the mapping text, or '' without one. */
    readonly mappingDigest: string;
    readonly flags: readonly string[];
  } | null;
}

/*
 * bodies holds delivered JSON and mapping texts alike, each under its SHA-256. content_bodies says
 * which content uses which; unused ones wait in retired_bodies until every delivery process has moved on.
 * changes names what each sequence touched: a delivery process reads the names since its own sequence, then
 * the present rows. `stream_key` is the store's secret, base64url; '' until the store was read by a version that has
 * one (D82). `flags` is a JSON array. `candidate` of a content item is what a ramping release delivers in its place, JSON;
 * that of a segment is the condition that candidates see; '' is none. `condition` is '' where a segment is not live.
 * `settings` of an environment is JSON (environment-settings.ts); '' is none. Of an environment whose settings alone changed,
 * `changes` has the kind 'settings': 'environment' says that it was made or removed, with everything in it.
 * `sum` is over the row's other columns (row-sum.ts).
 */
const tables = `
  CREATE TABLE state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    format INTEGER NOT NULL,
    store_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    changes_after INTEGER NOT NULL,
    mark TEXT NOT NULL DEFAULT '',
    refused TEXT NOT NULL DEFAULT '',
    stream_key TEXT NOT NULL DEFAULT '',
    sum TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE TABLE environments (
    id TEXT PRIMARY KEY,
    settings TEXT NOT NULL DEFAULT '',
    sum TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (
    hash TEXT PRIMARY KEY,
    environment TEXT NOT NULL,
    expires_at_ms INTEGER,
    purpose TEXT NOT NULL DEFAULT 'game',
    sum TEXT NOT NULL DEFAULT ''
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE segments (
    environment TEXT NOT NULL,
    name TEXT NOT NULL,
    condition TEXT NOT NULL,
    candidate TEXT NOT NULL DEFAULT '',
    sum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (environment, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE contents (
    environment TEXT NOT NULL,
    id_lower TEXT NOT NULL,
    id TEXT NOT NULL,
    lines TEXT NOT NULL,
    mapping_digest TEXT NOT NULL,
    flags TEXT NOT NULL DEFAULT '[]',
    candidate TEXT NOT NULL DEFAULT '',
    sum TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (environment, id_lower)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE bodies (digest TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE content_bodies (
    digest TEXT NOT NULL,
    environment TEXT NOT NULL,
    id_lower TEXT NOT NULL,
    PRIMARY KEY (digest, environment, id_lower)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX content_bodies_by_content ON content_bodies (environment, id_lower);
  CREATE TABLE retired_bodies (digest TEXT PRIMARY KEY, retired_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE changes (
    sequence INTEGER NOT NULL,
    kind TEXT NOT NULL,
    environment TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (sequence, kind, environment, name)
  ) STRICT, WITHOUT ROWID;
`;

const tableNames = [
  'changes',
  'retired_bodies',
  'content_bodies',
  'bodies',
  'contents',
  'segments',
  'keys',
  'environments',
  'state',
];

/** Formats of earlier versions whose tables differ in columns alone. */
const upgradedFormats: ReadonlySet<number> = new Set([1, 2, 3, 4, 5]);

/**
 * Makes the tables where there are none; drops and makes those of a format that this version does not know. What it
 * knows it brings up to date as it is: players are served from it while the store is away.
 */
export function preparePublished(db: Database): void {
  db.transaction(() => {
    const format = formatOf(db);
    if (format === publishedFormat) return;
    if (format !== null && upgradedFormats.has(format)) {
      if (format === 3) checkRows(db, summedInFormat3);
      if (format === 4) checkRows(db, summedInFormat4);
      if (format === 5) checkRows(db, summedInFormat5);
      if (format === 1) for (const column of ['mark', 'refused']) addText(db, 'state', column);
      for (const table of summedTables) addText(db, table, 'sum');
      addText(db, 'state', 'stream_key');
      addText(db, 'environments', 'settings');
      addText(db, 'keys', 'purpose', 'game');
      addText(db, 'contents', 'flags', '[]');
      for (const table of ['segments', 'contents']) addText(db, table, 'candidate');
      db.prepare('UPDATE state SET format = ?').run(publishedFormat);
      sumRows(db);
      return;
    }
    for (const name of tableNames) db.exec(`DROP TABLE IF EXISTS ${name}`);
    db.exec(tables);
    db.prepare("INSERT INTO state VALUES (1, ?, '', 0, 0, '', '', '', '')").run(publishedFormat);
    sumRows(db);
  }).immediate();
}

function addText(db: Database, table: string, column: string, value = ''): void {
  const there = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
  if (there.all(table).includes(column)) return;
  db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} TEXT NOT NULL DEFAULT '${value}'`);
}

/** The columns that a row's sum is over, the primary key first. */
export const summed = {
  state: ['id', 'format', 'store_id', 'sequence', 'changes_after', 'mark', 'refused', 'stream_key'],
  environments: ['id', 'settings'],
  keys: ['hash', 'environment', 'expires_at_ms', 'purpose'],
  segments: ['environment', 'name', 'condition', 'candidate'],
  contents: ['environment', 'id_lower', 'id', 'lines', 'mapping_digest', 'flags', 'candidate'],
} as const;

type SummedColumns = Readonly<Record<keyof typeof summed, readonly string[]>>;

const summedInFormat5: SummedColumns = {
  ...summed,
  environments: ['id'],
  keys: ['hash', 'environment', 'expires_at_ms'],
};

const summedInFormat4: SummedColumns = {
  ...summedInFormat5,
  segments: ['environment', 'name', 'condition'],
  contents: ['environment', 'id_lower', 'id', 'lines', 'mapping_digest', 'flags'],
};

const summedInFormat3: SummedColumns = {
  ...summedInFormat4,
  state: ['id', 'format', 'store_id', 'sequence', 'changes_after', 'mark', 'refused'],
  contents: ['environment', 'id_lower', 'id', 'lines', 'mapping_digest'],
};

const summedTables = Object.keys(summed) as (keyof typeof summed)[];
const twoPartKeys: readonly string[] = ['segments', 'contents'];

type Summed = [...fields: Field[], sum: string];

function summedRows(
  db: Database,
  table: keyof typeof summed,
  of: SummedColumns = summed,
): IterableIterator<Summed> {
  const columns = of[table].join(', ');
  return db.prepare<[], Summed>(`SELECT ${columns}, sum FROM ${table}`).raw().iterate();
}

/**
 * Compares every row that has a sum with it: some 10 us a row.
 * @param of the columns that the sums are over
 * @throws PublishedDamaged
 */
export function checkRows(db: Database, of: SummedColumns = summed): void {
  for (const table of summedTables) {
    for (const row of summedRows(db, table, of))
      checkSum(table, row.slice(0, -1), row.at(-1) as string);
  }
}

/** For the columns of this format. Of a file whose format had no sums, what it holds is taken for what was written. */
function sumRows(db: Database): void {
  for (const table of summedTables) {
    const key = summed[table].slice(0, twoPartKeys.includes(table) ? 2 : 1);
    const where = key.map((column) => `${column} = ?`).join(' AND ');
    const set = db.prepare(`UPDATE ${table} SET sum = ? WHERE ${where}`);
    for (const row of [...summedRows(db, table)]) {
      set.run(rowSum(table, row.slice(0, -1)), ...row.slice(0, key.length));
    }
  }
}

/** Null: these are not our tables. */
function formatOf(db: Database): number | null {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'state'");
  if (table.get() === undefined) return null;
  const state = db.prepare('SELECT * FROM state').get() as { format?: number } | undefined;
  return state?.format ?? null;
}
