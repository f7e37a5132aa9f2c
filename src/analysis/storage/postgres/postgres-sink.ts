/** Copies rows into tables of PostgreSQL that servers share (D97). */
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import type { ExportRequest, RetentionRules } from '../../process-messages.js';
import type { Batch } from '../batches.js';
import type { Duckdb } from '../duckdb.js';
import { type EventRows, instantText } from '../event-rows.js';
import type { EventSink } from '../event-sink.js';
import type { EventSource, PostgresEvents } from '../event-source.js';
import { exportRows } from '../export-rows.js';
import type { ForgottenUser } from '../forgotten-users.js';
import { columnsOf, type EventTable, eventTables, keyOf } from '../rows.js';
import { type BatchCounts, withStagedBatch } from '../staged-batch.js';
import { StorageFailed } from '../storage-failed.js';
import { HashedIds, newIdKey, plainIds, type UserIds } from '../user-ids.js';
import { quotedPath } from '../views.js';
import { copyLines } from './copy-lines.js';
import type { EventDatabase } from './event-database.js';
import { dropPartitions, makeEventTables, makePartitions } from './event-tables.js';

const msPerDay = 24 * 3_600_000;
/** Rows of an export that are held in memory. */
const exportRowsPerFetch = 5_000;
/** A server that is away for longer than this stores what it has of a user who was forgotten meanwhile. */
const forgottenMsMax = 90 * msPerDay;

/** Shared by servers that store a batch; held alone by one that forgets a user. */
const forgettingLock = 0x10ad_f026;

/** The batch may have rows of a user whom another server has forgotten while they were made. */
class ForgottenMeanwhile extends StorageFailed {
  constructor() {
    super('sink_unavailable', 'A user was forgotten meanwhile: the rows are made again.');
  }
}

export class PostgresSink implements EventSink {
  readonly source: EventSource = { read: (_environment, use) => this.#read(use) };
  readonly #events: string;
  readonly #database: EventDatabase;
  readonly #duckdb: Duckdb;
  #isMade = false;
  /** Of the users that the rows of the next batch leave out. */
  #forgottenState = '';

  /** @param duckdb makes the formats of exports that PostgreSQL does not */
  constructor(events: string, database: EventDatabase, duckdb: Duckdb) {
    this.#events = events;
    this.#database = database;
    this.#duckdb = duckdb;
  }

  /** Servers share the key: a user has one id, whichever of them stores the event. */
  async ids(hashed: boolean): Promise<UserIds> {
    if (!hashed) return plainIds;
    const key = await this.#use(async (client) => {
      await client.query(`INSERT INTO settings VALUES ('id_key', $1) ON CONFLICT DO NOTHING`, [
        newIdKey(),
      ]);
      const { rows } = await client.query(`SELECT value FROM settings WHERE name = 'id_key'`);
      return String(rows[0]?.value);
    });
    return new HashedIds(Buffer.from(key, 'hex'));
  }

  forgotten(): Promise<readonly ForgottenUser[]> {
    return this.#use(async (client) => {
      const { rows } = await client.query('SELECT environment, hash, at FROM forgotten_users');
      this.#forgottenState = await forgottenState(client);
      return rows.map(({ environment, hash, at }) => ({ environment, hash, at: Number(at) }));
    });
  }

  store(batch: Batch, rows: EventRows): Promise<BatchCounts> {
    return withStagedBatch(this.#events, batch, rows, async ({ files, counts }) => {
      if (files.length === 0) return counts;
      await this.#use(async (client) => {
        await client.query('BEGIN');
        await client.query(`SELECT pg_advisory_xact_lock_shared(${forgettingLock})`);
        if ((await forgottenState(client)) !== this.#forgottenState) throw new ForgottenMeanwhile();
        for (const { table, path } of files) await insert(client, table, path);
        await client.query('COMMIT');
      });
      return counts;
    });
  }

  async discard(): Promise<void> {
    // A batch is stored as a whole.
  }

  async tidy(nowMs: number): Promise<boolean> {
    await this.#use((client) =>
      client.query('DELETE FROM forgotten_users WHERE at < $1', [nowMs - forgottenMsMax]),
    );
    return false;
  }

  async retain({ daysKept }: RetentionRules, nowMs: number): Promise<null> {
    if (daysKept === null) return null;
    const firstKept = instantText(nowMs - (daysKept - 1) * msPerDay).slice(0, 10);
    await this.#use((client) => dropPartitions(client, firstKept));
    return null;
  }

  async export(request: ExportRequest): Promise<number> {
    const { format, path, table } = request;
    await mkdir(dirname(path), { recursive: true });
    if (format === 'ndjson') return this.#use((client) => exportLines(client, request, path));
    const lines = `${path}.ndjson`;
    try {
      const rows = await this.#use((client) => exportLines(client, request, lines));
      const types = columnsOf[table].map(({ name, duckdb }) => `"${name}": '${duckdb}'`).join(', ');
      const from = `SELECT * FROM read_ndjson(${quotedPath(lines)}, columns = {${types}})`;
      await this.#duckdb.use((connection) => exportRows(connection, request, from));
      return rows;
    } finally {
      await rm(lines, { force: true });
    }
  }

  forget({ environment, hash, at }: ForgottenUser, userIds: readonly string[]): Promise<number> {
    return this.#use(async (client) => {
      await client.query('BEGIN');
      // Batches that do not know of the user yet are stored before this, and their rows are removed; others wait.
      await client.query(`SELECT pg_advisory_xact_lock(${forgettingLock})`);
      await client.query(
        `INSERT INTO forgotten_users VALUES ($1, $2, $3) ON CONFLICT (environment, hash) DO UPDATE SET at = excluded.at`,
        [environment, hash, at],
      );
      await client.query('COMMIT');
      let removed = 0;
      for (const table of eventTables) {
        const { rowCount } = await client.query(
          `DELETE FROM ${table} WHERE environment = $1 AND u = ANY($2)`,
          [environment, userIds],
        );
        removed += rowCount ?? 0;
      }
      return removed;
    });
  }

  async close(): Promise<void> {
    // Connections end with the work that they are for.
  }

  #use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.#database.use(async (client) => {
      if (!this.#isMade) await makeEventTables(client);
      this.#isMade = true;
      return work(client);
    });
  }

  #read<T>(use: (events: PostgresEvents) => Promise<T>): Promise<T> {
    return this.#use(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      const result = await use({ kind: 'postgres', client });
      await client.query('ROLLBACK');
      return result;
    });
  }
}

/** Changes with every user who is forgotten. */
async function forgottenState(client: Client): Promise<string> {
  const { rows } = await client.query(
    `SELECT concat_ws('/', count(*), max(at)) AS state FROM forgotten_users`,
  );
  return String(rows[0]?.state);
}

/** Copies the lines to a table of the transaction, and inserts what is not there yet. */
async function insert(client: Client, table: EventTable, path: string): Promise<void> {
  const columns = columnsOf[table].map(({ name }) => `"${name}"`).join(', ');
  await client.query('DROP TABLE IF EXISTS incoming');
  await client.query('CREATE TEMP TABLE incoming (line jsonb) ON COMMIT DROP');
  await copyLines(client, 'incoming', path);
  const { rows: days } = await client.query<{ day: string }>(
    `SELECT DISTINCT line->>'day' AS day FROM incoming`,
  );
  await makePartitions(
    client,
    table,
    days.map(({ day }) => day),
  );
  await client.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM incoming, jsonb_populate_record(NULL::${table}, line) ORDER BY received_at
     ON CONFLICT (${keyOf[table].join(', ')}, day) DO NOTHING`,
  );
}

/** In the form of rows.ts, each event once. @returns how many rows */
async function exportLines(
  client: Client,
  { environment, table, from, to }: ExportRequest,
  path: string,
): Promise<number> {
  const key = keyOf[table].join(', ');
  const columns = columnsOf[table].map(({ name }) => exported(name)).join(', ');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(
    `DECLARE exported NO SCROLL CURSOR FOR
     SELECT json_build_object(${columns})::text AS line
     FROM (SELECT DISTINCT ON (${key}) * FROM ${table}
       WHERE environment = $1 AND day >= coalesce($2::date, '-infinity') AND day <= coalesce($3::date, 'infinity')
       ORDER BY ${key}, received_at) AS e`,
    [environment, from, to],
  );
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for (;;) {
      const { rows: page } = await client.query<{ line: string }>(
        `FETCH ${exportRowsPerFetch} FROM exported`,
      );
      if (page.length === 0) return;
      rows += page.length;
      yield `${page.map(({ line }) => line).join('\n')}\n`;
    }
  }
  await pipeline(lines, createWriteStream(path, { mode: 0o600 }));
  await client.query('ROLLBACK');
  return rows;
}

/** Times as rows have them. */
function exported(name: string): string {
  const value =
    name === 'at' || name === 'received_at'
      ? `to_char(e."${name}", 'YYYY-MM-DD HH24:MI:SS.MS')`
      : `e."${name}"`;
  return `'${name}', ${value}`;
}
