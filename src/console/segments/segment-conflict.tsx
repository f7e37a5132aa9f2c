/** Somebody saved the segment while it was being edited: both are shown, and nothing that was typed is lost. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconGitMerge } from '@tabler/icons-react';
import { DiffView } from '../parts/code/diff-view.js';
import { When } from '../parts/when.js';
import { laidOut } from './condition-layout.js';
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
      title="Somebody saved this segment meanwhile"
    >
      <Stack gap="sm">
        <Text size="sm">
          Saved <When at={theirs.updatedAt} span inherit />. What you typed is kept: choose which of
          the two goes on.
        </Text>
        <DiffView
          before={laidOut(theirs.when)}
          after={laidOut(state.when)}
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
            Go on with mine, on top of theirs
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              draft.rebase(theirs, { when: theirs.when, description: theirs.description })
            }
          >
            Take theirs, drop mine
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
