/** Whether a user is at the page. Requests of an unattended page do not prolong the session, or it would never end. */
const awayAfterMs = 60_000;

let lastAtMs = Date.now();

/** Called whenever the user moves, points or types. */
export function notePresence(): void {
  lastAtMs = Date.now();
}

/**
 * Headers of every request to the admin API. The server takes a session's cookie for a change only with the first: no
 * page of another origin can send it.
 */
export function consoleHeaders(): Record<string, string> {
  return Date.now() - lastAtMs > awayAfterMs
    ? { 'x-loadout-console': '1', 'x-loadout-unattended': '1' }
    : { 'x-loadout-console': '1' };
}
