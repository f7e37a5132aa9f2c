/** The servers that share the store: listed. */
import { type FleetNode, listNodes } from '../../contract/operations/nodes.js';
import { type Handler, handle } from '../http/handlers.js';
import { toIso } from '../to-iso.js';
import type * as fleet from './fleet.js';

export const nodeHandlers: readonly Handler[] = [
  handle(listNodes, async ({ context }) => {
    const nodes = await context.fleet.nodes();
    return { sequence: context.fleet.status().storeSequence, nodes: nodes.map(nodeJson) };
  }),
];

function nodeJson({ startedAtMs, seenAtMs, ...node }: fleet.FleetNode): FleetNode {
  return { ...node, startedAt: toIso(startedAtMs), seenAt: toIso(seenAtMs) };
}
