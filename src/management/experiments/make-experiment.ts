/** Makes the record of an experiment within a write that holds its environment. */
import type { ExperimentInput } from '../../contract/schemas/experiment.js';
import { addToLog } from '../store/experiments/experiment-log.js';
import { type ExperimentRecord, insertExperiment } from '../store/experiments/experiments.js';
import { requireExperimentWriters } from '../store/require-writers.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import { noteExperiment } from './note-experiment.js';

/**
 * The caller has decided that it may be made.
 * @param text a sentence for its log
 * @throws UpgradeInProgress
 */
export async function makeExperiment(
  write: UnitOfWork,
  environment: string,
  input: ExperimentInput,
  text: string,
): Promise<ExperimentRecord> {
  await requireExperimentWriters(write);
  const made = await insertExperiment(write, environment, input);
  await addToLog(write, made, text);
  const { id, content, segment } = made;
  const details = { content, segment };
  const auditId = await write.audit('experiment.create', environment, id, details);
  await noteExperiment(write, auditId, made);
  return made;
}
