/** Reads the envelope of a content item: every value that any player could be given. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { JsonText } from '../../../contract/client.js';
import type { Envelope } from '../../../contract/operations/envelope.js';
import { request } from '../../api/call.js';
import { objectSource } from '../../api/raw-json.js';
import { contentKeyOf } from '../../draft/content-query.js';
import type { ContentState, SavedContent } from '../../draft/draft.js';
import { identityOf } from '../../draft/identity.js';
import { editOf } from '../../draft/put-edit.js';
import { isLong } from '../../draft/state-parts.js';

const pauseMs = 400;
const longPauseMs = 1_500;

/** Of a saved revision, which never changes. @param revision null: there is none */
export function useRevisionEnvelope(env: string, id: string, revision: number | null) {
  return useQuery({
    queryKey: [...contentKeyOf(env, id), 'envelope', revision],
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/contents/:id/envelope',
        { params: { env, id }, query: { revision: revision ?? undefined } },
        signal,
      ),
    enabled: revision !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Of what is typed, a moment after the last change. */
export function useTypedEnvelope(saved: SavedContent, state: ContentState) {
  const edit = useMemo(() => ({ saved, state }), [saved, state]);
  const [settled] = useDebouncedValue(edit, isLong(state) ? longPauseMs : pauseMs);
  const { env, id, newest, live } = settled.saved;
  const asked = useQuery({
    queryKey: [
      ...contentKeyOf(env, id),
      ...['envelope', 'typed', newest, live],
      identityOf(settled.state),
    ],
    queryFn: ({ signal }) => requestEnvelope(settled.saved, settled.state, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return { ...asked, isBehind: asked.isPlaceholderData || settled.state !== state };
}

/** Of what is typed now. */
export function requestEnvelope(
  saved: SavedContent,
  state: ContentState,
  signal?: AbortSignal,
): Promise<Envelope> {
  const { env, id, newest } = saved;
  const { lines, mapping } = editOf(saved, state);
  const fields = { id, revision: newest > 0 ? newest : undefined, lines };
  const body = new JsonText(objectSource(fields, { mapping }));
  return request('POST /environments/:env/envelope', { params: { env }, body }, signal);
}
