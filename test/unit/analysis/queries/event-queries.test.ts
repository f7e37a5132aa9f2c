import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnalysisMetric, AnalysisRequest } from '../../../../src/analysis/messages.js';
import { EventQueries } from '../../../../src/analysis/queries/event-queries.js';
import { ResultCache } from '../../../../src/analysis/queries/result-cache.js';
import { defaultBatchLimits } from '../../../../src/analysis/storage/batches.js';
import { compact } from '../../../../src/analysis/storage/compaction.js';
import { Duckdb } from '../../../../src/analysis/storage/duckdb.js';
import { scratchFolder } from '../../../../src/analysis/storage/event-folder.js';
import { forgottenHash } from '../../../../src/analysis/storage/forgotten-users.js';
import { ParquetSink } from '../../../../src/analysis/storage/parquet/parquet-sink.js';
import { EventDatabase } from '../../../../src/analysis/storage/postgres/event-database.js';
import { PostgresSink } from '../../../../src/analysis/storage/postgres/postgres-sink.js';
import type { EventLine } from '../../../../src/published/event-line.js';
import { freshDatabase, hasPostgres } from '../../../support/postgres/postgres.js';
import {
  exposure,
  makeEventsFolder,
  noon,
  priceExperiment,
  purchase,
  sealFile,
} from '../storage/event-files.js';

const revenue: AnalysisMetric = {
  ...{ name: 'revenue', kind: 'sum', event: 'purchase', denominator: null },
  ...{ windowDays: null, day: null, trusted: false },
  cap: { perUserDay: null, winsorise: null },
};

const request: AnalysisRequest = {
  ...{ environment: 'live', experiment: 'price-test', phase: 1 },
  ...{ startedAtMs: noon - 3_600_000, endedAtMs: null, variants: ['control', 'high'] },
  ...{ metrics: [revenue], primary: 'revenue', segment: null, nowMs: noon + 60_000 },
};

type OpenSink = (events: string, duckdb: Duckdb) => Promise<ParquetSink | PostgresSink>;

const sinks: { name: string; isHere: boolean; open: OpenSink }[] = [
  {
    name: 'Parquet files',
    isHere: true,
    open: async (events, duckdb) => new ParquetSink(events, duckdb),
  },
  {
    name: 'PostgreSQL',
    isHere: hasPostgres,
    open: async (events, duckdb) => {
      const database = new EventDatabase([{ connectionString: await freshDatabase() }]);
      return new PostgresSink(events, database, duckdb);
    },
  },
];

/** Events on the way that all events take: files, compaction, a sink. */
class Storage {
  readonly events: string;
  readonly sink: ParquetSink | PostgresSink;
  readonly queries: EventQueries;

  static async open(openSink: OpenSink): Promise<Storage> {
    const events = makeEventsFolder();
    const duckdb = new Duckdb({ memoryBytesMax: 2 ** 28, folder: scratchFolder(events) });
    return new Storage(events, await openSink(events, duckdb));
  }

  private constructor(events: string, sink: ParquetSink | PostgresSink) {
    this.events = events;
    this.sink = sink;
    this.queries = new EventQueries(sink.source, new ResultCache(join(events, 'results')));
  }

  async store(...lines: EventLine[]): Promise<void> {
    sealFile(this.events, lines);
    const limits = defaultBatchLimits;
    const parts = { events: this.events, sink: this.sink, hashesIds: false, limits };
    await compact(parts, [priceExperiment], noon);
  }

  async totals(asked = request) {
    const { metrics, exposures, cached } = await this.queries.analyse(asked);
    const total = metrics[0]?.sums.reduce((sum, { sumX }) => sum + sumX, 0);
    return { cached, total, users: exposures.reduce((sum, { users }) => sum + users, 0) };
  }
}

/** Users and the variant that their bucket gives them. */
async function believed(storage: Storage, users: readonly string[]): Promise<EventLine[]> {
  const both = users.flatMap((u) => [
    exposure(u, 'control', `${u}-c`, noon - 2_000),
    exposure(u, 'high', `${u}-h`, noon - 2_000),
  ]);
  await storage.store(...both);
  return users.map((u) => purchase(u, `${u}-p`));
}

for (const { name, isHere, open } of sinks)
  describe.skipIf(!isHere)(`analyses of events in ${name}`, () => {
    it('believe the one exposure of each user that is of the bucket, and count the other', async () => {
      const storage = await Storage.open(open);
      const users = Array.from({ length: 20 }, (_, number) => `user-${number}`);
      await storage.store(...(await believed(storage, users)));
      const found = await storage.queries.analyse(request);
      const [control, high] = found.exposures;
      expect((control?.users ?? 0) + (high?.users ?? 0)).toBe(20);
      expect(control).toMatchObject({ crossovers: 0, contradictions: high?.users });
      expect(high).toMatchObject({ crossovers: 0, contradictions: control?.users });
      expect(found.dataUntilMs).toBe(noon);
      expect(found.metrics[0]?.sums.map(({ n, sumX }) => [n, sumX.toFixed(2)])).toEqual(
        found.exposures.map(({ users: n }) => [n, (n * 4.99).toFixed(2)]),
      );
    });

    it('count an event once that is in files of two days', async () => {
      const storage = await Storage.open(open);
      const [line] = await believed(storage, ['ann']);
      await storage.store(line as EventLine);
      await storage.store({ ...(line as EventLine), r: noon + 24 * 3_600_000 });
      expect(await storage.totals()).toMatchObject({ users: 1, total: 4.99 });
    });

    it('are given again until events come, and know the new and the late ones', async () => {
      const storage = await Storage.open(open);
      const [first] = await believed(storage, ['ann']);
      expect(await storage.totals()).toEqual({ cached: false, total: 0, users: 1 });
      expect(await storage.totals()).toEqual({ cached: true, total: 0, users: 1 });
      await storage.store({ ...(first as EventLine), r: noon + 6 * 24 * 3_600_000 });
      expect(await storage.totals()).toEqual({ cached: false, total: 4.99, users: 1 });
    });

    it('do not count a user who was forgotten', async () => {
      const storage = await Storage.open(open);
      await storage.store(...(await believed(storage, ['ann', 'ben'])));
      expect(await storage.totals()).toMatchObject({ users: 2 });
      const user = { environment: 'live', hash: forgottenHash('ann'), at: noon };
      await storage.sink.forget(user, ['ann']);
      expect(await storage.totals()).toMatchObject({ cached: false, users: 1 });
    });

    it('name the metric events of late, the most frequent first, and say where there are more', async () => {
      const storage = await Storage.open(open);
      const named = (n: string, u: string, eid: string, r = noon): EventLine => {
        const line = purchase(u, eid, { r });
        return { ...line, e: { ...line.e, n } as EventLine['e'] };
      };
      await storage.store(
        ...[named('win', 'ann', '1'), named('win', 'ben', '2'), named('b', 'ann', '3')],
        ...[named('a', 'ann', '4'), named('old', 'ann', '5', noon - 9 * 24 * 3_600_000)],
        ...[{ ...named('elsewhere', 'ann', '6'), env: 'other' }],
      );
      const ask = (namesMax: number) =>
        storage.queries.names({ environment: 'live', days: 7, nowMs: noon, namesMax });
      expect(await ask(3)).toEqual({ names: ['win', 'a', 'b'], isCut: false });
      expect(await ask(2)).toEqual({ names: ['win', 'a'], isCut: true });
    });

    it('tell a metric’s mean and variance of late, and how many users come', async () => {
      const storage = await Storage.open(open);
      const earlier = noon - 2 * 24 * 3_600_000;
      await storage.store(
        { ...purchase('ann', '1'), e: { t: 'metric', n: 'login', x: 1, at: earlier, eid: '0' } },
        purchase('ann', '1'),
        purchase('ann', '2'),
        { ...purchase('ben', '1'), e: { t: 'metric', n: 'login', x: 1, at: noon, eid: '3' } },
        { ...purchase('eve', '1'), env: 'other' },
      );
      const asked = { environment: 'live', metric: revenue, days: 4, nowMs: noon + 1 };
      const found = await storage.queries.baseline(asked);
      expect(found).toMatchObject({ n: 2, newUsersPerDay: 0.5, dataUntilMs: noon });
      expect(found.sumX).toBeCloseTo(9.98, 9);
      expect(found.sumXX).toBeCloseTo(9.98 ** 2, 9);
    });
  });
