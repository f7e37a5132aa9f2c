/** `loadout nodes`: the servers that share the store, and how far each is. */

import { Command } from 'commander';
import type { FleetNode } from '../../contract/operations/nodes.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { type Column, formatTable } from '../terminal/table.js';

const columns: readonly Column<FleetNode>[] = [
  { title: 'NAME', text: (node) => node.name },
  { title: 'ADDRESS', text: (node) => node.address },
  { title: 'VERSION', text: (node) => node.version },
  { title: 'SEQUENCE', text: (node) => String(node.sequence) },
  { title: 'LAG', text: (node) => String(node.lag) },
  { title: 'SEEN', text: (node) => node.seenAt },
  { title: 'STATE', text: stateText },
];

export function nodesCommand(): Command {
  return withConnection(new Command('nodes'))
    .description('list the servers that share the store, and how far each is')
    .action(listNodes);
}

async function listNodes(options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('GET /nodes', {});
  printResponse(options, response, ({ value }) => formatTable(columns, value.nodes, 'No servers.'));
}

function stateText({ live, serving, self, behindBelow = [] }: FleetNode): string {
  const state = live ? (serving > 0 ? 'live' : 'live, not serving') : 'away';
  const below =
    behindBelow.length > 0
      ? `; servers below it that are away or behind: ${behindBelow.join(', ')}`
      : '';
  return `${state}${self ? ' (asked)' : ''}${below}`;
}
