/** Says of a node in words how it is. */
import type { FleetNode } from '../../contract/operations/nodes.js';

export type NodeTone = 'good' | 'plain' | 'bad';

export interface NodeState {
  readonly words: string;
  readonly tone: NodeTone;
}

export function stateOf({
  live,
  serving,
  lag,
}: Pick<FleetNode, 'live' | 'serving' | 'lag'>): NodeState {
  if (!live) return { words: 'away', tone: 'bad' };
  if (serving === 0) return { words: 'serves nobody', tone: 'bad' };
  // A node tells of itself every other second, so while somebody edits all are a little behind in turn.
  if (lag > 0) return { words: `${lag} behind`, tone: 'plain' };
  return { words: 'up to date', tone: 'good' };
}

/** For the rows of a table that may be old: nobody knows more while the store is away. */
export const unknownState: NodeState = { words: 'not known', tone: 'plain' };

/** What to say above the table; null: all are there. */
export function awayWords(nodes: readonly Pick<FleetNode, 'name' | 'live'>[]): string | null {
  const away = nodes.filter((node) => !node.live);
  if (away.length === 0) return null;
  const names = new Intl.ListFormat('en').format(away.map((node) => node.name));
  const [has, it, serves] = away.length === 1 ? ['has', 'it', 'serves'] : ['have', 'they', 'serve'];
  return `${names} ${has} not been seen lately: stopped, or cut off from the database. As long as ${it} ${serves} anybody, it is what was published last there.`;
}
