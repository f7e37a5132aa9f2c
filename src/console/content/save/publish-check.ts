/** What the server says against publishing a state: a dry run of just that, asked for when a dialog opens. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { contentKeyOf } from '../../draft/content-query.js';
import type { ContentState, DraftLine, SavedContent, Verdict } from '../../draft/draft.js';
import { dryRun } from '../../draft/put-edit.js';
import { numberOfState } from '../../preview/evaluate.js';

export interface PublishCheck {
  /** Null while it is asked for. */
  readonly verdict: Verdict | null;
  /** Why there is none; what is published is not the reason. */
  readonly error: Error | null;
}

/**
 * @param state what would be live
 * @param live what is live now; null: nothing, or it is not loaded yet
 * @param known a verdict on this state that is there already
 */
export function usePublishCheck(
  saved: SavedContent,
  state: ContentState | null,
  live: ContentState | null,
  known: Verdict | null,
): PublishCheck {
  const { env, id, newest } = saved;
  const isReady = state !== null && (saved.live === null || live !== null);
  const asked = useQuery({
    queryKey: [
      ...contentKeyOf(env, id),
      ...['publish-check', newest, saved.live],
      state === null ? 0 : numberOfState(state),
    ],
    queryFn: ({ signal }) => {
      if (state === null) throw new Error('There is a state where the check is enabled.');
      return dryRun({ saved, state, publish: true, known: readBefore(saved, live) }, signal);
    },
    enabled: isReady,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
  const fits = (verdict: Verdict | null | undefined): Verdict | null =>
    verdict?.state === state ? (verdict ?? null) : null;
  return { verdict: fits(asked.data) ?? fits(known), error: asked.error };
}

/**
 * Lines that are live as they are saved. What is saved and not live has warnings that its author may have read; whoever
 * publishes has not.
 */
function readBefore(saved: SavedContent, live: ContentState | null): readonly DraftLine[] {
  const texts = new Map(live?.lines.map(({ appVersion, text }) => [appVersion, text]));
  return saved.lines.filter(({ appVersion, text }) => texts.get(appVersion) === text);
}
