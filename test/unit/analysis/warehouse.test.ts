/** The SQL of docs/warehouse.md, executed as it stands there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { AnalysisRequest } from '../../../src/analysis/messages.js';
import { analyse } from '../../../src/analysis/queries/analyse.js';
import { postgresEvents } from '../../../src/analysis/queries/postgres-events.js';
import { partitionFolder } from '../../../src/analysis/storage/event-folder.js';
import {
  makeEventTables,
  makePartitions,
} from '../../../src/analysis/storage/postgres/event-tables.js';
import { eventTables } from '../../../src/analysis/storage/rows.js';
import { hasPostgres, startPostgres } from '../../support/postgres/postgres.js';
import type { Rows } from './queries/oracle.js';
import { createTables, fillTables } from './queries/tables.js';

const page = readFileSync('docs/warehouse.md', 'utf8');

/** The statements of a block of the page. */
function sql(name: string): string {
  const block = new RegExp(`<!-- sql: ${name} -->\n\`\`\`sql\n([^]*?)\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`docs/warehouse.md has no SQL called ${name}.`);
  return block.replaceAll('{{ startDate }}', '2026-09-01 00:00:00');
}

const days = ['2026-09-01', '2026-09-02', '2026-09-03'] as const;

function common(u: string, eid: string, time: string, received = time) {
  return {
    environment: 'live',
    u,
    eid,
    at: `${time}.000`,
    received_at: `${received}.000`,
    day: received.slice(0, 10),
  };
}

function exposure(u: string, variant: string, time: string, more = {}) {
  return {
    ...common(u, `x-${u}-${time}`, time),
    ...{ experiment: 'price', phase: 1, variant, content: 'shop', contradiction: false },
    attributes: { country: 'DE' },
    ...more,
  };
}

function purchase(u: string, eid: string, value: number, time: string, received = time) {
  const row = { ...common(u, eid, time, received), name: 'purchase', value };
  return { ...row, trusted: false, attributes: null };
}

const rows: Rows = {
  exposures: [
    exposure('ann', 'control', '2026-09-01 10:00:00'),
    exposure('ann', 'control', '2026-09-02 10:00:00'),
    exposure('ben', 'high', '2026-09-01 11:00:00'),
    exposure('eve', 'high', '2026-09-01 11:00:00', { contradiction: true }),
    exposure('sue', 'high', '2026-09-01 12:00:00', { phase: 2 }),
  ],
  metricEvents: [
    purchase('ann', '1', 4, '2026-09-01 09:00:00'),
    purchase('ann', '2', 5, '2026-09-01 10:00:01'),
    // Sent again the next day.
    purchase('ann', '2', 5, '2026-09-01 10:00:01', '2026-09-02 08:00:00'),
    purchase('ben', '1', 10, '2026-09-03 00:00:00'),
    purchase('eve', '1', 99, '2026-09-03 00:00:00'),
  ],
};

const assignments = [
  { user_id: 'ann', experiment_id: 'price.1', variation_id: 'control', country: 'DE' },
  { user_id: 'ann', experiment_id: 'price.1', variation_id: 'control', country: 'DE' },
  { user_id: 'ben', experiment_id: 'price.1', variation_id: 'high', country: 'DE' },
  { user_id: 'sue', experiment_id: 'price.2', variation_id: 'high', country: 'DE' },
];

const checked = [
  { variant: 'control', users: 1, total: 5 },
  { variant: 'high', users: 1, total: 10 },
];

type Row = Record<string, unknown>;

function withoutTimes(found: readonly Row[]): Row[] {
  return found
    .map(({ timestamp, ...row }) => {
      expect(timestamp).toBeTruthy();
      return row;
    })
    .toSorted((a, b) => String(a['user_id']).localeCompare(String(b['user_id'])));
}

function numbers(found: readonly Row[]): Row[] {
  return found.map((row) => ({ ...row, users: Number(row['users']), total: Number(row['total']) }));
}

describe.skipIf(!hasPostgres)('the SQL of docs/warehouse.md on PostgreSQL', () => {
  let owner: pg.Client;
  let reader: pg.Client;

  beforeAll(async () => {
    // Roles belong to a server: this one is the file's own.
    const cluster = await startPostgres();
    const url = await cluster.createDatabase();
    owner = new pg.Client({ connectionString: url, options: '-c search_path=loadout_events' });
    await owner.connect();
    await makeEventTables(owner);
    await addPartitions(...days);
    for (const statement of fillTables(rows)) await owner.query(statement);
    await cluster.query(sql('role'), [], new URL(url).pathname.slice(1));
    const asReader = new URL(url);
    asReader.username = 'growthbook';
    reader = new pg.Client({ connectionString: asReader.href });
    await reader.connect();
  });

  afterAll(async () => {
    await reader?.end();
    await owner?.end();
  });

  async function addPartitions(...added: string[]): Promise<void> {
    await owner.query('begin');
    for (const table of eventTables) await makePartitions(owner, table, added);
    await owner.query('commit');
  }

  const read = async (name: string) => (await reader.query<Row>(sql(name))).rows;

  it('gives GrowthBook assignments without contradictions, phases apart', async () => {
    expect(withoutTimes(await read('assignments'))).toEqual(assignments);
  });

  it('gives GrowthBook each metric event once', async () => {
    const facts = await read('facts');
    expect(facts.map(({ value }) => value).toSorted()).toEqual([10, 4, 5, 99]);
    expect(Object.keys(facts[0] ?? {})).toEqual([
      'user_id',
      'timestamp',
      'event',
      'value',
      'trusted',
    ]);
  });

  it('lets the reader see the rows of days to come, and nothing else', async () => {
    await addPartitions('2026-09-04');
    const more = [exposure('zoe', 'high', '2026-09-04 10:00:00')];
    for (const statement of fillTables({ exposures: more, metricEvents: [] }))
      await owner.query(statement);
    const found = await read('assignments');
    for (const statement of fillTables(rows)) await owner.query(statement);
    expect(found.map((row) => row['user_id'])).toEqual(['zoe']);
    await expect(reader.query('select * from loadout_events.settings')).rejects.toThrow('denied');
    await expect(reader.query('delete from loadout_events.exposures')).rejects.toThrow('denied');
  });

  it('finds the users and totals that Loadout finds', async () => {
    const request: AnalysisRequest = {
      ...{ environment: 'live', experiment: 'price', phase: 1, variants: ['control', 'high'] },
      ...{ startedAtMs: Date.parse('2026-09-01'), endedAtMs: null, primary: null, segment: null },
      nowMs: Date.parse('2026-09-04'),
      metrics: [
        {
          ...{ name: 'revenue', kind: 'sum', event: 'purchase', denominator: null },
          ...{ windowDays: null, day: null, trusted: false },
          cap: { perUserDay: null, winsorise: null },
        },
      ],
    };
    await owner.query('begin isolation level repeatable read');
    const found = await analyse(await postgresEvents(owner), request);
    await owner.query('rollback');
    const sums = found.metrics[0]?.sums.filter(({ crossed }) => !crossed);
    expect(sums?.map(({ variant, n, sumX }) => ({ variant, users: n, total: sumX }))).toEqual(
      checked,
    );
    expect(numbers(await read('check'))).toEqual(checked);
  });
});

describe('the SQL of docs/warehouse.md on Parquet files', () => {
  it('reads the same rows with DuckDB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loadout-warehouse-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    onTestFinished(() => connection.closeSync());
    const read = async (text: string) =>
      (await connection.runAndReadAll(text)).getRowObjectsJson() as Row[];
    for (const statement of [...createTables('duckdb'), ...fillTables(rows)])
      await connection.run(statement);
    for (const table of eventTables) {
      for (const day of days) {
        const part = partitionFolder(join(folder, 'events'), table, 'live', day);
        mkdirSync(part, { recursive: true });
        await connection.run(
          `copy (select * from ${table} where day = date '${day}') to '${join(part, 'a.parquet')}' (format parquet)`,
        );
      }
    }
    await connection.run(sql('duckdb').replaceAll("'events/", `'${folder}/events/`));
    expect(withoutTimes(await read(sql('assignments')))).toEqual(assignments);
    expect(numbers(await read(sql('check')))).toEqual(checked);
    expect((await read(sql('facts'))).map(({ value }) => value).toSorted()).toEqual([10, 4, 5, 99]);
  });
});
