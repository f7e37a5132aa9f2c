/** Goal: docs/ofrep-providers.md says what the other files here hold. A difference is accepted with `-u`. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { providersPage } from './page.js';

it('the page about providers is as these tests are', async () => {
  const page = fileURLToPath(new URL('../../docs/ofrep-providers.md', import.meta.url));
  await expect(providersPage()).toMatchFileSnapshot(page);
});
