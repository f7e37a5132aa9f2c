/*
 * Goal: "who changed the price, and why" is answered in the console: by search in the activity, and beside the text, where an
 * old value comes back as an edit. A viewer sees their environment and no more.
 * Method: an owner and a viewer in Chromium, on a real server.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { send } from '../support/wire/exchange.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

const shop = (price: number): string =>
  `{\n  // what it costs\n  "packs": { "pearls": { "price": ${price} } },\n  "banner": "Autumn"\n}\n`;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await makeEnvironment(server, 'secret');
  const mei = await tokenOf('mei', 'editor', null);
  const put = async (price: number, note: string): Promise<void> => {
    const saved = await send(server.adminUrl, `${staging.path}/contents/shop`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${mei}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: shop(price), note }),
    });
    expectDone(saved);
  };
  await put(4.99, 'Opening offers');
  await put(4990000, 'LIVE-231');
  expectDone(
    await server.admin('PUT', '/admin/v1/environments/secret/contents/other', {
      text: '{"price":7}',
    }),
  );
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/activity');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

async function tokenOf(name: string, role: string, environments: unknown): Promise<string> {
  const user = { name, role, environments };
  return expectDone(await server.admin('POST', '/admin/v1/users', user)).json.token;
}

const field = (on = page): Locator => on.getByRole('textbox', { name: 'Search', exact: true });
const rows = (on = page): Locator => on.getByRole('table').locator('tbody tr:not(:has(th[scope]))');
const go = (path: string) => page.goto(new URL(path, server.adminUrl).href);

describe.skipIf(!hasBrowser)('the activity', () => {
  it('finds who changed a price by a part of its path, with the values before and after', async () => {
    await field().fill('price');
    await page.getByRole('button', { name: 'Changed path with “price”' }).click();
    await page.waitForURL(/path=price/);
    await page.getByText('4.99', { exact: true }).first().waitFor();
    await page.getByRole('row').filter({ hasText: 'LIVE-231' }).getByText('4990000').waitFor();
    expect(await field().inputValue()).toBe('');
    // The focus stays in the search, for the next word.
    await page.locator('input:focus').and(field()).waitFor();
  });

  it('finds a value typed with its prefix, and words in a note, and leads to the difference', async () => {
    await page.getByRole('button', { name: 'Path contains price: remove' }).click();
    await field().fill('live-231 value:4990000');
    await page.waitForURL(/words=live-231&value=4990000/);
    await expect.poll(() => rows().count()).toBe(1);
    await settled(page);
    // What has a prefix is offered as nothing else.
    await page.getByRole('button', { name: 'Changed path with “live-231”' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'r1 to r2 of shop' }).click();
    await page.getByRole('heading', { name: 'From r1 to r2' }).waitFor();
  });

  it('says what an empty search looked for, and looks for less', async () => {
    await go('/activity?words=live-231&value=12&environment=staging');
    await page
      .getByText('the words “live-231”, the value 12, and the environment staging')
      .waitFor();
    await page.getByRole('button', { name: 'Without the value 12' }).click();
    await expect.poll(() => rows().count()).toBe(1);
  });

  it('fits on a phone', async () => {
    await page.setViewportSize(narrow);
    await go('/activity?path=price');
    await page.getByText('/packs/pearls/price').first().waitFor();
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(wide);
  });

  it('shows a viewer their environments, without addresses', async () => {
    const theirs = await Window.open(server.adminUrl);
    const token = await tokenOf('vera', 'viewer', ['staging']);
    const screen = await theirs.signIn(token, '/activity');
    await screen.getByText('LIVE-231').waitFor();
    await screen.getByRole('navigation').getByRole('link', { name: 'Activity' }).waitFor();
    expect(await screen.getByRole('columnheader', { name: 'From' }).count()).toBe(0);
    expect(await screen.getByText('127.0.0.1').count()).toBe(0);
    expect(await screen.getByRole('row').filter({ hasText: 'vera' }).count()).toBe(0);
    expect(await screen.getByRole('row').filter({ hasText: 'secret' }).count()).toBe(0);
    await theirs.close();
  });
});

describe.skipIf(!hasBrowser)('the value at the cursor', () => {
  it('says who set it last, when and why', async () => {
    await go('/env/staging/contents/shop');
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).getByText('4990000').click();
    const line = page.getByRole('group', { name: 'The value at the cursor' });
    await line.getByText('/packs/pearls/price').waitFor();
    await line.getByText(/last set by mei, .*, r2: “LIVE-231”/).waitFor();
  });

  it('comes back from its history as an edit that is not saved, and nothing else changes', async () => {
    await page.getByRole('button', { name: 'History of this value' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Restore the value of revision 1' }).click();
    await dialog.getByRole('button', { name: 'Put it into the editor' }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Put it into the editor' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('changed here, not saved').waitFor();
    expect((await staging.plain('shop')).text).toContain('4990000');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved as draft r3', { exact: false }).first().waitFor();
    const saved = expectDone(await server.admin('GET', `${staging.path}/contents/shop`)).json;
    expect(saved.lines[0].text).toBe(shop(4.99));
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
