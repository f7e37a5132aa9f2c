/** Shows that the server or its store is away. */
import { Alert } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { serverState, storeState } from '../api/server-state.js';
import { IconCloudOff, IconDatabaseOff } from '../icons/icons.js';

const alert = { color: 'orange', mb: 'md' } as const;

export function ServerBanner() {
  const isAway = useSyncExternalStore(serverState.subscribe, () => serverState.isAway);
  const isStoreAway = useSyncExternalStore(storeState.subscribe, () => storeState.isAway);
  return (
    <div role="status">
      {isAway && (
        <Alert {...alert} icon={<IconCloudOff aria-hidden />} title="Can’t reach the server">
          Your edits are safe. This page reconnects by itself.
        </Alert>
      )}
      {isStoreAway && !isAway && (
        <Alert {...alert} icon={<IconDatabaseOff aria-hidden />} title="The database is away">
          Edits are rejected; players are served what was published last. What you typed is safe,
          and this page continues by itself as soon as the database is back.
        </Alert>
      )}
    </div>
  );
}
