/** The servers that share the store: what each is, how far it is, and whether it is there. */
import { Alert, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconServerOff } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { ServerAway } from '../api/call.js';
import { storeState } from '../api/server-state.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { awayWords } from './node-state.js';
import { NodesTable } from './nodes-table.js';
import { useNodes } from './use-nodes.js';

export function NodesSection() {
  const { data, error, refetch } = useNodes();
  const isStoreAway = useSyncExternalStore(storeState.subscribe, () => storeState.isAway);
  const isCurrent = error === null && !isStoreAway;
  const away = isCurrent ? awayWords(data?.nodes ?? []) : null;
  return (
    <Stack gap="xs" component="section" aria-label="Nodes">
      <Title order={2} size="h4">
        Nodes
      </Title>
      <div role="status">
        {away !== null && (
          <Alert
            color="orange"
            icon={<IconServerOff aria-hidden />}
            title="Not all nodes are there"
          >
            {away}
          </Alert>
        )}
      </div>
      {!isCurrent && data !== undefined && (
        <Text size="sm" c="dimmed">
          This is how they were when it was last known.
        </Text>
      )}
      {data !== undefined ? (
        <Paper withBorder>
          <NodesTable nodes={data.nodes} isCurrent={isCurrent} />
        </Paper>
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
