/** The cache of responses. Requests fail at once; what failed because the server was away is read again when it is back. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem, ServerAway } from './call.js';
import { serverState, storeState } from './server-state.js';

const noteAway = (error: unknown): void => {
  if (error instanceof ServerAway) serverState.report(true);
  if (isOfStore(error)) void storeState.check();
};

const isOfStore = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'store_unavailable';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteAway }),
  mutationCache: new MutationCache({ onError: noteAway }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // An outage is shown at once; the return of the server triggers the next request.
      retry: false,
    },
    mutations: { retry: false },
  },
});

// What failed while the server or its store was away is read again.
serverState.onReturn(() => {
  void queryClient.invalidateQueries({
    predicate: ({ state }) => state.error instanceof ServerAway,
  });
});
storeState.onReturn(() => {
  void queryClient.invalidateQueries({ predicate: ({ state }) => isOfStore(state.error) });
});
