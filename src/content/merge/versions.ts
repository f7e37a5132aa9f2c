/** The three sides of a merge. */
export interface Versions<T> {
  /** What both edits started from. */
  readonly base: T;
  /** What is saved now. */
  readonly theirs: T;
  /** What is typed. */
  readonly mine: T;
}

export function mapVersions<T, R>(versions: Versions<T>, map: (side: T) => R): Versions<R> {
  return { base: map(versions.base), theirs: map(versions.theirs), mine: map(versions.mine) };
}

/** What only one side changed, or both alike. @returns `undefined`: both changed it, each in its own way */
export function changedByOne<T>({ base, theirs, mine }: Versions<T>): T | undefined {
  if (mine === base || mine === theirs) return theirs;
  return theirs === base ? mine : undefined;
}
