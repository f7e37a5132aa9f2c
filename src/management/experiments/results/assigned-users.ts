/** Users that variants were delivered to, as all servers have counted them. */
import type { AssignedUsers } from '../../../analysis/results/results-source.js';
import type { Fleet } from '../../fleet/fleet.js';
import type { Store } from '../../store/store.js';
import { readAssigned } from '../assigned/read-assigned.js';
import type { ResultsPlan } from './results-plan.js';

interface CountedUsers {
  /** Null: no user was counted. */
  readonly assigned: AssignedUsers | null;
  /** Names of the servers that have counted; ids of those that are gone. */
  readonly nodes: readonly string[];
}

/** @throws StoreUnavailable */
export async function assignedUsers(
  store: Pick<Store, 'read'>,
  fleet: Pick<Fleet, 'nodes'>,
  { environment, experiment, phase }: ResultsPlan,
): Promise<CountedUsers> {
  const id = { environment, experiment: experiment.id, phase: phase.number };
  const assigned = await readAssigned(store, id);
  if (assigned === null) return { assigned, nodes: [] };
  const names = new Map((await fleet.nodes()).map((node) => [node.id, node.name]));
  return { assigned, nodes: assigned.nodes.map((node) => names.get(node) ?? node) };
}
