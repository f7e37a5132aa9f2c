/** Prints what the server did with a content. */

import type { ResponseTo } from '../../contract/client.js';
import type { ClientResponse } from '../client/admin-client.js';
import { type ConnectionOptions, printResponse } from '../client/connection.js';
import { printWarnings } from '../client/problem.js';

/** What a save did, or would do. */
export type SavedOrPlanned = Pick<
  ResponseTo<'PUT /environments/:env/contents/:id'>,
  'id' | 'revision' | 'live' | 'hash' | 'warnings'
> & { readonly dryRun?: boolean | undefined };

/** Prints the new state, then the server's warnings. */
export function printSaved(
  options: ConnectionOptions,
  response: ClientResponse<SavedOrPlanned>,
): void {
  // `shop: revision 4 is live, hash 0123456789abcdef`
  printResponse(options, response, ({ value: { id, revision, live, hash, dryRun } }) => {
    const draft = live === null ? 'a draft' : `a draft; revision ${live} is live`;
    const state = live === revision ? 'live' : draft;
    const verb = dryRun === true ? 'would be' : 'is';
    const ending = dryRun === true ? '; nothing was saved' : '';
    return `${id}: revision ${revision} ${verb} ${state}, hash ${hash}${ending}\n`;
  });
  printWarnings(response.value.warnings);
}
