/** Deletes a segment that nothing uses; of one that is in use it says where. */
import { Anchor, Button, List, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { request } from '../api/call.js';
import { pathOf } from '../parts/environments.js';
import { useGuard } from '../parts/guard.js';
import { notifyDone } from '../parts/notify.js';
import { TypeToConfirm } from '../parts/type-to-confirm.js';
import { type SavedSegment, segmentKeys } from './segment-api.js';

export interface DeleteSegmentProps {
  readonly env: string;
  readonly segment: SavedSegment;
}

export function DeleteSegment({ env, segment }: DeleteSegmentProps) {
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const { name, usedBy } = segment;
  const guard = useGuard(env);
  const [isAsked, setIsAsked] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      request('DELETE /environments/:env/segments/:name', { params: { env, name } }),
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
    remove.reset();
    setIsAsked(true);
  };
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={ask}
      >
        Delete
      </Button>
      {isAsked && (
        <TypeToConfirm
          title={`Delete ${name}?`}
          name={guard.typed}
          confirm="Delete segment"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsAsked(false)}
        >
          No content of {guard.name} uses it. Its history stays: the activity list leads to it, and
          a roll-back brings the segment back.
        </TypeToConfirm>
      )}
    </>
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
