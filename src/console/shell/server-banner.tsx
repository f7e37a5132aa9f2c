/** Says that the server is away for as long as it is. */
import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { serverState } from '../api/server-state.js';

export function ServerBanner() {
  const isAway = useSyncExternalStore(serverState.subscribe, () => serverState.isAway);
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
    </div>
  );
}
