/** The state of the store of the server that this page came from. */
import { StoreState, saysStoreIsAway } from './store-state.js';

export const storeState = new StoreState(async () => {
  const answer = await fetch('/readyz', { cache: 'no-store' });
  return saysStoreIsAway(await answer.json());
});
