/** Asks, in one call, what many users get from an edit and from what is live. */

import { NdjsonText } from '../../contract/client.js';
import type { Preview } from '../../contract/operations/preview.js';
import { request } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { ContentState, SavedContent } from '../draft/draft.js';
import { editOf } from '../draft/put-edit.js';

/** A revision as it is saved, or what is typed on top of one. */
export interface PreviewWish {
  readonly saved: SavedContent;
  readonly state: ContentState;
  /** Null: what is typed. */
  readonly revision: number | null;
  /** So many users are made up from the conditions; left out: none. */
  readonly madeUp?: number;
}

/** The server names a context by the line of the body that it stands in: the first line is the head. */
export const lineOfFirstContext = 2;

const lineBreaks = /[\r\n]+/g;

/** @param contexts JSON sources of user contexts */
export async function askPreview(
  wish: PreviewWish,
  contexts: readonly string[],
  signal?: AbortSignal,
): Promise<Preview> {
  const params = { env: wish.saved.env };
  const body = new NdjsonText(previewBody(wish, contexts));
  return request('POST /environments/:env/preview', { params, body }, signal);
}

export function previewBody(wish: PreviewWish, contexts: readonly string[]): string {
  return [headOf(wish), ...contexts.map(onOneLine)].join('\n');
}

function headOf({ saved, state, revision, madeUp }: PreviewWish): string {
  const { id, newest } = saved;
  if (revision !== null) return JSON.stringify({ id, revision, madeUp });
  const { lines, mapping } = editOf(saved, state);
  return objectSource(
    { id, ...(newest > 0 && { revision: newest }), madeUp, lines },
    { mapping: mapping === undefined ? undefined : onOneLine(mapping) },
  );
}

/** JSON has line breaks between its tokens only. */
function onOneLine(json: string): string {
  return json.replace(lineBreaks, ' ');
}
