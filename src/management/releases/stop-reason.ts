/** Why a ramp is stopped, from the body of the request: a person's reason, or Alertmanager's webhook. */

import { noteCharsMax } from '../../contract/limits.js';
import type { BodyOf } from '../../contract/operation.js';
import type { stopRelease } from '../../contract/operations/releases/transitions.js';

/** Null: the alert is over, and nothing is stopped. */
export function stopReason({
  reason,
  status,
  alerts = [],
}: BodyOf<typeof stopRelease>): string | null {
  if (status === 'resolved') return null;
  if (reason !== '') return reason;
  const summaries = alerts.map(
    ({ annotations }) => annotations?.['summary'] ?? annotations?.['description'] ?? '',
  );
  return [...new Set(summaries)]
    .filter((summary) => summary !== '')
    .join(' ')
    .slice(0, noteCharsMax);
}
