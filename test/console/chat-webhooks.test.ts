/** A webhook of a chat: made in a form without a secret to keep, its URL never shown again; in Chromium, on a real server. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/webhooks');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

describe.skipIf(!hasBrowser)('a webhook of a chat', () => {
  const dialog = () => page.getByRole('dialog');

  it('is made and edited, and its URL is shown as its origin alone', async () => {
    await page.getByRole('button', { name: 'New webhook' }).click();
    await dialog().getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Slack' }).click();
    await dialog()
      .getByRole('textbox', { name: 'URL' })
      .fill('https://hooks.slack.com/services/T0/B0/s3cr3t');
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('https://hooks.slack.com/…').first().waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog().getByRole('textbox', { name: 'Description' }).fill('Shop channel');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Shop channel' }).waitFor();
    expect(await page.content()).not.toContain('s3cr3t');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Replace the secret' }).count()).toBe(0);
    const { json } = await server.admin('GET', '/admin/v1/webhooks');
    expect(json.webhooks).toMatchObject([{ format: 'slack', description: 'Shop channel' }]);
  });
});
