/** An owner publishes without approvals: everybody learns of it, and nothing else does without approvals. */
import { Problem } from '../../contract/problems.js';
import { insertTimeline } from '../store/releases/release-timeline.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import type { ChangeFacts } from './change-facts.js';

/** An emergency is for owners; null: the user is one. */
export function rejectNoOwner({ actor }: UnitOfWork): Problem | null {
  if (actor.role === 'owner') return null;
  return new Problem('forbidden', 'Only an owner may publish in an emergency, without approvals.');
}

/** An emergency gives players something else; it does not take the review away. Null: it does not. */
export function rejectSettings(facts: readonly ChangeFacts[]): Problem | null {
  if (!facts.some(({ kind }) => kind === 'environment')) return null;
  const detail =
    'Settings of the environment change only with approvals, not in an emergency: drop that change from the release.';
  return new Problem('approvals_missing', detail);
}

/** In timeline, audit and webhooks, and for a day with the environment. */
export async function announceEmergency(
  write: UnitOfWork,
  release: ReleaseRecord,
  reason: string,
): Promise<void> {
  const { environment, release: number, state, sequence, title } = release;
  const facts = { state, sequence, permille: null, text: reason };
  await insertTimeline(write, release, { event: 'release.emergency', ...facts });
  await write.audit('release.emergency', environment, String(number), { title, reason });
  const data = { environment, release: number, title, state, percent: null, reason };
  write.reportRelease({ type: 'release.emergency', data });
}
