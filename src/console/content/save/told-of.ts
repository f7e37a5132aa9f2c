/** What to say of a save that failed; what is said elsewhere on the page is not said twice. */
import { ApiProblem, ServerAway } from '../../api/call.js';

export interface Told {
  readonly title: string;
  readonly error: Error;
}

/** Null: a conflict has its own notice, and a session that ended its own dialog. */
export function toldOf(error: Error): Told | null {
  if (error instanceof ServerAway) {
    const words = 'What you typed is kept in this tab. Save again when the server is back.';
    return { title: 'The server did not answer the save', error: new Error(words) };
  }
  if (!(error instanceof ApiProblem)) return { title: 'It was not saved', error };
  if (error.status === 401 || error.code === 'revision_conflict') return null;
  return { title: 'It was not saved', error };
}
