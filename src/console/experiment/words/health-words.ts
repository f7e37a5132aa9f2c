/** Titles of the health checks, and their order: what asks for attention comes first. Pure. */
import type { HealthCheck, HealthStatus } from '../../../contract/schemas/experiment-results.js';

export const checkTitles: Readonly<Record<HealthCheck['name'], string>> = {
  srm_assigned: 'Split of the players who got a variant',
  srm_exposed: 'Split of the players who saw a variant',
  srm_without_crossovers: 'Split without players who saw two variants',
  crossovers: 'Players who saw two variants',
  contradictions: 'Exposures that contradict the assignment',
  changed: 'Changes during the run',
  local_storage: 'Events of all servers',
  trusted: 'Who reports the metrics',
};

const order: readonly HealthStatus[] = ['broken', 'warning', 'ok', 'no_data'];

export function sortChecks(checks: readonly HealthCheck[]): HealthCheck[] {
  return checks.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
}
