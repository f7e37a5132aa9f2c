import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisRequest } from '../../../../src/analysis/messages.js';
import { analyse, type QueriedStatistics } from '../../../../src/analysis/queries/analyse.js';
import { withDuckdbEvents } from '../../../../src/analysis/queries/duckdb-events.js';
import { postgresEvents } from '../../../../src/analysis/queries/postgres-events.js';
import { freshDatabase, hasPostgres } from '../../../support/postgres/postgres.js';
import { seededRandom } from '../../../support/seeded-random.js';
import { expectStatistics } from './expect-statistics.js';
import { oracle, type Rows } from './oracle.js';
import { randomSet } from './random-events.js';
import { createTables, fillTables } from './tables.js';

const setsPerBlock = 30;
/** First seeds: 300 sets of events in all. */
const blocks = Array.from({ length: 10 }, (_, block) => block * setsPerBlock + 1);

interface Engine {
  readonly name: string;
  readonly isHere: boolean;
  /** Its tables may have an event in several rows. */
  readonly mayRepeat: boolean;
  open(): Promise<Opened>;
}

interface Opened {
  ask(rows: Rows, request: AnalysisRequest): Promise<QueriedStatistics>;
  close(): Promise<void>;
}

/** What merges of Parquet files leave of the events: each by its first receipt. */
function once({ exposures, metricEvents }: Rows): Rows {
  const byKey = new Map<string, Rows['metricEvents'][number]>();
  for (const row of metricEvents) {
    const key = JSON.stringify([row.environment, row.u, row.eid]);
    const known = byKey.get(key);
    if (known === undefined || row.received_at < known.received_at) byKey.set(key, row);
  }
  return { exposures, metricEvents: [...byKey.values()] };
}

function duckdb(name: string, mayRepeat: boolean): Engine {
  return {
    name,
    isHere: true,
    mayRepeat,
    open: async () => {
      const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
      const connection = await instance.connect();
      for (const sql of createTables('duckdb')) await connection.run(sql);
      return {
        ask: async (rows, request) => {
          for (const sql of fillTables(rows)) await connection.run(sql);
          return withDuckdbEvents(connection, mayRepeat, (database) => analyse(database, request));
        },
        close: async () => {
          connection.closeSync();
          instance.closeSync();
        },
      };
    },
  };
}

const engines: Engine[] = [
  duckdb('DuckDB', true),
  duckdb('DuckDB from events that are there once', false),
  {
    name: 'PostgreSQL',
    isHere: hasPostgres,
    mayRepeat: true,
    open: async () => {
      // A server's own settings must not move days.
      const options = '-c timezone=Pacific/Auckland -c datestyle=German';
      const client = new pg.Client({ connectionString: await freshDatabase(), options });
      await client.connect();
      for (const sql of createTables('postgres')) await client.query(sql);
      return {
        ask: async (rows, request) => {
          for (const sql of fillTables(rows)) await client.query(sql);
          await client.query('begin isolation level repeatable read');
          try {
            return await analyse(await postgresEvents(client), request);
          } finally {
            await client.query('rollback');
          }
        },
        close: () => client.end(),
      };
    },
  },
];

for (const engine of engines) {
  describe.skipIf(!engine.isHere)(`sufficient statistics by ${engine.name}`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await engine.open();
    });
    afterAll(() => opened?.close());

    it.each(blocks)(
      'finds what the oracle finds in random events, seeds from %i on',
      async (from) => {
        for (let seed = from; seed < from + setsPerBlock; seed += 1) {
          const { rows: all, request } = randomSet(seededRandom(seed));
          const rows = engine.mayRepeat ? all : once(all);
          const found = await opened.ask(rows, request);
          expectStatistics(found, oracle(rows, request), `seed ${seed}`);
        }
      },
    );

    it('has zeros, no cut and no days of an experiment without events', async () => {
      const { request } = randomSet(seededRandom(1));
      const none = { exposures: [], metricEvents: [] };
      const found = await opened.ask(none, request);
      expectStatistics(found, oracle(none, request), 'no events');
      expect(found.dataUntilMs).toBeNull();
      expect(found.exposures.map(({ users }) => users)).toEqual(request.variants.map(() => 0));
    });
  });
}
