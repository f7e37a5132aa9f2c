/** The nodes, one row each. */
import { Badge, Group, ScrollArea, Table, Text } from '@mantine/core';
import type { FleetNode } from '../../contract/operations/nodes.js';
import { exactTime } from '../parts/when.js';
import { type NodeState, stateOf, unknownState } from './node-state.js';
import { countWords, uptimeWords } from './number-words.js';
import { upToDateColor } from './up-to-date-color.js';

export interface NodesTableProps {
  readonly nodes: readonly FleetNode[];
  /** False: this is how they were. */
  readonly isCurrent: boolean;
}

export function NodesTable({ nodes, isCurrent }: NodesTableProps) {
  return (
    <ScrollArea
      type="auto"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Nodes, as a table' }}
    >
      <Table
        highlightOnHover
        tabularNums
        miw={760}
        fz="sm"
        horizontalSpacing="xs"
        aria-label="Nodes"
        style={{ whiteSpace: 'nowrap' }}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Node</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>Version</Table.Th>
            <Table.Th ta="right">Sequence</Table.Th>
            <Table.Th ta="right" title="Sequences behind the store">
              Lag
            </Table.Th>
            <Table.Th ta="right">Last seen</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {nodes.map((node) => (
            <Table.Tr key={node.id}>
              <Table.Th fw={600}>
                <Group gap="xs" wrap="nowrap">
                  {node.name}
                  {node.self && (
                    <Text span size="xs" c="dimmed" fw={400}>
                      this server
                    </Text>
                  )}
                </Group>
              </Table.Th>
              <Table.Td>
                <StateBadge state={isCurrent ? stateOf(node) : unknownState} />
              </Table.Td>
              <Table.Td>
                <span className="mono">{node.address}</span>
              </Table.Td>
              <Table.Td>{node.version}</Table.Td>
              <Table.Td ta="right">{countWords(node.sequence)}</Table.Td>
              <Table.Td ta="right">{countWords(node.lag)}</Table.Td>
              <Table.Td ta="right" title={exactTime(node.seenAt)}>
                {uptimeWords(Math.max(0, (Date.now() - Date.parse(node.seenAt)) / 1000))} ago
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

function StateBadge({ state: { words, tone } }: { readonly state: NodeState }) {
  if (tone === 'good') {
    return (
      <Badge variant="light" color="teal" c={upToDateColor} miw="max-content">
        {words}
      </Badge>
    );
  }
  return tone === 'plain' ? (
    <Badge variant="default" miw="max-content">
      {words}
    </Badge>
  ) : (
    <Badge variant="filled" color="red.9" miw="max-content">
      {words}
    </Badge>
  );
}
