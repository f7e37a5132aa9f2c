/** Describes a finished roll-back of a segment. Pure. */

export interface RolledBack {
  readonly name: string;
  /** The revision whose condition was saved again, and its new number. */
  readonly old: number;
  readonly revision: number;
  /** Ids of the live content that uses the segment. */
  readonly reaches: readonly string[];
}

export function describeRollback({ name, old, revision, reaches }: RolledBack): string {
  const done = `Rolled back ${name}: r${revision} has the condition of r${old}`;
  if (reaches.length === 0) return `${done}. No live content uses it.`;
  const items = reaches.length === 1 ? '1 content item is' : `${reaches.length} content items are`;
  return `${done}, and ${items} live with it for all players.`;
}
