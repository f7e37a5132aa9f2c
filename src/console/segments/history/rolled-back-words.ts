/** Says what a roll-back of a segment has done. Pure. */

export interface RolledBack {
  readonly name: string;
  /** The revision whose condition was saved again, and the number it has now. */
  readonly old: number;
  readonly revision: number;
  /** Ids of the contents that are delivered with it. */
  readonly reaches: readonly string[];
  readonly sequence: number;
}

export function rolledBackWords({ name, old, revision, reaches, sequence }: RolledBack): string {
  const done = `Rolled back ${name}: r${revision} has the condition of r${old}`;
  if (reaches.length === 0) return `${done}. No live content uses it.`;
  const contents = reaches.length === 1 ? '1 content is' : `${reaches.length} contents are`;
  return `${done}, and ${contents} delivered with it on all listeners, sequence ${sequence}.`;
}
