/** Another user saved the segment while it was being edited: shows both states, and keeps what was typed. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { formatCondition } from '../conditions/condition-query.js';
import { DiffView } from '../parts/code/diff-view.js';
import { When } from '../parts/time/when.js';
import type { SegmentBase, SegmentDraft } from './segment-draft.js';

export interface SegmentConflictProps {
  readonly draft: SegmentDraft;
  readonly theirs: SegmentBase;
}

export function SegmentConflict({ draft, theirs }: SegmentConflictProps) {
  const { state } = draft;
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      icon={<IconGitMerge aria-hidden />}
      title="This segment was saved while you were editing"
    >
      <Stack gap="sm">
        <Text size="sm">
          Saved <When at={theirs.updatedAt} span inherit />. Your changes are kept. Choose which of
          the two to continue with.
        </Text>
        <DiffView
          before={formatCondition(theirs.when)}
          after={formatCondition(state.when)}
          beforeLabel="Saved by them"
          afterLabel="Typed by you"
          maxRows={16}
        />
        {theirs.description !== state.description && (
          <DiffView
            before={theirs.description}
            after={state.description}
            beforeLabel="Their description"
            afterLabel="Your description"
            maxRows={6}
          />
        )}
        <Group gap="xs">
          <Button size="xs" onClick={() => draft.rebase(theirs)}>
            Overwrite with mine
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              draft.rebase(theirs, { when: theirs.when, description: theirs.description })
            }
          >
            Keep theirs
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
