/** What the user may do with releases: editors make and submit them in protected environments too. */
import { useSession } from '../session/session.js';

/** Null: the user may make and change releases. */
export function useReleaseReadOnlyReason(): string | null {
  return useSession().role === 'viewer'
    ? 'You are a viewer: you can read releases and comment on them.'
    : null;
}
