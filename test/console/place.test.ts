/** People stay where they are: with the environment switched, on a phone, on screens of the whole server, and by keyboard. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let production: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  production = await makeEnvironment(server, 'production');
  expectDone(await server.admin('PATCH', production.path, { name: 'Production', protected: true }));
  expectDone(await server.admin('PATCH', staging.path, { name: 'Staging' }));
  await staging.putSegment('vip', { spent: { $gte: 10 } });
  await staging.put('shop', '{"price":5}');
  await staging.put('offers', '{"gold":1}');
  await production.put('shop', '{"price":9}');
});
afterAll(() => server?.stop());
beforeEach(async () => {
  if (!hasBrowser) return;
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents');
});
afterEach(async () => {
  expect(window?.complaints ?? []).toEqual([]);
  await window?.close();
});

const go = (path: string) => page.goto(new URL(path, server.adminUrl).href);
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
async function switchTo(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Environment' }).click();
  await page.getByRole('option', { name }).click();
}
const path = (): string => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};
const editor = (): Locator => page.getByRole('textbox', { name: 'Text of version 0.0.0' });
const focused = (what: Locator) =>
  eventually('it has the focus', 10_000, async () => {
    return (await what.and(page.locator(':focus')).count()) === 1;
  });

describe.skipIf(!hasBrowser)('a switch of the environment', () => {
  it('keeps the content item and its tab', async () => {
    await go('/env/staging/contents/shop/history');
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    await switchTo('Production');
    await page.waitForURL('**/env/production/contents/shop/history');
    await page.getByRole('main').locator('[data-environment="production"]').first().waitFor();
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
  });

  it('keeps the search of a list', async () => {
    await go('/env/staging/contents?q=shop');
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await switchTo('Production');
    await page.waitForURL('**/env/production/contents?q=shop');
    expect(await page.getByRole('searchbox').inputValue()).toBe('shop');
  });

  it('says where a missing content item exists, and copies it from there', async () => {
    await go('/env/staging/contents/offers');
    await page.getByRole('heading', { level: 1, name: 'offers' }).waitFor();
    await switchTo('Production');
    await page.getByRole('heading', { name: 'Production has no content item offers' }).waitFor();
    const elsewhere = page.getByRole('region', { name: 'In other environments' });
    await elsewhere.getByText('Staging has it: r1 is live.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const sync = elsewhere.getByRole('link', { name: 'Sync from Staging…' });
    expect(await sync.getAttribute('href')).toBe('/env/production/sync?from=staging&q=offers');
    await elsewhere.getByRole('button', { name: 'Copy from Staging as a draft' }).click();
    await editor().waitFor();
    expect(path()).toBe('/env/production/contents/offers');
    const { json } = await server.admin('GET', `${production.path}/contents/offers`);
    expect(json).toMatchObject({ live: null, lines: [{ text: '{"gold":1}' }] });
  });

  it('starts a missing segment with the condition of the other environment', async () => {
    await go('/env/staging/segments/vip');
    await page.getByRole('heading', { level: 1, name: 'vip' }).waitFor();
    await switchTo('Production');
    await button('Start from Staging’s condition').click();
    await page.getByText('New, not saved yet').waitFor();
    await page.getByText('JSON', { exact: true }).first().click();
    const source = page.getByRole('textbox', { name: /JSON|Condition/ }).first();
    expect(await source.textContent()).toContain('"spent"');
  });
});

describe.skipIf(!hasBrowser)('on screens of the whole server', () => {
  it.each(['/activity', '/people', '/health', '/webhooks', '/environments'])(
    '%s has no choice of an environment, but links to them',
    async (screen) => {
      await go(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const links = page.getByRole('navigation', { name: 'Go to an environment' });
      await links.getByRole('link', { name: 'Staging' }).waitFor();
      const menu = page.getByRole('navigation').first();
      expect(await menu.getByRole('combobox', { name: 'Environment' }).count()).toBe(0);
      await links.getByRole('link', { name: 'Production' }).click();
      await page.waitForURL('**/env/production');
    },
  );
});

describe.skipIf(!hasBrowser)('on a phone', () => {
  it('the header names the environment, also where the title has scrolled away', async () => {
    await page.setViewportSize(narrow);
    await go('/env/production/contents/shop/settings');
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    await page.mouse.wheel(0, 10_000);
    const chip = page.getByRole('banner').locator('[data-environment="production"]');
    await chip.waitFor();
    expect(await chip.innerText()).toContain('protected');
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('the focus', () => {
  it('goes from a new content item to its text, and is never lost by saving and publishing', async () => {
    await button('New content item').first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Id' }).fill('season');
    await page.keyboard.press('Enter');
    await focused(editor());
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"a":1}');
    await button(/^Save draft/).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^Saved as draft r1/).waitFor();
    await focused(button(/^Publish/));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('Revision 1 is live for all players.').waitFor();
    await focused(editor());
  });
});

describe.skipIf(!hasBrowser)('a sync by an editor into a protected environment', () => {
  it('says at the start that only owners publish, shows the differences, and becomes a release', async () => {
    const made = await server.admin('POST', '/admin/v1/users', { name: 'mei', role: 'editor' });
    const { token } = expectDone(
      await server.admin('POST', `/admin/v1/users/${expectDone(made).json.id}/tokens`, {
        label: 'test',
      }),
    ).json;
    const editors = await Window.open(server.adminUrl);
    page = await editors.signIn(token, '/env/production/sync?from=staging&q=shop');
    await page.getByText('What you select becomes drafts and a release.').waitFor();
    await page.getByRole('checkbox', { name: 'Select shop' }).check();
    await button('Review and make a release…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^shop/ }).click();
    await dialog.getByRole('row').filter({ hasText: '/price' }).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Title of the release' }).fill('Winter prices');
    await dialog.getByRole('button', { name: /^Make a release of/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Winter prices' }).waitFor();
    expect((await production.plain('shop')).text).toBe('{"price":9}');
    await editors.close();
  });

  it('is compared as a release where approvals are asked for, for owners too', async () => {
    expectDone(await server.admin('PATCH', production.path, { review: 1 }));
    page = await window.tab('/env/production/sync?from=staging&q=shop');
    await page.getByText('What you select becomes drafts and a release.').waitFor();
    await page.getByRole('checkbox', { name: 'Select shop' }).check();
    await button('Review and make a release…').waitFor();
  });
});
