/** What happens to a release next, and what it waits for. Pure. */
import type { Release } from '../../../contract/schemas/release.js';

export interface NextEvent {
  /** A sentence, without its time. */
  readonly text: string;
  /** When it happens by itself; null: it waits for people. */
  readonly at: string | null;
}

export function whatNext(release: Release): NextEvent | null {
  const { state, steps, review, ramp, schedule } = release;
  switch (state) {
    case 'draft':
      return waits(
        release,
        review.required > 0 ? 'Next: submit it for review.' : 'Next: start it.',
      );
    case 'review':
      return { text: waitsForApprovals(review), at: null };
    case 'approved':
      return waits(release, 'Approved. Next: start it, or give it a time.');
    case 'scheduled': {
      const first = steps[0];
      const text =
        first === undefined ? 'Goes live for all players' : `Starts with ${first.percent} %`;
      return { text, at: schedule?.at ?? null };
    }
    case 'ramping': {
      if (ramp?.next == null) return null;
      const after = steps[ramp.step + 1];
      const isStep = ramp.next.action === 'step' && after !== undefined;
      return {
        text: isStep ? `Goes to ${after.percent} %` : 'Goes live for all players',
        at: ramp.next.at,
      };
    }
    case 'paused':
      return {
        text: 'Paused: players who have it keep it, and no one else gets it. Resume or stop it.',
        at: null,
      };
    case 'stopped':
      return {
        text: 'Stopped: all players get what is live. Fix it and start again, or cancel it.',
        at: null,
      };
    case 'failed':
      return { text: 'It did not start. Fix the reason, then submit it again.', at: null };
    case 'live':
      return { text: 'Live for all players. Revert restores what was live before.', at: null };
    case 'reverted':
    case 'cancelled':
      return null;
  }
}

function waits({ changes }: Release, text: string): NextEvent {
  if (changes.length === 0)
    return { text: 'Next: add the changes that go live together.', at: null };
  return { text, at: null };
}

function waitsForApprovals({ required, approvals }: Release['review']): string {
  const missing = Math.max(0, required - approvals.filter(({ counts }) => counts).length);
  return missing === 1 ? 'Waits for 1 approval.' : `Waits for ${missing} approvals.`;
}
