/** Describes the state of a node. */
import type { FleetNode } from '../../contract/operations/nodes.js';

export interface State {
  readonly label: string;
  readonly tone: 'good' | 'plain' | 'bad';
}

export function stateOf({
  live,
  serving,
  lag,
}: Pick<FleetNode, 'live' | 'serving' | 'lag'>): State {
  if (!live) return { label: 'away', tone: 'bad' };
  if (serving === 0) return { label: 'not serving', tone: 'bad' };
  // A node reports every other second, so during edits all nodes are a little behind in turn.
  if (lag > 0) return { label: `${lag} behind`, tone: 'plain' };
  return { label: 'up to date', tone: 'good' };
}

/** Names servers below a node that are away or behind; null: none is. */
export function describeBelow({ behindBelow = [] }: Pick<FleetNode, 'behindBelow'>): string | null {
  if (behindBelow.length === 0) return null;
  return `Servers below it that are away or behind: ${new Intl.ListFormat('en').format(behindBelow)}`;
}

/** A sentence about the nodes that are away; null: none is. */
export function describeAway(nodes: readonly Pick<FleetNode, 'name' | 'live'>[]): string | null {
  const away = nodes.filter((node) => !node.live);
  if (away.length === 0) return null;
  const names = new Intl.ListFormat('en').format(away.map((node) => node.name));
  const [has, it, serves] = away.length === 1 ? ['has', 'it', 'serves'] : ['have', 'they', 'serve'];
  return `${names} ${has} not been seen lately: stopped, or cut off from the database. While cut off, ${it} ${serves} what was last published there.`;
}
