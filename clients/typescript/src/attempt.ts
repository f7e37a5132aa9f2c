/** What may throw where a failure means that there is nothing. */

/** @returns its result; undefined: it threw */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
