/** A dry run of publishing a state, for the dialogs that publish. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { contentKeyOf } from '../../draft/content-query.js';
import type {
  ContentState,
  SavedContent,
  ValidationResult,
  VersionLine,
} from '../../draft/draft.js';
import { identityOf } from '../../draft/identity.js';
import { dryRun } from '../../draft/put-edit.js';

export interface PublishCheck {
  /** Null while it runs. */
  readonly validation: ValidationResult | null;
  /** Why there is no result; the state is not the reason. */
  readonly error: Error | null;
}

/**
 * @param state what would be live
 * @param live what is live now; null: nothing, or it is not loaded yet
 * @param known a result for this state, if there is one already
 */
export function usePublishCheck(
  saved: SavedContent,
  state: ContentState | null,
  live: ContentState | null,
  known: ValidationResult | null,
): PublishCheck {
  const { env, id, newest } = saved;
  const isReady = state !== null && (saved.live === null || live !== null);
  const asked = useQuery({
    queryKey: [
      ...contentKeyOf(env, id),
      ...['publish-check', newest, saved.live],
      state === null ? 0 : identityOf(state),
    ],
    queryFn: ({ signal }) => {
      if (state === null) throw new Error('The check is enabled only with a state.');
      return dryRun({ saved, state, publish: true, known: readLines(saved, live) }, signal);
    },
    enabled: isReady,
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  });
  const fits = (validation: ValidationResult | null | undefined): ValidationResult | null =>
    validation?.state === state ? (validation ?? null) : null;
  return { validation: fits(asked.data) ?? fits(known), error: asked.error };
}

/**
 * Lines that are live as they are saved. The author of a draft may have read the warnings of the others; the user who
 * publishes has not.
 */
function readLines(saved: SavedContent, live: ContentState | null): readonly VersionLine[] {
  const texts = new Map(live?.lines.map(({ appVersion, text }) => [appVersion, text]));
  return saved.lines.filter(({ appVersion, text }) => texts.get(appVersion) === text);
}
