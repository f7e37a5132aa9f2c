/** Deletes a content item, after a confirmation. */
import { Anchor, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContentSummary } from '../../../contract/operations/contents.js';
import { request } from '../../api/call.js';
import { contentKeyOf } from '../../draft/content-query.js';
import { ConfirmAct } from '../../parts/acts/confirm-act.js';
import { useGuard } from '../../parts/guard.js';
import { notifyDone } from '../../parts/notify.js';
import { AddToRelease } from '../../releases/add/add-to-release.js';
import { usePublishReason } from '../../session/edit-rights.js';

export interface DeleteContentProps {
  readonly env: string;
  readonly content: ContentSummary;
  readonly onClose: () => void;
}

export function DeleteContent({ env, content: { id, live }, onClose }: DeleteContentProps) {
  const queries = useQueryClient();
  const guard = useGuard(env);
  const publishReason = usePublishReason(env);
  const deleting = useMutation({
    mutationFn: () => request('DELETE /environments/:env/contents/:id', { params: { env, id } }),
    onSuccess: async () => {
      // A new content item of the same id starts empty.
      queries.removeQueries({ queryKey: contentKeyOf(env, id) });
      await queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
      notifyDone(`${id} is deleted. It can be restored under Deleted.`);
      onClose();
    },
  });
  const [isAdding, setIsAdding] = useState(false);
  if (live !== null && (isAdding || publishReason !== null)) {
    const changes = async () => [{ kind: 'content', id, revision: null } as const];
    return (
      <AddToRelease {...{ env, changes, onClose }} what={`the deletion of ${id}`}>
        {publishReason !== null && <Text size="sm">{publishReason}</Text>}
      </AddToRelease>
    );
  }
  return (
    <ConfirmAct
      {...{ env, act: 'content.delete', isFelt: live !== null }}
      title={`Delete ${id}?`}
      color="red"
      confirm="Delete"
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    >
      {live === null
        ? `No player gets ${id} in ${guard.name} yet; it leaves the list.`
        : `Players stop getting ${id} from ${guard.name} at once: requests for it get a 404.`}{' '}
      Its history is kept, and it can be restored under Deleted.
      {live !== null && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          mt="xs"
          display="block"
          onClick={() => setIsAdding(true)}
        >
          Use a release instead
        </Anchor>
      )}
    </ConfirmAct>
  );
}
