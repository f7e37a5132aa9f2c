/** A revision of the open content item, as a state to compare with. */
import { useMemo } from 'react';
import { useRevision } from '../../draft/content-query.js';
import type { ContentState } from '../../draft/draft.js';
import { useDraft } from '../../draft/draft-context.js';

export interface RevisionState {
  /** Null while it loads, and where `number` is null. */
  readonly state: ContentState | null;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Description, tags, schema and guards are not part of a revision: the saved ones always apply. */
export function useRevisionState(number: number | null): RevisionState {
  const { saved } = useDraft();
  const isNewest = number === saved.newest;
  const { data, error, refetch } = useRevision(saved.env, saved.id, isNewest ? null : number);
  const state = useMemo(() => {
    if (isNewest) return saved;
    if (data === undefined) return null;
    const { lines, mapping, flags } = data;
    return { ...saved, lines, mapping, flags };
  }, [isNewest, saved, data]);
  return { state, error, retry: () => void refetch() };
}
