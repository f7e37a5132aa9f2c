/** Listings of the admin API, read to their end. */
import { describe, expect, it } from 'vitest';
import { readAllPages } from '../../../../src/command/client/list-pages.js';
import { listPagesMax } from '../../../../src/command/terminal/limits.js';

const page = (next: string | null) => Promise.resolve({ value: { next }, text: '' });

describe('readAllPages', () => {
  it('goes on from the end of each page', async () => {
    const asked: (string | undefined)[] = [];
    const pages = await readAllPages((after) => {
      asked.push(after);
      return page(asked.length < 3 ? `page-${asked.length}` : null);
    });
    expect(asked).toEqual([undefined, 'page-1', 'page-2']);
    expect(pages).toHaveLength(3);
  });

  it('fails when a listing does not end, and does not pass for complete', async () => {
    await expect(readAllPages(() => page('more'))).rejects.toThrow(`after ${listPagesMax} pages`);
  });
});
