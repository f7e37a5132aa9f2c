/** What one has to know before going on: read only, brought back, saved by others meanwhile, deleted meanwhile. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconLock, IconUsers } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../api/call.js';
import { useEditing } from '../draft/editing.js';
import { notifyDone, notifyFailed } from '../parts/notify.js';
import { exactTime, timeAgo } from '../parts/when.js';
import styles from './content.module.css';
import { useConfirmDiscard } from './use-confirm-discard.js';

export function ContentNotices({ onConflict }: { readonly onConflict: () => void }) {
  const { readOnlyReason, keptAt, isUnkept, theirs, isGone, discard, forgetKept } = useEditing();
  const confirmDiscard = useConfirmDiscard(discard);
  return (
    <Stack gap="xs" role="status" aria-label="Notices" className={styles['notices'] ?? ''}>
      {readOnlyReason !== null && (
        <Alert color="gray" icon={<IconLock aria-hidden />} p="xs">
          {readOnlyReason}
        </Alert>
      )}
      {isGone && <Gone />}
      {theirs !== null && (
        <Alert
          color="orange"
          icon={<IconUsers aria-hidden />}
          classNames={{ title: styles['alertTitle'] ?? '' }}
          title={`${theirs.author} saved revision ${theirs.newest} meanwhile`}
        >
          <Group justify="space-between">
            <Text size="sm" maw={700}>
              {theirs.note === '' ? '' : `“${theirs.note}”. `}What you typed is still here. Look at
              both before you save.
            </Text>
            <Button size="xs" onClick={onConflict}>
              Look at both
            </Button>
          </Group>
        </Alert>
      )}
      {keptAt !== null && (
        <Alert color="blue" icon={<IconHistory aria-hidden />} p="xs">
          <Group justify="space-between">
            <Text size="sm" title={exactTime(new Date(keptAt).toISOString())}>
              Unsaved changes from {timeAgo(new Date(keptAt).toISOString(), Date.now())} were kept.
            </Text>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={confirmDiscard}>
                Discard them
              </Button>
              <Button size="compact-sm" variant="light" onClick={forgetKept}>
                Go on
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      {isUnkept && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} p="xs">
          The browser has no room to keep this much over a reload. Save a draft before you leave.
        </Alert>
      )}
    </Stack>
  );
}

function Gone() {
  const { saved, mayEdit } = useEditing();
  const { env, id } = saved;
  const queries = useQueryClient();
  const restoring = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/contents/:id/restore', { params: { env, id } }),
    onSuccess: () => notifyDone(`${id} is back.`),
    onError: notifyFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['environments', env] }),
  });
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      classNames={{ title: styles['alertTitle'] ?? '' }}
      title="This content was deleted meanwhile"
    >
      <Group justify="space-between">
        <Text size="sm" maw={700}>
          What is shown here is still in this tab. Restore the content to go on where it was; saving
          makes it anew.
        </Text>
        {mayEdit && (
          <Button size="xs" loading={restoring.isPending} onClick={() => restoring.mutate()}>
            Restore
          </Button>
        )}
      </Group>
    </Alert>
  );
}
