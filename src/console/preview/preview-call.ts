/** Previews, in one request, what many users get from an edit and from what is live. */
import { NdjsonText } from '../../contract/client.js';
import type { Preview } from '../../contract/operations/preview.js';
import { request } from '../api/call.js';
import { objectSource } from '../api/raw-json.js';
import type { ContentState, SavedContent } from '../draft/draft.js';
import { editOf } from '../draft/put-edit.js';

/** A revision as it is saved, or what is typed on top of one. */
export interface PreviewOptions {
  readonly saved: SavedContent;
  readonly state: ContentState;
  /** Null: what is typed. */
  readonly revision: number | null;
  /** How many users are made up from the conditions; left out: none. */
  readonly madeUp?: number;
  /** Contexts of recent requests are counted. */
  readonly sampled?: boolean;
}

/** The server identifies a context by its line of the body, whose first line is the head. */
export const lineOfFirstContext = 2;

const lineBreaks = /[\r\n]+/g;

/** @param contexts JSON sources of user contexts */
export async function requestPreview(
  options: PreviewOptions,
  contexts: readonly string[],
  signal?: AbortSignal,
): Promise<Preview> {
  const params = { env: options.saved.env };
  const body = new NdjsonText(previewBody(options, contexts));
  return request('POST /environments/:env/preview', { params, body }, signal);
}

export function previewBody(options: PreviewOptions, contexts: readonly string[]): string {
  return [headOf(options), ...contexts.map(onOneLine)].join('\n');
}

function headOf(options: PreviewOptions): string {
  const { saved, state, revision, madeUp, sampled = false } = options;
  const which = { madeUp, ...(sampled && { sampled }) };
  const { id, newest } = saved;
  if (revision !== null) return JSON.stringify({ id, revision, ...which });
  const { lines, mapping } = editOf(saved, state);
  return objectSource(
    { id, ...(newest > 0 && { revision: newest }), ...which, lines },
    { mapping: mapping === undefined ? undefined : onOneLine(mapping) },
  );
}

/** JSON has line breaks between its tokens only. */
function onOneLine(json: string): string {
  return json.replace(lineBreaks, ' ');
}
