/** Goal: docs/sdks.md says what the other files here hold. A difference is accepted with `-u`. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sdksPage } from './page.js';

it('the page about SDKs is as these tests are', async () => {
  const page = fileURLToPath(new URL('../../docs/sdks.md', import.meta.url));
  await expect(sdksPage()).toMatchFileSnapshot(page);
});
