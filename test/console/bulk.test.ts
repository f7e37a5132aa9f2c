/*
 * Goal: what one wants to do to many content items is done once: selected by mouse or keyboard, shown before it is saved, and
 * reported item by item.
 * Method: an owner in Chromium, on a real server whose delivery API says what players get.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

const regions = ['at', 'be', 'ch', 'de', 'dk', 'es', 'fr', 'it', 'nl', 'no', 'pl', 'se'];
const shops = regions.map((region) => `shop-${region}`);
const shopText = '{\n  // euros\n  "price": 4.90,\n  "gold": 100\n}\n';

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  for (const id of shops) await staging.put(id, shopText, { tags: ['money'] });
  await staging.put('banner', '{"title":"Hi"}');
  await staging.put('events', '{"open":true}', { tags: ['weekend'] });
  await makeEnvironment(server, 'test');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const bar = (): Locator => page.getByRole('region', { name: 'Selected content items' });
const box = (id: string): Locator => page.getByRole('checkbox', { name: `Select ${id}` });
const go = (path = '') => page.goto(new URL(`/env/staging/contents${path}`, server.adminUrl).href);
const act = (name: string) => bar().getByRole('button', { name }).click();
const textOf = async (id: string): Promise<string> => {
  const { json } = expectDone(await server.admin('GET', `${staging.path}/contents/${id}`));
  return json.lines[0].text;
};
const saysSelected = (text: string) => bar().getByText(text, { exact: true }).waitFor();

describe.skipIf(!hasBrowser)('many content items', () => {
  it('are selected by mouse: one, a range with Shift, all that match', async () => {
    await box('shop-at').click();
    await saysSelected('1 item selected');
    await box('shop-de').click({ modifiers: ['Shift'] });
    await saysSelected('4 items selected');
    await page.getByRole('searchbox', { name: 'Search content' }).fill('shop');
    await bar().getByRole('button', { name: 'Select all 12 that match' }).click();
    await saysSelected('12 items selected');
    await page.getByRole('searchbox', { name: 'Search content' }).fill('banner');
    await saysSelected('12 items selected (12 not shown)');
    await bar().getByRole('button', { name: 'Clear' }).click();
    await bar().waitFor({ state: 'detached' });
  });

  it('are selected by keyboard: the space bar, and Shift with the arrow keys', async () => {
    await go('?q=shop');
    await page.getByRole('link', { name: 'shop-at' }).focus();
    await page.keyboard.press('Space');
    await saysSelected('1 item selected');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await saysSelected('3 items selected');
    expect(await box('shop-ch').isChecked()).toBe(true);
    await page.keyboard.press('Space');
    await saysSelected('2 items selected');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('shop-ch');
  });

  it('get one value at a path, after every value was shown', async () => {
    await go();
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await saysSelected('14 items selected');
    await act('Set value…');
    await dialog().getByRole('button', { name: 'Show changes' }).click();
    await dialog().getByText('Name the path of the value').waitFor();
    await dialog().getByRole('textbox', { name: 'Path' }).fill('/price');
    await dialog().getByRole('textbox', { name: 'Value' }).fill('3.50');
    await dialog().getByRole('textbox', { name: 'Reason for this change' }).fill('Weekend.');
    await dialog().getByRole('button', { name: 'Show changes' }).click();
    await dialog().getByText('12 items change · 2 lack the path').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const changes = dialog().getByRole('region', { name: 'What changes' });
    expect(await changes.getByRole('row').count()).toBe(13);
    expect(await changes.getByRole('row', { name: /^shop-fr/ }).innerText()).toMatch(
      /4\.90\s+3\.50/,
    );
    expect(await textOf('shop-fr')).toBe(shopText);
    await dialog().getByRole('button', { name: 'Set in 12 items' }).click();
    await page.getByText('/price is set in 12 items.').waitFor();
    for (const id of shops) expect(await textOf(id)).toBe(shopText.replace('4.90', '3.50'));
    expect((await staging.plain('shop-fr')).text).toBe('{"price":3.50,"gold":100}');
    await bar().waitFor({ state: 'detached' });
  });

  it('are looked at again where one changed meanwhile', async () => {
    await go('?q=shop-a');
    await box('shop-at').click();
    await act('Set value…');
    await dialog().getByRole('textbox', { name: 'Path' }).fill('/gold');
    await dialog().getByRole('textbox', { name: 'Value' }).fill('7');
    await dialog().getByRole('button', { name: 'Show changes' }).click();
    await dialog().getByRole('button', { name: 'Set in 1 item' }).waitFor();
    await staging.put('shop-at', '{"price":3.50,"gold":50}');
    await dialog().getByRole('button', { name: 'Set in 1 item' }).click();
    await dialog()
      .getByText(/changed since the dry run/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Compare again' }).click();
    await dialog()
      .getByRole('row', { name: /shop-at/ })
      .getByText('50', { exact: true })
      .waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await textOf('shop-at')).toBe('{"price":3.50,"gold":50}');
  });

  it('get and lose tags', async () => {
    await go('?q=shop');
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await act('Tags…');
    const add = dialog()
      .getByRole('combobox', { name: 'Add' })
      .or(dialog().getByRole('textbox', { name: 'Add' }));
    await add.fill('weekend');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Change tags of 12 items' }).click();
    await page.getByText('Tags of 12 items are changed.').waitFor();
    const { json } = expectDone(await server.admin('GET', `${staging.path}/contents/shop-at`));
    expect(json.tags).toEqual(['money', 'weekend']);
  });

  it('are grouped by the first part of their ids or by tag, as the person last had them', async () => {
    await go('?group=prefix');
    const group = page.getByRole('button', { name: /^shop\s*12 items$/ });
    await group.waitFor();
    await page.getByRole('button', { name: /^Others\s*2 items$/ }).waitFor();
    await group.click();
    await page.getByRole('link', { name: 'shop-at' }).waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Select all of shop' }).click();
    await saysSelected('12 items selected');
    await bar().getByRole('button', { name: 'Clear' }).click();
    await group.press('Enter');
    await page.getByRole('link', { name: 'shop-at' }).waitFor();
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('radio', { name: 'Tag' }).click();
    await page.getByRole('checkbox', { name: 'Hash' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^weekend\s*13 items$/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('group')).toBe('tag');
    await go();
    await page.getByRole('button', { name: /^weekend\s*13 items$/ }).waitFor();
    await page.getByRole('columnheader', { name: 'Hash' }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Hash' }).waitFor({ state: 'detached' });
  });

  it('show what is typed and not saved', async () => {
    await go('/banner');
    const editor = page.getByRole('textbox', { name: 'Text of version 0.0.0' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"title":"Ho"}');
    await page.getByRole('link', { name: 'Content', exact: true }).first().click();
    await page
      .getByRole('row', { name: /banner/ })
      .getByText('unsaved here')
      .waitFor();
  });

  it('go into a release together, drafts and all', async () => {
    for (const id of ['shop-es', 'shop-fr']) {
      await staging.put(id, '{"price":9,"gold":1}', { publish: false });
    }
    await go('?q=shop-');
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await act('Publish or add to release (2)…');
    await dialog().getByText('2 items go live · 10 have nothing to change').waitFor();
    await dialog().getByRole('button', { name: 'Use a release instead' }).click();
    await dialog().getByRole('textbox', { name: 'Title' }).fill('Winter event');
    await dialog().getByRole('button', { name: 'Create release' }).click();
    await page.getByText('Added 2 drafts to').waitFor();
    const { json } = expectDone(await server.admin('GET', `${staging.path}/releases/1`));
    expect(json.changes).toMatchObject([
      { id: 'shop-es', revision: 3 },
      { id: 'shop-fr', revision: 3 },
    ]);
    expect((await staging.plain('shop-fr')).text).toBe('{"price":3.50,"gold":100}');
  });

  it('are copied to another environment by a sync of just these', async () => {
    await go('?q=shop-');
    await box('shop-de').click();
    await box('shop-it').click();
    await act('Copy to…');
    await page.getByRole('menuitem', { name: 'test' }).click();
    await page.getByRole('heading', { name: 'Sync into test' }).waitFor();
    await page.getByText('Selected: 2 items').waitFor();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  });

  it('are deleted by the rule of protected environments, those that cannot be are left out', async () => {
    expectDone(await server.admin('PATCH', staging.path, { protected: true }));
    await go('?q=shop-n');
    await page.getByRole('checkbox', { name: 'Select all that match' }).click();
    await saysSelected('2 items selected');
    await act('Delete…');
    const confirm = dialog().getByRole('button', { name: 'Delete 2 items from staging' });
    await confirm.waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await dialog()
      .getByRole('textbox', { name: /Type staging to confirm/ })
      .fill('staging');
    await confirm.click();
    await page.getByText('2 items deleted.').waitFor();
    expect((await staging.plain('shop-nl')).status).toBe(404);
    expectDone(await server.admin('PATCH', staging.path, { protected: false }));
  });

  it('are edited at 390 pixels, without scrolling sideways', async () => {
    await page.setViewportSize(narrow);
    await go('?group=prefix');
    await box('shop-at').click();
    await saysSelected('1 item selected');
    const isWide = await page.evaluate(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    expect(isWide).toBe(false);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await act('Actions');
    await page.getByRole('menuitem', { name: 'Set value…' }).click();
    await dialog().getByRole('textbox', { name: 'Path' }).fill('/gold');
    await dialog().getByRole('textbox', { name: 'Value' }).fill('8');
    await dialog().getByRole('button', { name: 'Show changes' }).click();
    await dialog().getByText('1 item changes').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.setViewportSize(wide);
  });
});
