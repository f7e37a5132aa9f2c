/** Every screen of the console on the demo's data, as tests and screenshots go through them. */
import type { Page } from 'playwright-core';

export interface Screen {
  readonly name: string;
  readonly path: string;
  /** What a person does there first. */
  readonly act?: (page: Page) => Promise<void>;
}

const content = '/env/staging/contents/shop';

export const screens: readonly Screen[] = [
  { name: 'environments', path: '/environments' },
  { name: 'environment', path: '/environments/production' },
  { name: 'contents', path: '/env/staging/contents' },
  { name: 'contents-protected', path: '/env/production/contents' },
  { name: 'content-text', path: content },
  { name: 'content-mapping', path: `${content}/mapping` },
  { name: 'content-preview', path: `${content}/preview` },
  { name: 'content-history', path: `${content}/history` },
  { name: 'content-settings', path: `${content}/settings` },
  { name: 'segments', path: '/env/staging/segments' },
  { name: 'segment', path: '/env/staging/segments/spenders' },
  { name: 'groups', path: '/env/staging/groups' },
  { name: 'sync', path: '/env/production/sync' },
  { name: 'activity', path: '/activity' },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'people', path: '/people' },
  { name: 'health', path: '/health' },
  { name: 'nothing-here', path: '/no/such/page' },
];

/** Resolves when the screen has its heading and nothing in it still loads. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(
    '!document.querySelector(".mantine-Loader-root, .mantine-Skeleton-root[data-visible]")',
  );
}
