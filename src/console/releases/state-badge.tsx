/** The state of a release as a badge; of a ramp with its share of the players. */
import { Badge, type BadgeProps } from '@mantine/core';
import type { ReleaseSummary } from '../../contract/schemas/release.js';
import { isActive, stateColours, stateLabels } from './words/release-states.js';

export interface StateBadgeProps extends BadgeProps {
  readonly of: Pick<ReleaseSummary, 'state' | 'percent'>;
}

export function StateBadge({ of: { state, percent }, ...badge }: StateBadgeProps) {
  const share = isActive(state) && percent !== null ? ` ${percent} %` : '';
  return (
    <Badge variant="dot" flex="none" color={stateColours[state]} {...badge}>
      {stateLabels[state]}
      {share}
    </Badge>
  );
}
