/** Keys of an environment: one for a game, and one for the events of the studio's own servers; in Chromium, on a real server. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/environments/staging');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

describe.skipIf(!hasBrowser)('a key', () => {
  const dialog = () => page.getByRole('dialog');

  it('for events is made without requests to paste, and the table says what it is for', async () => {
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog().getByRole('textbox', { name: 'Label' }).fill('purchases');
    await dialog().getByRole('checkbox', { name: 'For events from your own servers' }).check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create key' }).click();
    const secret = dialog().getByRole('textbox', { name: 'API key' });
    const key = await secret.inputValue();
    expect(await dialog().getByText('Try it').count()).toBe(0);
    expect((await staging.ask('POST', '/api/v1/refresh', {}, { 'x-api-key': key })).status).toBe(
      401,
    );
    const events = await staging.ask(
      'POST',
      '/api/v1/events',
      { events: [] },
      { 'x-api-key': key },
    );
    expect(events.status).toBe(202);
    const { json } = expectDone(await server.admin('GET', `${staging.path}/keys`));
    expect(json.keys.map(({ purpose }: { purpose: string }) => purpose)).toEqual([
      'game',
      'events',
    ]);
    await page.reload();
    const row = page.getByRole('row', { name: /purchases/ });
    await row.getByText('Events only').waitFor();
  });

  it('is made from the first steps of an environment, which then go on to its content', async () => {
    const made = { id: 'fresh', name: 'Fresh' };
    expectDone(await server.admin('POST', '/admin/v1/environments', made));
    await page.goto(`${server.adminUrl}/environments/fresh`);
    const steps = page.getByRole('region', { name: 'Get started with Fresh' });
    await steps.getByRole('button', { name: 'Create a key' }).click();
    await dialog().getByRole('textbox', { name: 'Label' }).fill('client');
    await dialog().getByRole('button', { name: 'Create key' }).click();
    await dialog().getByRole('textbox', { name: 'API key' }).waitFor();
    await page.keyboard.press('Escape');
    await steps.getByRole('link', { name: 'Go to its content' }).waitFor();
  });
});
