/** Publishes a saved revision of the open content item, or rolls back to one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/call.js';
import { useDraft } from '../../draft/draft-context.js';

export type Published = Awaited<ReturnType<typeof publish>>;

/** @param revision a draft to publish, or the number of the revision to roll back to */
export function usePublish(
  action: 'publish' | 'rollback',
  revision: number,
  onDone: (published: Published) => void,
) {
  const { env, id } = useDraft().saved;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => publish(env, id, action, revision),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', env] }),
  });
}

function publish(env: string, id: string, action: 'publish' | 'rollback', revision: number) {
  const args = { params: { env, id }, body: { revision } };
  return action === 'publish'
    ? request('POST /environments/:env/contents/:id/publish', args)
    : request('POST /environments/:env/contents/:id/rollback', args);
}
