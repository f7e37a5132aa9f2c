/** What the server says against publishing a state: a dry run of just that, asked for when a dialog opens. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { numberOfState } from '../../preview/evaluate.js';
import { contentKeyOf } from '../content-query.js';
import type { ContentState, SavedContent, Verdict } from '../draft.js';
import { dryRun } from '../dry-run.js';

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
      return dryRun(asNotLive(saved, live), state, signal, true);
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
 * A dry run sends the texts that are not saved yet. What is saved and not live has doubts that its author may have read;
 * whoever publishes has not: so a line counts as changed unless it is live as it is.
 */
function asNotLive(saved: SavedContent, live: ContentState | null): SavedContent {
  const texts = new Map(live?.lines.map(({ appVersion, text }) => [appVersion, text]));
  const lines = saved.lines.map((line) =>
    texts.get(line.appVersion) === line.text ? line : { ...line, text: `${line.text} ` },
  );
  return { ...saved, lines };
}
