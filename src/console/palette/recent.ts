/** Remembers, in this browser, what a user opened last, by its path. */

/** As many as fit into the palette with something below them. */
const recentMax = 8;

export function recentPaths(user: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(user)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((path) => typeof path === 'string') : [];
  } catch {
    // A browser may forbid storage, and others may write to it.
    return [];
  }
}

/** Notes that the screen at that path is shown, if it is one of something by itself. */
export function rememberPath(user: string, path: string): void {
  const item = itemPath.exec(path)?.[0];
  if (item === undefined) return;
  const others = recentPaths(user).filter((other) => other !== item);
  try {
    localStorage.setItem(nameOf(user), JSON.stringify([item, ...others].slice(0, recentMax)));
  } catch {
    // As above.
  }
}

/** Up to the name of a content item, segment, experiment or release; without its tab. */
const itemPath = /^\/env\/[^/]+\/(?:contents|segments|experiments|releases)\/[^/]+/;

function nameOf(user: string): string {
  return `loadout recent ${JSON.stringify(user)}`;
}
