/** What goes wrong while somebody types: a colleague saves, the session ends, the server goes away, the role is too small. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

const first = '{"price": 1}';
const path = '/env/staging/contents/shop';

let data: string;
let server: LoadoutServer;
let staging: Environment;
let window: Window;

beforeEach(async () => {
  if (!hasBrowser) return;
  data = makeDataFolder();
  server = await startServer({ data });
  staging = await makeEnvironment(server, 'staging');
  await staging.put('shop', first);
  window = await Window.open(server.adminUrl);
});
afterEach(async () => {
  await window?.close();
  await server?.stop();
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Text of version 0.0.0' });

async function type(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await page.getByText('Unsaved changes', { exact: true }).waitFor();
}

async function newest(): Promise<{ revision: number; text: string }> {
  const { json } = await server.admin('GET', `${staging.path}/contents/shop`);
  return { revision: json.revision, text: json.lines[0].text };
}

describe.skipIf(!hasBrowser)('what is typed', () => {
  it('is put beside what somebody else saved meanwhile, and lost by nobody', async () => {
    const mine = await window.signIn(ownerToken, path);
    const theirs = await window.tab(path);
    await type(mine, '{"price": 2}');
    await type(theirs, '{"price": 3}');
    await theirs.keyboard.press('ControlOrMeta+s');
    await theirs.getByText('Draft r2').first().waitFor();
    await mine.bringToFront();
    await mine.keyboard.press('ControlOrMeta+s');
    await mine.getByRole('button', { name: 'Compare and merge', exact: true }).click();
    const both = mine.getByRole('dialog');
    const price = both.getByRole('radiogroup', { name: '/price' });
    await price.getByText('Where you started').waitFor();
    const shown = await price.textContent();
    for (const value of ['1', '2', '3']) expect(shown).toContain(value);
    expect(await newest()).toEqual({ revision: 2, text: '{"price": 3}' });
    expect(await both.getByRole('button', { name: 'Use merged' }).isDisabled()).toBe(true);
    await price.getByRole('radio', { name: 'Yours', exact: true }).check();
    await both.getByRole('button', { name: 'Use merged' }).click();
    await mine.keyboard.press('ControlOrMeta+s');
    await mine.getByText('Draft r3').first().waitFor();
    expect(await newest()).toEqual({ revision: 3, text: '{"price": 2}' });
    const { json } = await server.admin('GET', `${staging.path}/contents/shop/revisions/2`);
    expect(json.lines[0].text).toBe('{"price": 3}');
  });

  it('is not said to be without errors where the server could not check it', async () => {
    const page = await window.signIn(ownerToken, path);
    const status = page.getByRole('status').filter({ hasText: /checked|errors/ });
    await page.route('**/contents/shop', (route) => {
      const isDryRun = route.request().postData()?.includes('"dryRun":true') === true;
      return isDryRun ? route.fulfill({ status: 500, body: '{}' }) : route.fallback();
    });
    await type(page, '{"price": 2}');
    await status.getByText('Not checked').waitFor();
    expect(await page.getByText('No errors').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await type(page, '{"price": 3}');
    await status.getByText('No errors').waitFor();
  });

  it('is still there when the session has ended, and saved after signing in again', async () => {
    const page = await window.signIn(ownerToken, path);
    await type(page, '{"price": 2}');
    await window.context.clearCookies();
    await page.keyboard.press('ControlOrMeta+s');
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByRole('textbox', { name: 'Token' }).fill(ownerToken);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    expect(await editorOf(page).textContent()).toBe('{"price": 2}');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r2').first().waitFor();
    expect(await newest()).toEqual({ revision: 2, text: '{"price": 2}' });
  });

  it('is not hidden by a look for the session that began before the sign-in', async () => {
    const page = await window.tab(path);
    await page.getByRole('textbox', { name: 'Token' }).fill(ownerToken);
    const held: (() => Promise<void>)[] = [];
    await page.route('**/admin/v1/me', async (route) => {
      const response = await route.fetch();
      if (response.status() === 401) held.push(() => route.fulfill({ response }));
      else await route.fulfill({ response });
    });
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await eventually('the look is under way', 10_000, () => held.length > 0);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    const late = page.waitForResponse((one) => one.status() === 401 && one.url().endsWith('/me'));
    for (const release of held) await release();
    await late;
    await type(page, '{"price": 2}');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('outlives the server: it is saved when that is back', async () => {
    const page = await window.signIn(ownerToken, path);
    await type(page, '{"price": 2}');
    const { adminPort } = server;
    await server.stop();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Can’t reach the server', { exact: true }).waitFor();
    server = await startServer({ data, adminPort });
    await page.getByText('Can’t reach the server', { exact: true }).waitFor({ state: 'detached' });
    expect(await editorOf(page).textContent()).toBe('{"price": 2}');
    await page.getByRole('button', { name: /^Save draft/ }).click();
    await page.getByText('Draft r2').first().waitFor();
    expect(await newest()).toEqual({ revision: 2, text: '{"price": 2}' });
  });

  it('outlives a screen that was never opened, which opens by itself when the server is back', async () => {
    const page = await window.signIn(ownerToken, path);
    await type(page, '{"price": 2}');
    const { adminPort } = server;
    await server.stop();
    await page.getByRole('link', { name: 'Calendar', exact: true }).click();
    await page.getByText('Can’t reach the server', { exact: true }).waitFor();
    await page.getByText('This opens as soon as the server is back').waitFor({ state: 'attached' });
    expect(await page.getByText('Unable to preload').count()).toBe(0);
    server = await startServer({ data, adminPort });
    await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor();
    await page.goBack();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    expect(await editorOf(page).textContent()).toBe('{"price": 2}');
  });

  it('outlives a reload of the page', async () => {
    const page = await window.signIn(ownerToken, path);
    await type(page, '{"price": 2}');
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    expect(await editorOf(page).textContent()).toBe('{"price": 2}');
  });

  it('outlives a reload of the page, also when it is too large for the session', async () => {
    const page = await window.signIn(ownerToken, path);
    const large = `{"text": "${'x'.repeat(1_700_000)}"}`;
    await type(page, large);
    await eventually('it is kept', 10_000, () =>
      page.evaluate<boolean>(
        'Object.keys(sessionStorage).some((name) => name.startsWith("loadout draft"))',
      ),
    );
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.getByText('No errors').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r2').first().waitFor();
    expect((await newest()).text).toBe(large);
  });

  it('is nothing for a viewer, who sees it all and is told why', async () => {
    const made = await server.admin('POST', '/admin/v1/users', { name: 'vera', role: 'viewer' });
    const { token } = expectDone(made).json;
    const page = await window.signIn(token, path);
    await editorOf(page).waitFor();
    expect(await editorOf(page).getAttribute('aria-readonly')).toBe('true');
    await editorOf(page).click();
    await page.keyboard.insertText('!');
    expect(await editorOf(page).textContent()).toBe(first);
    await page
      .getByText(/you are a viewer/i)
      .first()
      .waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    expect(await newest()).toEqual({ revision: 1, text: first });
    await page.getByRole('link', { name: 'Content', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Content' }).waitFor();
    expect(await page.getByRole('button', { name: 'New content' }).isEnabled()).toBe(false);
  });
});
