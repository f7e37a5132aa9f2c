/** The cache of answers. A server that is away is asked again until it is back; a refusal is final. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem, ServerAway } from './call.js';
import { serverState } from './server-state.js';
import { storeState } from './server-store.js';

const retryMsMax = 10_000;

const noteAway = (error: unknown): void => {
  if (error instanceof ServerAway) serverState.noteAway();
  if (isOfStore(error)) storeState.noteRefused();
};

const isOfStore = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'store_unavailable';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteAway }),
  mutationCache: new MutationCache({ onError: noteAway }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The loss is shown as soon as it is seen; asking again is left to the return of the server.
      retry: false,
      retryDelay: (attempt) => Math.min(retryMsMax, 500 * 2 ** attempt),
    },
    mutations: { retry: false },
  },
});

// What could not be asked while the server was away, or its store, is asked anew.
serverState.onReturn(() => {
  void queryClient.invalidateQueries({
    predicate: ({ state }) => state.error instanceof ServerAway,
  });
});
storeState.onReturn(() => {
  void queryClient.invalidateQueries({ predicate: ({ state }) => isOfStore(state.error) });
});
