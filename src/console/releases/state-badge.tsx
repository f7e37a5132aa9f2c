/** The state of a release as a badge; of a ramp with its share of the players. */
import { Badge, type BadgeProps } from '@mantine/core';
import type { ReleaseSummary } from '../../contract/schemas/release.js';
import { stateColours, stateText } from './words/release-states.js';

export interface StateBadgeProps extends BadgeProps {
  readonly of: Pick<ReleaseSummary, 'state' | 'percent'>;
}

export function StateBadge({ of, ...badge }: StateBadgeProps) {
  return (
    <Badge variant="dot" flex="none" color={stateColours[of.state]} {...badge}>
      {stateText(of)}
    </Badge>
  );
}
