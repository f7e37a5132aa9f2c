/** Reads a listing of the admin API to its end, page by page. */

import { CommandFailure } from '../terminal/failure.js';
import { listPagesMax } from '../terminal/limits.js';
import type { ClientResponse } from './admin-client.js';

/**
 * All pages, first to last.
 * @param readPage `after`: the `next` of the page before; undefined for the first page
 * @throws CommandFailure when the listing does not end within `listPagesMax` pages
 */
export async function readAllPages<Page extends { readonly next: string | null }>(
  readPage: (after: string | undefined) => Promise<ClientResponse<Page>>,
): Promise<ClientResponse<Page>[]> {
  const pages: ClientResponse<Page>[] = [];
  let after: string | undefined;
  do {
    if (pages.length === listPagesMax) {
      throw new CommandFailure(`The list does not end after ${listPagesMax} pages.`);
    }
    const page = await readPage(after);
    pages.push(page);
    after = page.value.next ?? undefined;
  } while (after !== undefined);
  return pages;
}
