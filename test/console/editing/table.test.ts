/*
 * Goal: an array of objects is edited as a table, and the text keeps every other byte.
 * Method: an editor in Chromium by mouse, keyboard and clipboard, on a real server that has what was saved.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

const offers = [
  '{\n',
  '  // The weekend begins on Friday.\n',
  '  "offers": [\n',
  '    { "id": "lamp", "price": 4.90, "on": true, "parts": [{ "n": 1 }, { "n": 2 }] },\n',
  '    { "id": "pouch", "price": 1.10, /* was 1.20 */ "on": false },\n',
  '    { "id": "rope", "price": 12.00, "on": true, "note": null }\n',
  '  ]\n',
  '}\n',
];

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.put('shop', offers.join(''));
  await staging.put('broken', '{ "offers": [{ "id": 1 }] }');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/shop');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const grid = (): Locator => page.getByRole('grid');
const show = (name: string) =>
  page
    .getByRole('radiogroup', { name: 'Show the text as' })
    .getByText(name, { exact: true })
    .click();
/** Both from 0. */
const cell = (row: number, column: number): Locator =>
  grid().locator(`[data-row="${row}"] [data-column="${column}"]`);
const keys = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await page.keyboard.press(name);
};
const saved = async (revision: number): Promise<string> => {
  await page.getByRole('button', { name: /^Save draft/ }).click();
  await page.getByText(`Draft r${revision} saved, not published.`).waitFor();
  const { json } = expectDone(await server.admin('GET', `${staging.path}/contents/shop`));
  return json.lines[0].text;
};

describe.skipIf(!hasBrowser)('a table of offers', () => {
  it('shows a row for each and a column for each member, accessibly', async () => {
    await show('Table');
    await grid().waitFor();
    expect(await grid().getAttribute('aria-label')).toBe('Table of /offers');
    await page.getByText('3 rows, 5 columns').waitFor();
    expect(await cell(1, 1).innerText()).toBe('1.10');
    expect(await cell(1, 3).getAttribute('data-kind')).toBe('absent');
    expect(await cell(2, 4).getAttribute('data-kind')).toBe('null');
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(narrow);
    await settled(page);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate(beyond)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(wide);
  });

  it('is edited by keyboard: a price, a switch, a member that was not there', async () => {
    await cell(0, 0).click();
    await keys('ArrowRight', 'Enter');
    await page.getByRole('textbox', { name: 'price of row 1' }).fill('3.99');
    await keys('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('1.10');
    await keys('ArrowRight', 'Space', 'ArrowDown', 'ArrowRight', 'ArrowRight');
    await page.keyboard.type('last ones');
    await page.getByRole('textbox', { name: 'note of row 3' }).waitFor();
    await keys('Escape', 'ArrowUp');
    await page.keyboard.type('"soon"');
    await keys('Enter');
    expect(await saved(2)).toBe(
      offers
        .join('')
        .replace('4.90', '3.99')
        .replace('"on": false }', '"on": true, "note": "soon" }'),
    );
  });

  it('says why what is typed is not a value, and keeps it', async () => {
    await cell(0, 1).click();
    await page.keyboard.type('12OO');
    await keys('Enter');
    await page.getByRole('alert').getByText('12OO is not a number. Text needs quotes.').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await keys('Escape');
    expect(await cell(0, 1).innerText()).toBe('3.99');
  });

  it('takes a block from a spreadsheet, and undoes it', async () => {
    await cell(0, 0).click();
    await page.evaluate('navigator.clipboard.writeText("torch\\t2.50\\r\\nsack\\t0.99\\r\\n")');
    await keys('ControlOrMeta+v');
    await page.getByText('Pasted into 4 cells.').waitFor();
    expect(await cell(1, 0).innerText()).toBe('sack');
    await cell(1, 1).click();
    await keys('ControlOrMeta+z');
    await expect.poll(() => cell(1, 0).innerText()).toBe('pouch');
    await cell(0, 0).click();
    await keys('Shift+ArrowRight', 'Shift+ArrowDown', 'ControlOrMeta+c');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe('lamp\t3.99\npouch\t1.10');
  });

  it('moves, copies, adds and removes rows', async () => {
    await cell(0, 0).click();
    await keys('Alt+ArrowDown');
    await expect.poll(() => cell(1, 0).innerText()).toBe('lamp');
    await page.getByRole('button', { name: 'Actions for row 2' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByText('4 rows, 5 columns').waitFor();
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.getByText('5 rows, 5 columns').waitFor();
    await cell(4, 0).click();
    await page.getByRole('button', { name: 'Actions for row 5' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('4 rows, 5 columns').waitFor();
    expect(JSON.parse((await saved(3)).replace(/\/\/.*|\/\*.*?\*\//g, '')).offers).toMatchObject([
      { id: 'pouch' },
      { id: 'lamp', price: 3.99 },
      { id: 'lamp', price: 3.99 },
      { id: 'rope' },
    ]);
  });

  it('opens a list within a row as a table of its own, and the address knows it', async () => {
    await cell(1, 3).click();
    await keys('Enter');
    await page.getByText('2 rows, 1 column').waitFor();
    expect(page.url()).toContain(`at=${encodeURIComponent('/offers/1/parts')}`);
    await page.reload();
    await page.getByText('2 rows, 1 column').waitFor();
    await page.getByRole('button', { name: 'Back to /offers' }).click();
    await page.getByText('4 rows, 5 columns').waitFor();
  });

  it('sorts and filters what is shown, and leaves the text as it is', async () => {
    const before = await page.getByRole('button', { name: /^Save draft/ }).isDisabled();
    await page.getByRole('columnheader', { name: 'price' }).getByRole('button').click();
    await expect.poll(() => cell(0, 0).innerText()).toBe('pouch');
    await page.getByRole('columnheader', { name: 'price' }).getByRole('button').click();
    await expect.poll(() => cell(0, 0).innerText()).toBe('rope');
    await page.getByRole('textbox', { name: 'Filter rows' }).fill('lam');
    await page.getByText('2 of 4 rows, 5 columns').waitFor();
    expect(await page.getByRole('button', { name: /^Save draft/ }).isDisabled()).toBe(before);
  });
});

describe.skipIf(!hasBrowser)('a text with an error', () => {
  it('says where, and goes there', async () => {
    await page.goto(new URL('/env/staging/contents/broken', server.adminUrl).href);
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
    await keys('ControlOrMeta+a');
    await page.keyboard.insertText('{\n"offers": [{ "id": 12OO }] }');
    await show('Table');
    await page.getByRole('heading', { name: 'The text has an error' }).waitFor();
    await page.getByRole('button', { name: 'Go to line 2' }).click();
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).waitFor();
    await show('Table');
    await page.getByRole('heading', { name: 'The text has an error' }).waitFor();
  });
});
