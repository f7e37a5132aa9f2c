/** Keeps rows in Parquet files by environment and day of receipt, which DuckDB writes and reads (D97). */
import { statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ExportRequest, Retained, RetentionRules } from '../../process-messages.js';
import type { Batch } from '../batches.js';
import { type Duckdb, rowsOfQuery } from '../duckdb.js';
import { parquetFiles, partitionFolder } from '../event-folder.js';
import type { EventRows } from '../event-rows.js';
import type { EventSink } from '../event-sink.js';
import type { DuckdbEvents, EventSource } from '../event-source.js';
import { exportRows } from '../export-rows.js';
import { ForgottenFile, type ForgottenUser } from '../forgotten-users.js';
import { columnsOf, type EventTable, eventTables } from '../rows.js';
import { type BatchCounts, withStagedBatch } from '../staged-batch.js';
import { HashedIds, idKeyOf, plainIds, type UserIds } from '../user-ids.js';
import { openViews, quoted, quotedPath, rowsOf } from '../views.js';
import { showEventsOnce } from './events-once.js';
import { finishMerge, merge, mergeDue } from './merge.js';
import { distinctRows, writeParquet } from './parquet-files.js';
import { allParquetFiles, bytesByTable, removeOldDays } from './parquet-retention.js';

export class ParquetSink implements EventSink {
  readonly source: EventSource = { read: (environment, use) => this.#read(environment, use) };
  readonly #events: string;
  readonly #duckdb: Duckdb;
  readonly #forgotten: ForgottenFile;

  constructor(events: string, duckdb: Duckdb) {
    this.#events = events;
    this.#duckdb = duckdb;
    this.#forgotten = new ForgottenFile(events);
    finishMerge(events);
  }

  async ids(hashed: boolean): Promise<UserIds> {
    return hashed ? new HashedIds(Buffer.from(idKeyOf(this.#events), 'hex')) : plainIds;
  }

  async forgotten(): Promise<readonly ForgottenUser[]> {
    return this.#forgotten.read();
  }

  store(batch: Batch, rows: EventRows): Promise<BatchCounts> {
    return this.#duckdb.use((connection) =>
      withStagedBatch(this.#events, batch, rows, async ({ files, counts }) => {
        for (const { table, path } of files) {
          await this.#write(connection, table, path, batch.id);
        }
        return counts;
      }),
    );
  }

  async #write(
    connection: DuckDBConnection,
    table: EventTable,
    path: string,
    batchId: string,
  ): Promise<void> {
    const types = columnsOf[table].map(({ name, duckdb }) => `"${name}": '${duckdb}'`).join(', ');
    const rows = `SELECT * FROM read_ndjson(${quotedPath(path)}, columns = {${types}})`;
    await connection.run(`CREATE OR REPLACE TEMP TABLE incoming AS ${distinctRows(table, rows)}`);
    const partitions = await rowsOfQuery(
      connection,
      'SELECT DISTINCT environment, day FROM incoming',
    );
    for (const { environment, day } of partitions) {
      const folder = partitionFolder(this.#events, table, String(environment), String(day));
      const part = `SELECT * FROM incoming WHERE environment = ${quoted(String(environment))} AND day = ${quoted(String(day))}`;
      await writeParquet(
        ...[connection, this.#events, table, part],
        join(folder, `${batchId}.parquet`),
      );
    }
    await connection.run('DROP TABLE incoming');
  }

  async discard(batchId: string): Promise<void> {
    const stored = allParquetFiles(this.#events).filter(
      ({ path }) => basename(path) === `${batchId}.parquet`,
    );
    for (const { path } of stored) await rm(path, { force: true });
  }

  async tidy(nowMs: number): Promise<boolean> {
    this.#forgotten.forgetOld(nowMs);
    const due = mergeDue(this.#events, nowMs);
    if (due === null) return false;
    await this.#duckdb.use((connection) => merge(connection, this.#events, due, nowMs));
    return true;
  }

  async retain(rules: RetentionRules, nowMs: number): Promise<Retained['storedBytes']> {
    removeOldDays(this.#events, rules, nowMs);
    return bytesByTable(this.#events);
  }

  async export({ environment, table, format, from, to, path }: ExportRequest): Promise<number> {
    const isWanted = (day: string): boolean =>
      (from === null || day >= from) && (to === null || day <= to);
    const files = parquetFiles(this.#events, table, environment, isWanted);
    const rows = distinctRows(table, rowsOf(table, files));
    await mkdir(dirname(path), { recursive: true });
    return this.#duckdb.use((connection) => exportRows(connection, { table, format, path }, rows));
  }

  async forget(user: ForgottenUser, userIds: readonly string[]): Promise<number> {
    this.#forgotten.add(user);
    const isTheirs = `u IN (${userIds.map(quoted).join(', ')})`;
    let removed = 0;
    await this.#duckdb.use(async (connection) => {
      for (const table of eventTables) {
        const files = parquetFiles(this.#events, table, user.environment);
        if (files.length === 0) continue;
        const found = await rowsOfQuery(
          connection,
          `SELECT filename, count(*) AS rows FROM read_parquet([${files.map(quotedPath).join(', ')}], filename = true, hive_partitioning = false) WHERE ${isTheirs} GROUP BY filename`,
        );
        for (const { filename, rows } of found) {
          const path = String(filename);
          const others = `SELECT * FROM (${rowsOf(table, [path])}) WHERE NOT (${isTheirs})`;
          await writeParquet(connection, this.#events, table, others, path);
          removed += Number(rows);
        }
      }
    });
    return removed;
  }

  async close(): Promise<void> {
    // The process ends, and with it what is in memory.
  }

  #read<T>(environment: string, use: (events: DuckdbEvents) => Promise<T>): Promise<T> {
    return this.#duckdb.use(async (connection) => {
      await openViews(connection, this.#events, environment);
      const files = eventTables.flatMap((table) => parquetFiles(this.#events, table, environment));
      const fingerprint = files
        .map((path) => `${path}:${statSync(path).size}`)
        .sort()
        .join('\n');
      const showOnce = () => showEventsOnce(connection, this.#events, environment);
      return use({ kind: 'duckdb', connection, fingerprint, showOnce });
    });
  }
}
