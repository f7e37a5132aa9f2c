/** What is live of the open content, as a state to compare with. */
import { useMemo } from 'react';
import { useRevision } from '../../draft/content-query.js';
import type { ContentState } from '../../draft/draft.js';
import { useEditing } from '../../draft/editing.js';

export interface LiveState {
  /** Null while it is loaded, and when nothing is live. */
  readonly live: ContentState | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Description, tags and schema are not part of a revision: those that are saved count at once. */
export function useLiveState(): LiveState {
  const { saved } = useEditing();
  const isNewest = saved.live !== null && saved.live === saved.newest;
  const revision = useRevision(saved.env, saved.id, isNewest ? null : saved.live);
  const { data } = revision;
  const live = useMemo(() => {
    if (isNewest) return saved;
    return data === undefined ? null : { ...saved, lines: data.lines, mapping: data.mapping };
  }, [isNewest, saved, data]);
  return { live, error: revision.error, retry: () => void revision.refetch() };
}
