/** The state of an experiment as a badge. */
import { Badge } from '@mantine/core';
import type { ExperimentState } from '../../contract/schemas/experiment.js';
import { stateColours, stateLabels } from './words/experiment-states.js';

export function StateBadge({ state }: { readonly state: ExperimentState }) {
  return (
    <Badge variant="dot" miw="max-content" color={stateColours[state]}>
      {stateLabels[state]}
    </Badge>
  );
}
