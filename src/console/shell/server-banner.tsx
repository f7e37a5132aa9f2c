/** Says that the server is away, or its store, for as long as it is. */
import { Alert } from '@mantine/core';
import { IconCloudOff, IconDatabaseOff } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { serverState, storeState } from '../api/server-state.js';

export function ServerBanner() {
  const isAway = useSyncExternalStore(serverState.subscribe, () => serverState.isAway);
  const isStoreAway = useSyncExternalStore(storeState.subscribe, () => storeState.isAway);
  return (
    <div role="status">
      {isAway && (
        <Alert
          color="orange"
          icon={<IconCloudOff aria-hidden />}
          mb="md"
          title="The server does not answer"
        >
          What you typed is kept. This page goes on by itself as soon as the server is back.
        </Alert>
      )}
      {isStoreAway && !isAway && (
        <Alert
          color="orange"
          icon={<IconDatabaseOff aria-hidden />}
          mb="md"
          title="The database is away"
        >
          Edits are refused; players are served what was published last. What you typed is kept:
          this page goes on by itself as soon as the database is back.
        </Alert>
      )}
    </div>
  );
}
