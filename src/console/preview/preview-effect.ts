/** Asks, in one call, what an edit does to made-up users and to the sample users. */
import { useQuery } from '@tanstack/react-query';
import { callText } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { ContentState, SavedContent } from '../content/draft.js';
import type { Preview } from '../generated/admin-client.js';
import { numberOfState } from './evaluate.js';
import type { SampleUser } from './sample-users.js';

/** What would be published: a revision as it is saved, or what is typed on top of one. */
export interface EffectWish {
  readonly saved: SavedContent;
  readonly state: ContentState;
  /** Null: what is typed. */
  readonly revision: number | null;
}

/** The `at` of an example of the given contexts is the line that it stands in: the first one is the head. */
export const lineOfFirstSample = 2;
export const madeUpUsers = 1_000;

const ndjson = 'application/x-ndjson';
const lineBreaks = /[\r\n]+/g;

/** @param users null: they are not known yet */
export function useEffectPreview(wish: EffectWish, users: readonly SampleUser[] | null) {
  const { saved, state, revision } = wish;
  const { env, id, newest, live } = saved;
  return useQuery({
    queryKey: [
      ...['environments', env, 'contents', id, 'edit-effects', newest, live],
      revision ?? `typed ${numberOfState(state)}`,
      (users ?? []).map(({ context }) => context).join('\n'),
    ],
    queryFn: async ({ signal }) => {
      const path = `/admin/v1/environments/${encodeURIComponent(env)}/preview`;
      const body = previewBody(wish, users ?? []);
      const request = { method: 'POST', contentType: ndjson, body, signal };
      return JSON.parse(await callText(path, request)) as Preview;
    },
    enabled: users !== null,
    // A preview keeps a worker busy, and one that failed takes no less the second time.
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 30_000,
  });
}

export function previewBody(wish: EffectWish, users: readonly SampleUser[]): string {
  const lines = users.map(({ context }) => context.replace(lineBreaks, ' '));
  return [previewHead(wish), ...lines].join('\n');
}

function previewHead({ saved, state, revision }: EffectWish): string {
  const { id, newest } = saved;
  if (revision !== null) return JSON.stringify({ id, revision, madeUp: madeUpUsers });
  const known = new Map(
    newest === 0 ? [] : saved.lines.map(({ appVersion, text }) => [appVersion, text]),
  );
  const lines = state.lines.map(({ appVersion, text }) => ({
    appVersion,
    ...(known.get(appVersion) !== text && { text }),
  }));
  const isMappingSaved = newest > 0 && state.mapping === saved.mapping;
  return objectSource(
    { id, ...(newest > 0 && { revision: newest }), madeUp: madeUpUsers, lines },
    { mapping: isMappingSaved ? undefined : state.mapping.replace(lineBreaks, ' ') },
  );
}
