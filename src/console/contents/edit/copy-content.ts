/**
 * Copies a content as it is, text by text and byte for byte, under another id or into another environment. It goes in as
 * an import of one content: all of it in one revision, or nothing.
 */

import { NdjsonText } from '../../../contract/client.js';
import type { ImportReport } from '../../../contract/operations/transfer.js';
import { ApiProblem, request } from '../../api/call.js';
import { fetchContent } from '../../draft/content-query.js';
import { copyLine } from './copy-line.js';

/** What is to be copied where. */
export interface CopyWish {
  readonly env: string;
  readonly id: string;
  readonly toEnv: string;
  readonly toId: string;
}

/** There is a content with the wished id, perhaps since a moment. */
export class CopyTaken extends Error {
  constructor({ toEnv, toId }: CopyWish) {
    super(`${toEnv} has a content ${toId} already; case does not matter.`);
  }
}

/** @throws ApiProblem, ServerAway, CopyTaken */
export async function copyContent(wish: CopyWish): Promise<ImportReport> {
  const route = 'POST /environments/:env/import';
  const params = { env: wish.toEnv };
  const body = new NdjsonText(copyLine(await fetchContent(wish.env, wish.id), wish.toId));
  // The plan holds the copy to what the dry run saw: never on top of a content that came meanwhile.
  const { plan, counts } = await request(route, { params, query: { dryRun: 'true' }, body });
  if (counts.added === 0) throw new CopyTaken(wish);
  try {
    return await request(route, { params, query: { plan }, body });
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'plan_stale') throw new CopyTaken(wish);
    throw error;
  }
}
