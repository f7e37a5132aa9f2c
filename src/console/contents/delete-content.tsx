/** Asks before a content is taken out of delivery, and does it. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.js';
import { type ContentSummary, deleteContent } from '../generated/admin-client.js';
import { notifyDone } from '../parts/notify.js';
import { ProblemAlert } from '../parts/problem-alert.js';

export interface DeleteContentProps {
  readonly env: string;
  readonly content: ContentSummary;
  readonly onClose: () => void;
}

export function DeleteContent({ env, content: { id, live }, onClose }: DeleteContentProps) {
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => call(deleteContent({ env, id })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['environments', env, 'contents'] });
      notifyDone(`${id} is deleted. It can be restored from the deleted contents.`);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Delete ${id}?`}>
      <Stack>
        <Text size="sm">
          {live === null
            ? `No player gets ${id} in ${env} yet; it leaves the list.`
            : `Players stop getting ${id} from ${env} at once: asking for it answers 404.`}{' '}
          Its history is kept, and restoring it from the deleted contents undoes this.
        </Text>
        {deleting.error !== null && <ProblemAlert error={deleting.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
