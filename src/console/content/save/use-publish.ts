/** Publishes a saved revision of the open content item, or rolls back to one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/call.js';
import { useDraft } from '../../draft/draft-context.js';

export type Published = Awaited<ReturnType<typeof publish>>;

/**
 * Its variable is the digest of the findings that the user has looked at.
 * @param revision a draft to publish, or the number of the revision to roll back to
 * @param note why; of a rollback
 */
export function usePublish(
  action: 'publish' | 'rollback',
  revision: number,
  note: string,
  onDone: (published: Published) => void,
) {
  const { env, id } = useDraft().saved;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (confirm: string | undefined) =>
      publish({ env, id, action, revision, note, confirm }),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', env] }),
  });
}

interface PublishRequest {
  readonly env: string;
  readonly id: string;
  readonly action: 'publish' | 'rollback';
  readonly revision: number;
  /** Of a rollback: why. */
  readonly note: string;
  /** Digest of the findings that the user has looked at. */
  readonly confirm: string | undefined;
}

/** Unconfirmed findings reject it. */
function publish({ env, id, action, revision, note, confirm }: PublishRequest) {
  const args = { params: { env, id }, query: { strict: 'true' } } as const;
  const body = { revision, confirm };
  return action === 'publish'
    ? request('POST /environments/:env/contents/:id/publish', { ...args, body })
    : request('POST /environments/:env/contents/:id/rollback', {
        ...args,
        body: { ...body, note },
      });
}
