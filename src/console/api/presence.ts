/**
 * Whether somebody is at the page. What the page asks for by itself does not count as use of the session, or one that
 * was left open would never end.
 */
const awayAfterMs = 60_000;

let lastAtMs = Date.now();

/** To be called whenever somebody moves, points or types. */
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
