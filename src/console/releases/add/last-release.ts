/** The release that the last change of this tab went into, by environment. */

function placeOf(env: string): string {
  return `loadout:last-release:${env}`;
}

export function lastRelease(env: string): number | null {
  try {
    const kept = sessionStorage.getItem(placeOf(env));
    return kept === null ? null : Number(kept);
  } catch {
    return null;
  }
}

export function rememberRelease(env: string, release: number): void {
  try {
    sessionStorage.setItem(placeOf(env), String(release));
  } catch {
    // The browser stores nothing.
  }
}
