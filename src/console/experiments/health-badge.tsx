/** Whether an experiment is fair, as a badge. */
import { Badge } from '@mantine/core';
import type { HealthStatus } from '../../contract/schemas/experiment-results.js';
import { healthColours, healthLabels } from './words/experiment-states.js';

export function HealthBadge({ status }: { readonly status: HealthStatus }) {
  return (
    <Badge variant="dot" miw="max-content" color={healthColours[status]}>
      {healthLabels[status]}
    </Badge>
  );
}
