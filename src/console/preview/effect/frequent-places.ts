/** The values that an edit changes for the most users. Pure. */
import type { PreviewChange } from '../../../contract/operations/preview.js';

/** One value that changes in the same way. */
export interface ChangedPlace {
  /** JSON pointer. */
  readonly path: string;
  /** JSON text, cut where it is long; null: it was not there, or is not. */
  readonly before: string | null;
  readonly after: string | null;
  readonly contexts: number;
}

/** The most frequent first. A user with several changed values counts at each. */
export function frequentPlaces(changes: readonly PreviewChange[]): ChangedPlace[] {
  const places = new Map<string, ChangedPlace>();
  for (const { contexts, pointers } of changes) {
    for (const { path, before, after } of pointers ?? []) {
      const key = JSON.stringify([path, before, after]);
      const known = places.get(key)?.contexts ?? 0;
      places.set(key, { path, before, after, contexts: known + contexts });
    }
  }
  return [...places.values()].sort((a, b) => b.contexts - a.contexts);
}
