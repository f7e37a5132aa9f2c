/** Notices above the tabs: read only, recovered edits, saved or deleted by another user. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDraft } from '../draft/draft-context.js';
import { useRestoreContent } from '../draft/restore-content.js';
import { IconAlertTriangle, IconHistory, IconLock, IconUsers } from '../icons/icons.js';
import { exactTime } from '../parts/time/formats.js';
import { timeAgo } from '../parts/time/time-ago.js';
import { ReachNotice } from '../releases/add/reach-notice.js';
import { askToDiscard } from './ask-to-discard.js';
import styles from './content.module.css';

export function ContentNotices({ onConflict }: { readonly onConflict: () => void }) {
  const {
    saved,
    readOnlyReason,
    recoveredAt,
    isUnstored,
    theirs,
    isGone,
    discard,
    dismissRecovered,
  } = useDraft();
  return (
    <Stack gap="xs" role="status" aria-label="Notices" className={styles['notices'] ?? ''}>
      {readOnlyReason !== null && (
        <Alert color="gray" icon={<IconLock aria-hidden />} p="xs">
          {readOnlyReason}
        </Alert>
      )}
      <ReachNotice env={saved.env} kind="content" name={saved.id} />
      {isGone && <Gone />}
      {theirs !== null && (
        <Alert
          color="orange"
          icon={<IconUsers aria-hidden />}
          classNames={{ title: styles['alertTitle'] ?? '' }}
          title={`${theirs.author} ${theirs.live === theirs.newest ? 'published' : 'saved'} r${theirs.newest} while you were editing`}
        >
          <Group justify="space-between">
            <Text size="sm" maw={700}>
              {theirs.note === '' ? '' : `“${theirs.note}”. `}Your edits are still here. Compare
              both before you save.
            </Text>
            <Button size="xs" onClick={onConflict}>
              Compare and merge
            </Button>
          </Group>
        </Alert>
      )}
      {recoveredAt !== null && (
        <Alert color="blue" icon={<IconHistory aria-hidden />} p="xs">
          <Group justify="space-between">
            <Text size="sm" title={exactTime(new Date(recoveredAt).toISOString())}>
              We kept your unsaved changes from{' '}
              {timeAgo(new Date(recoveredAt).toISOString(), Date.now())}.
            </Text>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={() => askToDiscard(discard)}>
                Discard
              </Button>
              <Button size="compact-sm" variant="light" onClick={dismissRecovered}>
                Continue
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      {isUnstored && (
        <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} p="xs">
          This is too large for the browser to keep over a reload. Save a draft before you leave.
        </Alert>
      )}
    </Stack>
  );
}

function Gone() {
  const { saved, mayEdit } = useDraft();
  const restoring = useRestoreContent(saved.env);
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle aria-hidden />}
      classNames={{ title: styles['alertTitle'] ?? '' }}
      title="This content item was deleted while you were editing"
    >
      <Group justify="space-between">
        <Text size="sm" maw={700}>
          Your edits are still in this tab. Restore the content item to continue where it was, or
          save to create it again.
        </Text>
        {mayEdit && (
          <Button
            size="xs"
            loading={restoring.isPending}
            onClick={() => restoring.mutate(saved.id)}
          >
            Restore
          </Button>
        )}
      </Group>
    </Alert>
  );
}
