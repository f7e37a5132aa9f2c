/** The servers that share the store: what each is, how far it is, and whether it is there. */
import { Alert, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { FleetNode } from '../../contract/operations/nodes.js';
import { request, ServerAway } from '../api/call.js';
import { storeState } from '../api/server-state.js';
import { IconServerOff } from '../icons/icons.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { exactTime } from '../parts/time/formats.js';
import { type Column, DataTable, NumberCells, StateBadge } from './data-table.js';
import { describeAway, describeBelow, stateOf } from './node-state.js';
import { formatCount, formatUptime } from './number-format.js';

const pollEveryMs = 2_000;

export function NodesSection() {
  const { data, error, refetch } = useQuery({
    queryKey: ['nodes'],
    queryFn: () => request('GET /nodes', {}),
    refetchInterval: pollEveryMs,
    staleTime: 0,
  });
  const isStoreAway = useSyncExternalStore(storeState.subscribe, () => storeState.isAway);
  const isCurrent = error === null && !isStoreAway;
  const away = isCurrent ? describeAway(data?.nodes ?? []) : null;
  return (
    <Stack gap="xs" component="section" aria-label="Nodes" id="nodes">
      <Title order={2} size="h4">
        Nodes
      </Title>
      <div role="status">
        {away !== null && (
          <Alert color="orange" icon={<IconServerOff aria-hidden />} title="Some nodes are away">
            {away}
          </Alert>
        )}
      </div>
      {!isCurrent && data !== undefined && (
        <Text size="sm" c="dimmed">
          Last known state.
        </Text>
      )}
      {data !== undefined ? (
        <DataTable label="Nodes" columns={columns} widthMin={760}>
          {data.nodes.map((node) => (
            <NodeRow key={node.id} node={node} isCurrent={isCurrent} />
          ))}
        </DataTable>
      ) : error === null || error instanceof ServerAway ? (
        <Skeleton height={76} />
      ) : (
        <ProblemAlert
          title="The nodes are not known"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </Stack>
  );
}

const columns: readonly Column[] = [
  ...['Node', 'State', 'Address', 'Version'].map((name) => ({ name })),
  { name: 'Sequence', isNumber: true },
  { name: 'Lag', isNumber: true, hint: 'Sequences behind the store' },
  { name: 'Last seen', isNumber: true },
];

interface NodeRowProps {
  readonly node: FleetNode;
  /** False: this is an earlier state of the node. */
  readonly isCurrent: boolean;
}

function NodeRow({ node, isCurrent }: NodeRowProps) {
  const below = isCurrent ? describeBelow(node) : null;
  return (
    <Table.Tr>
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
        <StateBadge {...(isCurrent ? stateOf(node) : { label: 'not known', tone: 'plain' })} />
        {below !== null && (
          <Text size="xs" c="dimmed">
            {below}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="mono">{node.address}</Table.Td>
      <Table.Td>{node.version}</Table.Td>
      <NumberCells values={[formatCount(node.sequence), formatCount(node.lag)]} />
      <Table.Td ta="right" title={exactTime(node.seenAt)}>
        {formatUptime(Math.max(0, (Date.now() - Date.parse(node.seenAt)) / 1000))} ago
      </Table.Td>
    </Table.Tr>
  );
}
