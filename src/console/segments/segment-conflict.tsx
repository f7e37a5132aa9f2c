/** Another user saved the segment while it was being edited: merges both edits, and keeps what was typed. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { request } from '../api/call.js';
import { IconGitMerge } from '../icons/icons.js';
import { MergeDialog } from '../merge/merge-dialog.js';
import { useMerge } from '../merge/use-merge.js';
import { notifyDone } from '../parts/notify.js';
import { When } from '../parts/time/when.js';
import { mergedSegment, mergeSegments } from './merge-segment.js';
import { segmentKeys } from './segment-api.js';
import type { SegmentBase, SegmentDraft, SegmentState } from './segment-draft.js';

export interface SegmentConflictProps {
  readonly env: string;
  readonly name: string;
  readonly draft: SegmentDraft;
  readonly theirs: SegmentBase;
}

export function SegmentConflict({ env, name, draft, theirs }: SegmentConflictProps) {
  const author = useAuthor(env, name, theirs.updatedAt);
  // The merge goes on with these two; a third save becomes a conflict afterwards.
  const [sides, setSides] = useState<Sides | null>(null);
  const resolve = (base: SegmentBase, state: SegmentState): void => {
    setSides(null);
    draft.rebase(base, state);
  };
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      icon={<IconGitMerge aria-hidden />}
      title="This segment was saved while you were editing"
    >
      <Group gap="sm">
        <Text size="sm">
          {author} saved it <When at={theirs.updatedAt} span inherit />. Your changes are kept.
        </Text>
        <Button size="xs" onClick={() => setSides({ base: draft.base, theirs })}>
          Compare and merge
        </Button>
      </Group>
      {sides !== null && (
        <SegmentMerge
          {...sides}
          author={author}
          mine={draft.state}
          onResolved={(state) => resolve(sides.theirs, state)}
          onClose={() => setSides(null)}
        />
      )}
    </Alert>
  );
}

interface Sides {
  readonly base: SegmentBase;
  readonly theirs: SegmentBase;
}

interface SegmentMergeProps extends Sides {
  readonly author: string;
  readonly mine: SegmentState;
  readonly onResolved: (state: SegmentState) => void;
  readonly onClose: () => void;
}

function SegmentMerge({ base, theirs, author, mine, onResolved, onClose }: SegmentMergeProps) {
  const parts = useMemo(() => mergeSegments({ base, theirs, mine }), [base, theirs, mine]);
  const merge = useMerge(parts);
  const { when, description } = theirs;
  return (
    <MergeDialog
      what="segment"
      author={author}
      saved="the segment"
      merge={merge}
      onMerged={() => {
        onResolved(mergedSegment(theirs, parts, merge.decide));
        notifyDone(`Your edits now start from what ${author} saved. Check and save them.`);
      }}
      onTheirs={() => onResolved({ when, description })}
      onClose={onClose}
    >
      <Text size="sm">
        {author} saved the segment <When at={theirs.updatedAt} span inherit />.
      </Text>
    </MergeDialog>
  );
}

/** Who saved the newest revision. */
function useAuthor(env: string, name: string, updatedAt: string | null): string {
  const newest = useQuery({
    queryKey: [...segmentKeys.history(env, name), 'newest', updatedAt],
    queryFn: async () => {
      const route = 'GET /environments/:env/segments/:name/revisions';
      const query = { limit: 1 };
      return (await request(route, { params: { env, name }, query })).revisions;
    },
  });
  return newest.data?.[0]?.author || 'Another user';
}
