/** Another user saved while this one was editing: merges both edits, and asks where they changed the same value. */
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { contentKeyOf, fetchRevisions, type LoadedContent } from '../../draft/content-query.js';
import { useDraft } from '../../draft/draft-context.js';
import { mergeContents, mergedState } from '../../draft/merge-content.js';
import { stateOf } from '../../draft/state-parts.js';
import { MergeDialog } from '../../merge/merge-dialog.js';
import { useMerge } from '../../merge/use-merge.js';
import { notifyDone } from '../../parts/notify.js';
import { When } from '../../parts/time/when.js';

const betweenMax = 20;

export interface ConflictDialogProps {
  readonly theirs: LoadedContent;
  readonly onClose: () => void;
}

export function ConflictDialog({ theirs: newest, onClose }: ConflictDialogProps) {
  const { saved, state: mine, resolveConflict } = useDraft();
  // The merge goes on with these two; a third save becomes a conflict afterwards.
  const [{ base, theirs }] = useState(() => ({ base: saved, theirs: newest }));
  const parts = useMemo(() => mergeContents({ base, theirs, mine }), [base, theirs, mine]);
  const merge = useMerge(parts);
  const { author, newest: revision } = theirs;
  return (
    <MergeDialog
      what="content item"
      author={author}
      saved={`revision ${revision}`}
      merge={merge}
      onMerged={() => {
        resolveConflict(theirs, mergedState(theirs, parts, merge.decide));
        notifyDone(`Your edits now start from revision ${revision}. Check and save them.`);
        onClose();
      }}
      onTheirs={() => {
        resolveConflict(theirs, stateOf(theirs));
        onClose();
      }}
      onClose={onClose}
    >
      <Between base={base} theirs={theirs} />
    </MergeDialog>
  );
}

/** The saves since the edit was started. */
function Between({ base, theirs }: { base: LoadedContent; theirs: LoadedContent }) {
  const { env, id } = theirs;
  const list = useQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions', 'between', base.newest, theirs.newest],
    queryFn: async () =>
      (await fetchRevisions(env, id, { limit: betweenMax })).filter(
        ({ revision }) => revision > base.newest,
      ),
  });
  return (
    <Stack gap={4}>
      <Text size="sm">
        {base.newest === 0
          ? `${theirs.author} created this content item while you were editing.`
          : `You started from revision ${base.newest}. Since then:`}
      </Text>
      <ul style={{ margin: 0, fontSize: 'var(--mantine-font-size-sm)' }}>
        {list.data?.map(({ revision, author, createdAt, note, live }) => (
          <li key={revision}>
            r{revision} by {author}, <When at={createdAt} span inherit />
            {live ? ', live now' : ''}
            {note === '' ? '' : `: ${note}`}
          </li>
        ))}
        {!list.isPending && !list.data?.length && (
          <li>{theirs.author} changed the description, tags, schema or guards.</li>
        )}
      </ul>
    </Stack>
  );
}
