/** Deletes a segment that nothing uses; of one that is in use it says where. */
import { Anchor, Button, List, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { call } from '../api/call.js';
import { deleteSegment } from '../generated/admin-client.js';
import { pathOf } from '../parts/environments.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { type SavedSegment, segmentKeys } from './segment-api.js';

export interface DeleteSegmentProps {
  readonly env: string;
  readonly segment: SavedSegment;
}

export function DeleteSegment({ env, segment }: DeleteSegmentProps) {
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const { name, usedBy } = segment;
  const remove = useMutation({
    mutationFn: () => call(deleteSegment({ env, name })),
    onError: notifyFailed,
    onSuccess: () => {
      notifyDone(`Deleted ${name}.`);
      queries.removeQueries({ queryKey: segmentKeys.one(env, name) });
      void queries.invalidateQueries({ queryKey: segmentKeys.all(env) });
      goTo(pathOf.segments(env));
    },
  });
  const ask = (): void => {
    if (usedBy.length > 0) {
      modals.open({ title: `${name} is in use`, children: <InUse env={env} ids={usedBy} /> });
      return;
    }
    modals.openConfirmModal({
      title: `Delete ${name}?`,
      children: (
        <Text size="sm">
          No content uses it. Its history stays: the activity list leads to it, and a roll-back
          brings the segment back.
        </Text>
      ),
      labels: { confirm: 'Delete segment', cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => remove.mutate(),
    });
  };
  return (
    <Button
      variant="subtle"
      color="red"
      leftSection={<IconTrash size={16} aria-hidden />}
      onClick={ask}
      loading={remove.isPending}
    >
      Delete
    </Button>
  );
}

function InUse({ env, ids }: { readonly env: string; readonly ids: readonly string[] }) {
  return (
    <>
      <Text size="sm" mb="xs">
        Rules of these contents are for it. Take it out of them first, then delete it.
      </Text>
      <List size="sm">
        {ids.map((id) => (
          <List.Item key={id}>
            <Anchor
              component={Link}
              href={pathOf.content(env, id, 'mapping')}
              size="sm"
              onClick={() => modals.closeAll()}
            >
              {id}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </>
  );
}
