/** Whether a rule is open now, in a word and in a sentence. */
import { Badge } from '@mantine/core';
import { timeAgo } from '../../parts/when.js';
import { windowState } from './time-window.js';

const badges = {
  always: null,
  later: { text: 'Not open yet', color: 'blue' },
  running: { text: 'Open now', color: 'teal' },
  over: { text: 'Over', color: 'gray' },
} as const;

export interface WindowBadgeProps {
  readonly from: string | null;
  readonly until: string | null;
}

/** Nothing for a rule that is always open. */
export function WindowBadge({ from, until }: WindowBadgeProps) {
  const badge = badges[windowState(from, until, Date.now())];
  if (badge === null) return null;
  return (
    <Badge variant="light" color={badge.color} autoContrast>
      {badge.text}
    </Badge>
  );
}

/** What comes next, such as "opens in 3 days". */
export function windowWords(from: string | null, until: string | null, nowMs: number): string {
  const state = windowState(from, until, nowMs);
  if (state === 'always') return 'Always open.';
  if (state === 'later' && from !== null) return `Opens ${timeAgo(from, nowMs)}.`;
  if (until === null) return 'Stays open.';
  return state === 'over' ? `Ended ${timeAgo(until, nowMs)}.` : `Ends ${timeAgo(until, nowMs)}.`;
}
