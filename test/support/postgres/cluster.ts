/** A PostgreSQL server of the tests' own, on a free loopback port: its databases, its standbys and their promotion. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryResultRow } from 'pg';
import { freeLoopbackPort } from '../wire/loopback-port.js';
import { findPostgres } from './binaries.js';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  loadoutRole,
  queryAsSuperuser,
} from './database.js';
import { PostgresFolder } from './folder.js';
import { PostgresProcess, startMillisMax } from './process.js';

const portAttemptsMax = 5;

export interface ClusterOptions {
  /** Whether a commit is on the disk before it is confirmed. Left out, a crash of the machine, but not of the server, may lose it. */
  readonly durable?: boolean;
  /** Further settings, which override those the tests run with. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A folder of `initdb` to copy, which takes a tenth of the time of another `initdb`. */
  readonly template?: string;
  /** Where the programs are; found when left out. */
  readonly bin?: string;
}

export interface StandbyOptions {
  readonly synchronous?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

/** What every server of the tests runs with: nothing outside its folder but one port, and room for many nodes. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '16MB',
  // The default would leave files in /dev/shm behind when the server is killed.
  dynamic_shared_memory_type: 'mmap',
  huge_pages: 'off',
  // A standby asks again this often for what it does not get; the default of 5 s would be most of a test.
  wal_retrieve_retry_interval: '100ms',
};

// The default order of texts is not that of their bytes, as on many a server: what relies on bytes has to say so.
const initdbArgs = [
  ...['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'],
  ...['--locale-provider=icu', '--icu-locale=en-US', '--no-sync', '--no-instructions'],
];
const accessRules = ['all', 'replication']
  .map((database) => `host ${database} all 127.0.0.1/32 trust\n`)
  .join('');

/** Makes the data of a new server in `folder`: for that server, or as the `template` of others. */
export async function initData(folder: PostgresFolder): Promise<void> {
  await folder.run({ name: 'initdb', args: [...initdbArgs, '-D', folder.data] });
  writeFileSync(join(folder.data, 'pg_hba.conf'), accessRules);
}

export class PostgresCluster extends PostgresProcess {
  static readonly #started = new Set<PostgresCluster>();

  readonly #options: ClusterOptions;

  /** A new server with the role of Loadout and nothing else in it; takes about half a second from a template. */
  static async start(options: ClusterOptions = {}): Promise<PostgresCluster> {
    const cluster = await PostgresCluster.#launch(options, async (folder) => {
      if (options.template === undefined) return initData(folder);
      const copy = spawnSync('cp', ['-a', options.template, folder.data], { encoding: 'utf8' });
      if (copy.status !== 0) throw new Error(`no copy of the template: ${copy.stderr}`);
    });
    await cluster.query(`CREATE ROLE ${loadoutRole} LOGIN`);
    return cluster;
  }

  /** Ends every server this process has started. */
  static async endAll(): Promise<void> {
    await Promise.all([...PostgresCluster.#started].map((cluster) => cluster.end()));
  }

  /** Fills a new folder and starts a server in it, on another port when somebody else was quicker. */
  static async #launch(
    options: ClusterOptions,
    fill: (folder: PostgresFolder) => Promise<void>,
  ): Promise<PostgresCluster> {
    const bin = options.bin ?? findPostgres();
    if (bin === null) throw new Error('There is no PostgreSQL of version 15 or newer.');
    const folder = new PostgresFolder(bin);
    try {
      await fill(folder);
      for (let attempt = 1; ; attempt++) {
        const cluster = new PostgresCluster(folder, await freeLoopbackPort(), options);
        try {
          await cluster.start();
          PostgresCluster.#started.add(cluster);
          return cluster;
        } catch (fault) {
          const isTaken = folder.logTail().includes('Address already in use');
          if (!isTaken || attempt === portAttemptsMax) throw fault;
        }
      }
    } catch (fault) {
      await folder.end();
      throw fault;
    }
  }

  private constructor(folder: PostgresFolder, port: number, options: ClusterOptions) {
    const fsync = options.durable === true ? 'on' : 'off';
    super(folder, port, { ...settings, fsync, ...options.settings });
    this.#options = options;
  }

  /** The address for Loadout, as its own role; several hosts: `databaseUrl`. */
  url(database = 'postgres'): string {
    return databaseUrl(database, this.port);
  }

  /** A new, empty database that belongs to Loadout's role; its address. */
  async createDatabase(): Promise<string> {
    return this.url(await createDatabase(this.port));
  }

  /** Drops a database that `createDatabase` made, whoever is still connected. */
  async dropDatabase(url: string): Promise<void> {
    await dropDatabase(this.port, new URL(url).pathname.slice(1));
  }

  /** Runs `sql` as superuser; the rows of its last statement. */
  query<Row extends QueryResultRow = QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
    database?: string,
  ): Promise<Row[]> {
    return queryAsSuperuser<Row>(this.port, sql, values, database);
  }

  /**
   * A standby of this server, streaming from it by a slot. A synchronous one confirms every commit from now on; another
   * follows as it can. It runs with the settings of this server and `settings` besides (`recovery_min_apply_delay`
   * makes it lag).
   */
  async startStandby(options: StandbyOptions = {}): Promise<PostgresCluster> {
    let name = '';
    const settings = { ...this.#options.settings, ...options.settings };
    const standby = await PostgresCluster.#launch(
      { ...this.#options, settings },
      async (folder) => {
        name = `standby_${folder.path.slice(-6).toLowerCase()}`;
        const source = `host=127.0.0.1 port=${this.port} user=postgres application_name=${name}`;
        await folder.run({
          name: 'pg_basebackup',
          args: [
            ...['--pgdata', folder.data, '--dbname', source, '--write-recovery-conf'],
            ...['--create-slot', '--slot', name, '--checkpoint=fast', '--no-sync'],
          ],
        });
        withoutStandbyNames(join(folder.data, 'postgresql.auto.conf'));
      },
    );
    if (options.synchronous === true) {
      await this.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await this.query('SELECT pg_reload_conf()');
    }
    const wanted = options.synchronous === true ? ['sync'] : ['sync', 'async', 'potential'];
    await standby.until(`${name} follows`, startMillisMax, async () => {
      const [row] = await this.query(
        `SELECT sync_state FROM pg_stat_replication WHERE application_name = '${name}' AND state = 'streaming'`,
      );
      return wanted.includes(row?.['sync_state']);
    });
    return standby;
  }

  /** Makes a standby the server that takes writes; resolved when it does. */
  async promote(): Promise<void> {
    const [row] = await this.query<{ done: boolean }>(
      `SELECT pg_promote(true, ${startMillisMax / 1000}) AS done`,
    );
    if (row?.done !== true) throw new Error(`no promotion\n${this.logTail()}`);
  }

  override async end(): Promise<void> {
    PostgresCluster.#started.delete(this);
    await super.end();
  }
}

/** A standby must not wait, once it is promoted, for the standby that its primary waited for. */
function withoutStandbyNames(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(
    file,
    lines.filter((line) => !line.startsWith('synchronous_standby_names')).join('\n'),
  );
}
