/**
 * Goal: people who ask much do not keep the server from storing events, a process that takes too much is ended, and one that
 * could not begin tries again.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { AnalysisOptions, Job } from '../../../../src/analysis/process-messages.js';
import { JobQueue } from '../../../../src/management/analysis/job-queue.js';
import {
  analysisJobsWaitingMax,
  analysisSpareBytes,
} from '../../../../src/management/limits/experiments.js';

const ask: Job = { type: 'forget', environment: 'live', u: 'ann', nowMs: 0 };
const store: Job = { type: 'compact', experiments: [] };

/** Of Parquet files in a folder of its own, unless the options say otherwise. */
function startQueue(options: Partial<AnalysisOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-events-'));
  const events = join(folder, 'events');
  const queue = new JobQueue({
    program: new URL('../../../../dist/analysis-process.js', import.meta.url),
    options: {
      ...{ events, sink: { kind: 'parquet' }, hashesIds: false, memoryBytesMax: 2 ** 28 },
      ...options,
    },
    logged: () => undefined,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(async () => {
    await queue.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { queue, events };
}

it('takes so many jobs of people, and those of the server behind them', async () => {
  const { queue } = startQueue();
  const asked = Array.from({ length: analysisJobsWaitingMax }, () => queue.run(ask, 60_000));
  const ended = Promise.allSettled(asked);
  await expect(queue.run(ask, 60_000)).rejects.toMatchObject({ code: 'analysis_busy' });
  const stored = queue.run(store, 60_000);
  const failed = expect(stored).rejects.toMatchObject({ reason: 'closed' });
  await queue.close();
  await failed;
  await ended;
});

it('ends a process that needs too much memory, and starts another', async () => {
  // A database that never responds keeps the job under way; any process needs more than a byte.
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const { queue } = startQueue({
    sink: { kind: 'postgres', servers: [{ host: '127.0.0.1', port, user: 'loadout' }] },
    memoryBytesMax: 1 - analysisSpareBytes,
  });
  for (const jobs of [1, 2]) {
    await expect(queue.run(ask, 60_000)).rejects.toMatchObject({ reason: 'memory' });
    const ended = queue.gauges().find(({ name }) => name === 'loadout_analysis_processes_ended');
    expect(ended?.value).toBe(jobs);
  }
});

it('opens its folder again with the next job where that failed', async () => {
  const { queue, events } = startQueue();
  // A file stands where the folder is to be.
  writeFileSync(events, '');
  expect(await queue.run(store, 60_000)).toMatchObject({ type: 'failed' });
  rmSync(events);
  mkdirSync(events);
  expect(await queue.run(store, 60_000)).toMatchObject({ type: 'compacted' });
  expect(queue.gauges().map(({ value }) => value)).toEqual([0, 0]);
});
