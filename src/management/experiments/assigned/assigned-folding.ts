/**
 * Folds the parts of a server's day into one, in the background: a server adds a part every few seconds. When the day is over,
 * its sample joins that of all servers and the days before, and only its estimates remain (D95).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { unionOf } from '../../../content/sketch/assigned-sketch.js';
import { encodeSketch } from '../../../content/sketch/sketch-bytes.js';
import { PeriodicJob } from '../../jobs/periodic-job.js';
import {
  assignedDayOverMs,
  assignedFoldEveryMs,
  assignedPartsFoldedMax,
} from '../../limits/experiments.js';
import { housekeepingPauseMs } from '../../limits/housekeeping.js';
import {
  findNodeParts,
  listDaysToFold,
  type NodeDay,
  replaceParts,
} from '../../store/experiments/assigned-parts.js';
import type { Store } from '../../store/store.js';
import { systemActor, type UnitOfWork } from '../../store/unit-of-work.js';
import { readParts } from './read-parts.js';

/** Days that one run looks at; the next run goes on. */
const daysMax = 1_000;

/** @param now milliseconds since the epoch */
export function assignedFolding(
  store: Pick<Store, 'read' | 'write'>,
  log: Pick<Logger, 'warn'>,
  now: () => number,
): PeriodicJob {
  const run = async (signal?: AbortSignal): Promise<void> => {
    const overBefore = new Date(now() - assignedDayOverMs).toISOString().slice(0, 10);
    for (const day of await store.read((db) => listDaysToFold(db, overBefore, daysMax))) {
      for (let isMore = true; isMore && signal?.aborted !== true; ) {
        const { value } = await store.write(systemActor, (write) => fold(write, day, overBefore));
        isMore = value;
        await pause(housekeepingPauseMs);
      }
    }
  };
  return new PeriodicJob(run, {
    firstMs: assignedFoldEveryMs,
    everyMs: assignedFoldEveryMs,
    log,
    event: 'assigned_folding_failed',
    failed: 'counts of users of experiments could not be folded; it is tried again',
  });
}

/**
 * Parts that this version cannot read stay as they are.
 * @returns whether there are more
 */
async function fold(write: UnitOfWork, day: NodeDay, overBefore: string): Promise<boolean> {
  const found = await findNodeParts(write.db, day, assignedPartsFoldedMax);
  const { parts, sketches } = readParts(found);
  if (parts.length === 0) return false;
  const users = unionOf(sketches);
  if (day.day === '' || day.day >= overBefore) {
    await replaceParts(write, day, parts, encodeSketch(users), true);
  } else {
    const total = { ...day, day: '', node: '' };
    const before = readParts(await findNodeParts(write.db, total, assignedPartsFoldedMax));
    const all = unionOf([...before.sketches, users]);
    await replaceParts(write, total, before.parts, encodeSketch(all), true);
    await replaceParts(write, day, parts, encodeSketch(users.withoutSample()), false);
  }
  return found.length === assignedPartsFoldedMax && parts.length > 1;
}
