/** Deletes a segment that no content uses; otherwise lists the content that does. */
import { Anchor, Button, List, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { request } from '../api/call.js';
import { IconTrash } from '../icons/icons.js';
import { ConfirmAct } from '../parts/acts/confirm-act.js';
import { Dialog } from '../parts/dialog.js';
import { pathOf } from '../parts/environments.js';
import { useGuard } from '../parts/guard.js';
import { notifyDone } from '../parts/notify.js';
import { type SavedSegment, segmentKeys } from './segment-api.js';

export interface DeleteSegmentProps {
  readonly env: string;
  readonly segment: SavedSegment;
}

export function DeleteSegment({ env, segment: { name, usedBy } }: DeleteSegmentProps) {
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const guard = useGuard(env);
  const [isAsked, setIsAsked] = useState(false);
  const close = (): void => setIsAsked(false);
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
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => {
          remove.reset();
          setIsAsked(true);
        }}
      >
        Delete
      </Button>
      {isAsked && usedBy.length > 0 && (
        <Dialog title={`${name} is in use`} onClose={close}>
          <Text size="sm" mb="xs">
            These content items have rules for it. Remove it from those rules first.
          </Text>
          <List size="sm">
            {usedBy.map((id) => (
              <List.Item key={id}>
                <Anchor component={Link} href={pathOf.content(env, id, 'mapping')} size="sm">
                  {id}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Dialog>
      )}
      {isAsked && usedBy.length === 0 && (
        <ConfirmAct
          {...{ env, act: 'segment.delete' }}
          title={`Delete ${name}?`}
          color="red"
          confirm="Delete segment"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        >
          No content item of {guard.name} uses it. Its history stays: the activity links to it, and
          a roll-back restores the segment.
        </ConfirmAct>
      )}
    </>
  );
}
