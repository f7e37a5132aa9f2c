/** Previews a whole release: what users would get from each content item that it reaches. */
import { NdjsonText } from '../../../contract/client.js';
import type { Preview } from '../../../contract/operations/preview.js';
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';

/** Each item is a request of its own; beyond it, the content screens preview the others. */
export const previewedItemsMax = 50;
export const madeUpUsers = 1_000;

export interface PreviewedItem {
  readonly id: string;
  readonly preview: Preview;
}

const lineBreaks = /[\r\n]+/g;

/**
 * One item after the other: the server works on one preview at a time.
 * @param contexts JSON sources of user contexts; empty: users are made up
 * @throws ApiProblem, ServerAway
 */
export async function previewRelease(
  env: string,
  { release, reach }: Pick<Release, 'release' | 'reach'>,
  contexts: readonly string[],
): Promise<PreviewedItem[]> {
  const items: PreviewedItem[] = [];
  for (const id of reach.contents.slice(0, previewedItemsMax)) {
    const madeUp = contexts.length === 0 ? madeUpUsers : undefined;
    const head = JSON.stringify({ id, release, madeUp });
    const lines = contexts.map((context) => context.replace(lineBreaks, ' '));
    const body = new NdjsonText([head, ...lines].join('\n'));
    const preview = await request('POST /environments/:env/preview', { params: { env }, body });
    items.push({ id, preview });
  }
  return items;
}
