/** Brings a deleted content item back. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../api/call.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';

/** Its variable is the id. */
export function useRestoreContent(env: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request('POST /environments/:env/contents/:id/restore', { params: { env, id } }),
    onSuccess: async ({ id, live }) => {
      await queries.invalidateQueries({ queryKey: ['environments', env] });
      notifyDone(
        live === null
          ? `${id} is restored, as a draft.`
          : `${id} is restored: revision ${live} is live for all players.`,
      );
    },
    onError: notifyFailed,
  });
}
