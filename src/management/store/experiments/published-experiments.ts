/** What delivery learns of experiments: those that run, and whether anything counts events. */
import type { EnvironmentSettings } from '../../../published/environment-settings.js';
import type { Db } from '../dialect.js';
import { listOpenPhases } from './experiment-phases.js';
import { listRunning } from './experiments.js';
import { listMetrics, type MetricRecord } from './metrics.js';

export async function readPublishedExperiments(
  db: Db,
  environment: string,
): Promise<Pick<EnvironmentSettings, 'experiments' | 'takesEvents' | 'metricEvents'>> {
  const running = await listRunning(db, environment);
  const phases = await listOpenPhases(db, environment);
  const experiments = running.flatMap(({ id, contentLower, segment }) => {
    const phase = phases.get(id);
    if (phase === undefined) return [];
    const { salt, variants } = phase.rule;
    const names = variants.map(({ name }) => name);
    return [{ id, phase: phase.number, content: contentLower, segment, salt, variants: names }];
  });
  const metrics = await listMetrics(db, environment);
  const takesEvents = running.length > 0 || metrics.length > 0;
  return { experiments, takesEvents, metricEvents: eventsOf(metrics) };
}

function eventsOf(metrics: readonly MetricRecord[]): string[] {
  const names = metrics.flatMap(({ event, denominator }) => [event, denominator ?? event]);
  return [...new Set(names)].sort();
}
