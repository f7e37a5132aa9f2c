/** Asks before the saved draft is given up for what is live: which is a rollback to the live revision. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../../api/call.js';
import { useEditing } from '../../draft/editing.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';

export function DiscardDraftDialog({ onClose }: { readonly onClose: () => void }) {
  const { saved, isDirty } = useEditing();
  const { env, id, live, newest, author } = saved;
  const queries = useQueryClient();
  const discarding = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/contents/:id/rollback', {
        params: { env, id },
        body: { revision: live ?? 0 },
      }),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: ['environments', env] });
      notifyDone(`The draft is out of the way: revision ${answer.live} is the same as r${live}.`);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Discard draft r${newest}?`}>
      <Stack>
        <Text size="sm">
          You go on from what is live: r{live} is saved again, as r{newest + 1}. Players see no
          difference, and the draft by {author} stays in the history.
        </Text>
        {isDirty && (
          <Text size="sm" fw={600}>
            Save or discard what you typed first: it builds on the draft.
          </Text>
        )}
        {discarding.error !== null && <ProblemAlert error={discarding.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep the draft
          </Button>
          <Button
            color="red"
            disabled={isDirty}
            loading={discarding.isPending}
            onClick={() => discarding.mutate()}
          >
            Discard the draft
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
