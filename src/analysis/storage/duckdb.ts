/**
 * DuckDB in memory, with limits. Its binary is an optional part of Loadout, which is loaded with the first use (D97). It loads no
 * extension beyond those that are in the binary: it never reaches for the network.
 */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { StorageFailed } from './storage-failed.js';

export interface DuckdbLimits {
  /** What it may keep in memory, bytes. Beyond it, it writes to temporary files. */
  readonly memoryBytesMax: number;
  /** For temporary files, which it removes itself. */
  readonly folder: string;
}

/** The machine serves players with the other cores. */
const threads = 2;
/** A query that needs more is too large for this machine. */
const temporaryBytesMax: number = 16 * 1024 ** 3;

export class Duckdb {
  readonly #limits: DuckdbLimits;
  #instance: DuckDBInstance | null = null;

  constructor(limits: DuckdbLimits) {
    this.#limits = limits;
  }

  /**
   * Lends a connection, with temporary tables and views of its own.
   * @throws StorageFailed `duckdb_unavailable` where there is no binary for this machine
   */
  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.#instance ??= await this.#open();
    const connection = await this.#instance.connect();
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  }

  async #open(): Promise<DuckDBInstance> {
    const { DuckDBInstance: Instance } = await load();
    const { memoryBytesMax, folder } = this.#limits;
    const instance = await Instance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${memoryBytesMax}B`,
      temp_directory: folder,
      max_temp_directory_size: `${temporaryBytesMax}B`,
      // Rows have no order of their own, and keeping it takes memory.
      preserve_insertion_order: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    connection.closeSync();
    return instance;
  }
}

async function load(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0];
    throw new StorageFailed(
      'duckdb_unavailable',
      `DuckDB cannot be loaded on ${process.platform}-${process.arch} (${reason}): events wait until it is there. Install Loadout with its optional packages, or send events to PostgreSQL (--events-to postgres).`,
      { cause },
    );
  }
}

/** The rows of a query, with values as JSON has them; numbers of 64 bits are texts. */
export async function rowsOfQuery(
  connection: DuckDBConnection,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}
