/** Takes event files to the sink, batch by batch. */
import type { Compacted } from '../process-messages.js';
import { type Batch, type BatchLimits, nextBatch, setAside } from './batches.js';
import { EventRows } from './event-rows.js';
import type { EventSink } from './event-sink.js';
import { type ExperimentRule, ExperimentRules } from './experiment-rules.js';
import { ForgottenUsers } from './forgotten-users.js';
import type { BatchCounts } from './staged-batch.js';
import { storageFailureOf } from './storage-failed.js';

interface CompactionParts {
  /** The folder of events. */
  readonly events: string;
  readonly sink: EventSink;
  readonly hashesIds: boolean;
  readonly limits: BatchLimits;
}

const nothing: Compacted = {
  ...{ files: 0, events: 0, rows: { exposures: 0, metric_events: 0 } },
  ...{ unreadable: 0, withoutExperiment: 0, setAside: 0, more: false },
};

/**
 * Stores one batch. Without one, it does a part of what makes queries cheaper.
 * @throws StorageFailed; the batch waits
 */
export async function compact(
  { events, sink, hashesIds, limits }: CompactionParts,
  experiments: readonly ExperimentRule[],
  nowMs: number,
): Promise<Compacted> {
  try {
    const batch = nextBatch(events, nowMs, limits);
    if (batch === null) return { ...nothing, more: await sink.tidy(nowMs) };
    if (batch.isHopeless) {
      await sink.discard(batch.id);
      return { ...nothing, setAside: batch.split(), more: true };
    }
    const rows = new EventRows({
      experiments: new ExperimentRules(experiments),
      ids: await sink.ids(hashesIds),
      forgotten: new ForgottenUsers(await sink.forgotten()),
    });
    const { files } = batch;
    const counts = await storeBatch(sink, batch, rows);
    for (const path of counts.damaged) setAside(events, path);
    batch.remove();
    return {
      files: files.length,
      events: counts.events,
      rows: counts.rows,
      unreadable: counts.unreadable,
      withoutExperiment: rows.withoutExperiment,
      setAside: counts.damaged.length,
      // The next job finds another batch, or looks for what makes queries cheaper.
      more: true,
    };
  } catch (error) {
    throw storageFailureOf(error);
  }
}

/** An end of the process, and a failure that the batch may be the reason of, are held against it. */
async function storeBatch(sink: EventSink, batch: Batch, rows: EventRows): Promise<BatchCounts> {
  batch.begin();
  try {
    return await sink.store(batch, rows);
  } catch (error) {
    const failure = storageFailureOf(error);
    if (!failure.mayBeBatch) batch.ended();
    throw failure;
  }
}
