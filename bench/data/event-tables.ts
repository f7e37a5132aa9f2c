/**
 * Events of a game as Parquet files: by day of receipt, sorted, some of them sent again the next day. DuckDB makes them, so the same numbers give the same
 * events. The server's own merges then leave out what is there twice, of all but the newest events.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { AnalysisMetric, AnalysisRequest } from '../../src/analysis/messages.js';
import { Duckdb } from '../../src/analysis/storage/duckdb.js';
import { partitionFolder, scratchFolder } from '../../src/analysis/storage/event-folder.js';
import { ParquetSink } from '../../src/analysis/storage/parquet/parquet-sink.js';
import { columnsOf, type EventTable } from '../../src/analysis/storage/rows.js';
import { openViews } from '../../src/analysis/storage/views.js';

const environment = 'live';
const experiment = 'price';
const days = 30;
/** The phase begins so many days later: what came before is what CUPED adjusts by. */
const daysBefore = 7;
const names = 20;
const dayMs = 86_400_000;
const firstDayMs = Date.UTC(2026, 8, 1);
/** Of a file: what makes some 32 MiB. */
const rowsPerFile = 1_200_000;
/** Of the last day: what no merge has seen when the first question comes. */
const unmergedRows = 50_000;
/** One event of so many is sent again a day later. */
const againEvery = 200;

export interface Scale {
  readonly events: number;
  readonly users: number;
}

/** Ids of users and events are 64-bit keys in hexadecimal. */
const macros = [
  `create macro key_of(n) as format('{:016x}', hash(n))`,
  `create macro pick(n, salt, size) as cast(hash(n * 64 + salt) % size as bigint)`,
  'create macro instant(ms) as cast(epoch_ms(cast(ms as bigint)) as timestamp_ms)',
];

export class EventTables {
  readonly #folder: string;
  readonly #scale: Scale;
  readonly #connection: DuckDBConnection;

  static async open(folder: string, scale: Scale): Promise<EventTables> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '2',
      memory_limit: '2GB',
      temp_directory: join(folder, 'making'),
    });
    const connection = await instance.connect();
    for (const macro of macros) await connection.run(macro);
    return new EventTables(folder, scale, connection);
  }

  private constructor(folder: string, scale: Scale, connection: DuckDBConnection) {
    this.#folder = folder;
    this.#scale = scale;
    this.#connection = connection;
  }

  /** Writes all events, and has them merged as the server does. */
  async fill(progress: (line: string) => void): Promise<void> {
    const { events } = this.#scale;
    const lastRow = events - unmergedRows;
    for (let day = 0; day < days; day += 1) {
      progress(`events of day ${day + 1} of ${days}`);
      if (day >= daysBefore) await this.#write('exposures', day, 0, exposuresSql(day, this.#scale));
      const until = Math.min(Math.floor((events * (day + 1)) / days), lastRow);
      for (let at = Math.floor((events * day) / days); at < until; at += rowsPerFile)
        await this.#writeEvents(day, at, Math.min(at + rowsPerFile, until));
    }
    await this.#merge(progress);
    await this.#writeEvents(days - 1, lastRow, events);
  }

  #writeEvents(day: number, from: number, to: number): Promise<void> {
    return this.#write('metric_events', day, from, eventsSql(day, from, to, this.#scale));
  }

  async #merge(progress: (line: string) => void): Promise<void> {
    const folder = scratchFolder(this.#folder);
    mkdirSync(folder, { recursive: true });
    const sink = new ParquetSink(this.#folder, new Duckdb({ memoryBytesMax: 1024 ** 3, folder }));
    const before = process.cpuUsage();
    for (let merges = 1; await sink.tidy(firstDayMs + days * dayMs); merges += 1)
      progress(`merge ${merges}`);
    const { user, system } = process.cpuUsage(before);
    progress(`merged: ${((user + system) / this.#scale.events).toFixed(2)} µs of CPU per event`);
  }

  /** Events of a name since each user's first exposure, counted in the plainest way. */
  async countSinceExposure(name: string): Promise<number> {
    await openViews(this.#connection, this.#folder, environment);
    const reader = await this.#connection.runAndReadAll(
      `select cast(count(distinct (e.u, e.eid)) as double) as found from metric_events e
       join (select u, min("at") as first from exposures group by u) x on x.u = e.u
       where e.name = '${name}' and e."at" >= x.first`,
    );
    return Number(reader.getRowObjects()[0]?.['found']);
  }

  close(): void {
    this.#connection.closeSync();
  }

  async #write(table: EventTable, day: number, number: number, rows: string): Promise<void> {
    const folder = partitionFolder(this.#folder, table, environment, isoDay(day));
    mkdirSync(folder, { recursive: true });
    const columns = columnsOf[table].map(
      ({ name, duckdb }) => `cast("${name}" as ${duckdb}) as "${name}"`,
    );
    await this.#connection.run(
      `copy (select ${columns.join(', ')} from (${rows}) ${table === 'exposures' ? 'order by experiment, u, "at"' : 'order by name, u, "at"'})
       to '${join(folder, `${number}.parquet`)}' (format parquet, compression zstd)`,
    );
  }
}

function isoDay(day: number): string {
  return new Date(firstDayMs + day * dayMs).toISOString().slice(0, 10);
}

/** Users come within ten days of the start, and again on every fourth day; one of 500 is seen in another variant then. */
function exposuresSql(day: number, { users }: Scale): string {
  const comes = `pick(n, 1, 10) + ${daysBefore}`;
  const at = `instant(${firstDayMs + day * dayMs} + pick(n, ${day}, ${dayMs}))`;
  return `select '${environment}' as environment, '${experiment}' as experiment, 1 as phase,
      ['control', 'a', 'b'][1 + (pick(n, 2, 3) + case when ${comes} < ${day} and pick(n, 3, 500) = 0 then 1 else 0 end) % 3] as variant,
      key_of(n) as u, ${at} as "at", ${at} as received_at, date '${isoDay(day)}' as day, 'shop' as content, false as contradiction,
      key_of(n * 32 + ${day} + 1e15::bigint) as eid, json_object('country', ['DE', 'FR', 'US'][1 + n % 3]) as attributes
    from range(${users}) as t(n)
    where ${comes} = ${day} or (${comes} < ${day} and pick(n, ${day + 8}, 4) = 0)`;
}

function eventsSql(day: number, from: number, to: number, { events, users }: Scale): string {
  const perDay = Math.ceil(events / days);
  const at = (on: number) =>
    `instant(${firstDayMs + on * dayMs} + n % ${perDay} * ${dayMs} // ${perDay})`;
  const columns = (on: number) => `'${environment}' as environment,
      'event-' || pick(n, 4, ${names}) as name, key_of(pick(n, 5, ${users})) as u,
      round(pow(1 + pick(n, 6, 1000) / 100, 2), 2) as value, ${at(on)} as "at", ${at(day)} as received_at,
      date '${isoDay(day)}' as day, pick(n, 7, 2) = 0 as trusted, key_of(n + 2e15::bigint) as eid, null as attributes`;
  const again = `select ${columns(day - 1)} from range(${from - perDay}, ${to - perDay}) as t(n) where n % ${againEvery} = 0`;
  const fresh = `select ${columns(day)} from range(${from}, ${to}) as t(n)`;
  return day === 0 ? fresh : `${fresh} union all ${again}`;
}

/** The name of the metric that `countSinceExposure` counts. */
export const countedMetric = { name: 'count-8', event: 'event-8' };

export const request: AnalysisRequest = {
  environment,
  experiment,
  phase: 1,
  startedAtMs: firstDayMs + daysBefore * dayMs,
  endedAtMs: null,
  variants: ['control', 'a', 'b'],
  metrics: Array.from({ length: names }, (_, number) => metric(number)),
  primary: 'sum-0',
  segment: null,
  nowMs: firstDayMs + days * dayMs,
};

function metric(number: number): AnalysisMetric {
  const kind = kindOf(number);
  const name = `${kind}-${number}`;
  return {
    name,
    kind,
    event: `event-${number}`,
    denominator: kind === 'ratio' ? 'event-0' : null,
    windowDays: kind === 'conversion' ? 7 : null,
    day: kind === 'retention' ? 7 : null,
    trusted: number % 4 === 3,
    // What is cut cannot be compared with a plain count.
    cap: { perUserDay: null, winsorise: name === countedMetric.name ? null : 0.999 },
  };
}

function kindOf(number: number): AnalysisMetric['kind'] {
  if (number < 8) return 'sum';
  if (number < 13) return 'count';
  if (number < 17) return 'conversion';
  return number < 19 ? 'ratio' : 'retention';
}
