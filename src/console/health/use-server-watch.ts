/** What is known of the server's health, as it comes. */
import { useSyncExternalStore } from 'react';
import { serverWatch, type Watched } from './server-watch.js';

export function useServerWatch(): Watched {
  return useSyncExternalStore(serverWatch.subscribe, () => serverWatch.watched);
}
