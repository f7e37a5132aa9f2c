/**
 * After a restore no experiment goes on by itself: what was counted and changed since the backup is missing. After a migration
 * they do: store and players are the same.
 */
import { appendChanges } from '../store/change-log.js';
import type { Db } from '../store/dialect.js';
import { addToLog } from '../store/experiments/experiment-log.js';
import { endPhase } from '../store/experiments/experiment-phases.js';
import { listAllRunning, updateExperiment } from '../store/experiments/experiments.js';
import { systemActor, UnitOfWork } from '../store/unit-of-work.js';

/**
 * Stops what runs, each with a line of its log. Its rule stays live, so players receive what they received.
 * @param transaction of a store that no server uses
 * @param nowMs milliseconds since the epoch
 * @param reason what was done to the store, and what to do now
 */
export async function haltExperiments(
  transaction: Db,
  nowMs: number,
  reason: string,
): Promise<void> {
  const { sequence } = await transaction
    .selectFrom('storeState')
    .select('sequence')
    .executeTakeFirstOrThrow();
  const write = new UnitOfWork(transaction, systemActor, nowMs, sequence + 1);
  for (const experiment of await listAllRunning(transaction)) {
    const { environment, id } = experiment;
    await endPhase(write, experiment);
    await updateExperiment(write, experiment, { state: 'stopped', stoppedAt: nowMs });
    await addToLog(write, experiment, `Stopped: ${reason}`);
    await write.audit('experiment.stop', environment, id, { reason });
    write.markChanged('environment', environment, '');
  }
  if (write.changed.length > 0) await appendChanges(transaction, write.changed, nowMs);
}
