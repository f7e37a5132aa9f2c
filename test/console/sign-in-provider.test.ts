/** Signing in through a real OpenID provider, in Chromium: the provider is another site than the console, as in a studio. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window, type WindowOptions } from '../support/browser/browser.js';
import { clientSecret, TestedProvider } from '../support/oidc/tested-provider.js';
import { makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { freeLoopbackPort } from '../support/wire/loopback-port.js';

let provider: TestedProvider;
let server: LoadoutServer;
let open: Window[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  const adminPort = await freeLoopbackPort();
  const consoleUrl = `http://127.0.0.1:${adminPort}`;
  provider = await TestedProvider.start({ consoleUrl, host: 'localhost' });
  server = await startServer({
    ...{ listeners: 1, adminPort },
    flags: provider.flags(consoleUrl, 'admins=owner;live-ops=editor;watchers=viewer'),
    env: { LOADOUT_OIDC_CLIENT_SECRET: clientSecret },
  });
  await makeEnvironment(server, 'staging');
});
afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});
afterEach(async () => {
  for (const window of open) {
    expect(window.complaints).toEqual([]);
    await window.close();
  }
  open = [];
});

async function openWindow(options: WindowOptions = {}): Promise<Window> {
  const window = await Window.open(server.adminUrl, options);
  open.push(window);
  return window;
}

const toProvider = (page: Page) => page.getByRole('link', { name: 'Sign in with Studio SSO' });
const userMenu = (page: Page) => page.getByRole('button', { name: /^Signed in as/ });

/** As a person does who comes back to the tab. */
const comeBack = `window.dispatchEvent(new Event('focus'))`;

/** At the provider's own pages. */
async function signInThere(page: Page, person: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function signIn(window: Window, person: string, path = '/'): Promise<Page> {
  const page = await window.tab(path);
  await toProvider(page).click();
  await signInThere(page, person);
  await userMenu(page).waitFor();
  return page;
}

describe.skipIf(!hasBrowser)('signing in through the provider', () => {
  it('leads back to the page, with the role of the group', async () => {
    provider.groups.set('ada', ['live-ops']);
    const page = await signIn(await openWindow(), 'ada', '/environments/staging?from=mail');
    expect(page.url()).toBe(`${server.adminUrl}/environments/staging?from=mail`);
    await userMenu(page).click();
    await page.getByRole('menu').getByText('editor').waitFor();
    // The address with the code is not in the history.
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  it.each(['light', 'dark'] as const)(
    'is offered first, then a token, in %s',
    async (colorScheme) => {
      const page = await (await openWindow({ colorScheme })).tab();
      await toProvider(page).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      // By keyboard alone: it has the focus.
      const focused = await page.evaluate('document.activeElement?.textContent');
      expect(focused).toBe('Sign in with Studio SSO');
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Enter any login').waitFor();
    },
  );

  it('changes the role of a session that is open elsewhere, at once', async () => {
    provider.groups.set('grace', ['watchers']);
    const here = await signIn(await openWindow(), 'grace');
    provider.groups.set('grace', ['admins']);
    await signIn(await openWindow(), 'grace');
    await here.reload();
    await userMenu(here).click();
    await here.getByRole('menu').getByText('owner').waitFor();
  });

  it('is refused to whoever has left all groups, whose other session ends', async () => {
    provider.groups.set('linus', ['live-ops']);
    const here = await signIn(await openWindow(), 'linus');
    provider.groups.delete('linus');
    const elsewhere = await (await openWindow()).tab('/activity');
    await toProvider(elsewhere).click();
    await signInThere(elsewhere, 'linus');
    await elsewhere.getByRole('alert').getByText('You are in no group').waitFor();
    expect(await accessibilityFaults(elsewhere)).toEqual([]);
    expect(elsewhere.url()).toBe(`${server.adminUrl}/activity`);
    await here.reload();
    await toProvider(here).waitFor();
  });

  it('signs out here and at the provider', async () => {
    provider.groups.set('mary', ['live-ops']);
    const page = await signIn(await openWindow(), 'mary');
    await userMenu(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await toProvider(page).waitFor();
    expect(new URL(page.url()).origin).toBe(server.adminUrl);
    // The next person at this machine is asked who they are.
    await toProvider(page).click();
    await page.getByPlaceholder('Enter any login').waitFor();
  });

  it('says that it was cancelled, and goes on with another try', async () => {
    provider.groups.set('alan', ['live-ops']);
    const page = await (await openWindow()).tab('/activity');
    await toProvider(page).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Sign-in was cancelled at Studio SSO.').waitFor();
    await page.reload();
    await toProvider(page).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await toProvider(page).click();
    await signInThere(page, 'alan');
    await userMenu(page).waitFor();
    expect(page.url()).toBe(`${server.adminUrl}/activity`);
  });

  it('says that the provider is away, and takes a token meanwhile', async () => {
    provider.tampers.set('/token', (_response, reply) => {
      reply.destroy();
      return null;
    });
    provider.groups.set('joan', ['live-ops']);
    const page = await (await openWindow()).tab('/activity');
    await toProvider(page).click();
    await signInThere(page, 'joan');
    await page.getByRole('alert').getByText('Can’t reach Studio SSO.').waitFor();
    provider.tampers.clear();
    await page.getByRole('textbox', { name: 'Token' }).fill(ownerToken);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await userMenu(page).waitFor();
  });

  it('keeps a page whose session has ended: the provider has a tab of its own', async () => {
    provider.groups.set('kay', ['live-ops']);
    const window = await openWindow();
    const page = await signIn(window, 'kay', '/activity');
    const { json } = await server.admin('GET', '/admin/v1/users');
    const { id } = json.users.find(({ name }: { name: string }) => name === 'kay');
    await server.admin('DELETE', `/admin/v1/users/${id}`);
    await page.evaluate(comeBack);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    const opened = window.context.waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in with Studio SSO in a new tab' }).click();
    const tab = await opened;
    await userMenu(tab).waitFor();
    await page.bringToFront();
    await page.evaluate(comeBack);
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows which people come from the provider, whose role is not edited here', async () => {
    provider.groups.set('barbara', ['admins']);
    const page = await signIn(await openWindow(), 'barbara', '/people');
    const row = page.getByRole('row', { name: /barbara/ });
    await row.getByText('Single sign-on').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await row.getByRole('button', { name: 'Actions for barbara' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Role and environments' }).count()).toBe(0);
  });
});
