/** Which players of the demo were given which variant since its experiments started, counted as delivery processes count. */
import { EvaluationContext } from '../../content/evaluation-context.js';
import { NO_VERSION } from '../../content/version.js';
import type { Experiment } from '../../contract/schemas/experiment.js';
import { AssignedCounts } from '../../delivery/experiments/assigned-counts.js';
import { CountedArms } from '../../delivery/experiments/counted-arms.js';
import type { AssignedReport } from '../../published/barrier.js';
import type { PastPlayer } from './past-events.js';

/**
 * @param streamKey the store's secret, as the store has it
 * @param players of the experiment
 */
export function assignedReports(
  streamKey: string,
  environment: string,
  experiment: Experiment,
  players: readonly PastPlayer[],
): AssignedReport[] {
  const counts = new AssignedCounts();
  counts.setKey(Buffer.from(streamKey, 'base64url'));
  const { id, phase, content, segment, salt } = experiment;
  const variants = experiment.variants.map(({ name }) => name);
  const published = { id, phase, content: content.toLowerCase(), segment, salt, variants };
  const counted = counts.experiment(environment, published);
  const arms = new Map(
    variants.map((name, variant) => [
      name,
      new CountedArms(counts, [{ experiment: counted, variant }]),
    ]),
  );
  for (const { u, variant, atMs } of players.toSorted((one, other) => one.atMs - other.atMs)) {
    arms.get(variant)?.count(new EvaluationContext(u, {}, '', NO_VERSION), atMs);
  }
  return [...counts.takeReports()];
}
