/** The state of a rule's time window, as a badge and as a sentence. */
import { Badge } from '@mantine/core';
import { timeAgo } from '../../parts/time/when.js';
import { windowState } from './time-window.js';

const badges = {
  always: null,
  later: { text: 'Not started', color: 'blue' },
  running: { text: 'Running', color: 'teal' },
  over: { text: 'Ended', color: 'gray' },
} as const;

export interface WindowBadgeProps {
  readonly from: string | null;
  readonly until: string | null;
}

/** Nothing for a rule without a window. */
export function WindowBadge({ from, until }: WindowBadgeProps) {
  const badge = badges[windowState(from, until, Date.now())];
  if (badge === null) return null;
  return (
    <Badge variant="light" color={badge.color} autoContrast>
      {badge.text}
    </Badge>
  );
}

/** The next change of state: "Starts in 3 days." */
export function describeWindow(from: string | null, until: string | null, nowMs: number): string {
  const state = windowState(from, until, nowMs);
  if (state === 'always') return 'Always on.';
  if (state === 'later' && from !== null) return `Starts ${timeAgo(from, nowMs)}.`;
  if (until === null) return 'No end.';
  return state === 'over' ? `Ended ${timeAgo(until, nowMs)}.` : `Ends ${timeAgo(until, nowMs)}.`;
}
