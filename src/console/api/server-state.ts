/** Whether the server that this page came from, and its store, can be reached. */
import { Availability, saysStoreIsAway } from './availability.js';

export const serverState = new Availability(async () => {
  const response = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
  return response?.ok !== true;
});

/** The store of the server that this page came from. */
export const storeState = new Availability(async () => {
  const response = await fetch('/readyz', { cache: 'no-store' });
  return saysStoreIsAway(await response.json());
});
