/** Two people edit one content item at the same time: the console merges what they typed, value by value. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

const shop = `{
  // Prices in cents.
  "offers": [
    { "sku": "offer-1", "price": 99 },
    { "sku": "offer-2", "price": 499 },
    { "sku": "offer-3", "price": 999 }, // the best
    { "sku": "offer-4", "price": 1999 }
  ]
}
`;

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let mine: Page;
let count = 0;
let id: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ data: makeDataFolder() });
  staging = await makeEnvironment(server, 'staging');
  window = await Window.open(server.adminUrl);
  mine = await window.signIn(ownerToken, '/env/staging/contents');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});
beforeEach(async () => {
  if (!hasBrowser) return;
  count += 1;
  id = `shop-${count}`;
  await staging.put(id, shop);
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Text of version 0.0.0' });
const dialog = () => mine.getByRole('dialog', { name: 'Two edits of the same content item' });
const useMerged = () => dialog().getByRole('button', { name: 'Use merged' });

async function type(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await page.getByText('Unsaved changes', { exact: true }).waitFor();
}

/** Two windows on one content item: theirs is saved, mine is typed and then merged with it. */
async function meet(theirText: string, myText: string): Promise<void> {
  await mine.goto(`${server.adminUrl}/env/staging/contents/${id}`);
  const theirs = await window.tab(`/env/staging/contents/${id}`);
  await type(mine, myText);
  await type(theirs, theirText);
  await theirs.keyboard.press('ControlOrMeta+s');
  await theirs.getByText('Draft r2').first().waitFor();
  await theirs.close({ runBeforeUnload: false });
  await mine.bringToFront();
  await mine.keyboard.press('ControlOrMeta+s');
  await mine.getByRole('button', { name: 'Compare and merge', exact: true }).click();
  await dialog().waitFor();
}

async function savedText(): Promise<string> {
  await mine.keyboard.press('ControlOrMeta+s');
  await mine.getByText('Draft r3').first().waitFor();
  const { json } = await server.admin('GET', `${staging.path}/contents/${id}`);
  return json.lines[0].text;
}

const priced = (text: string, from: number, to: number): string =>
  text.replace(`"price": ${from} }`, `"price": ${to} }`);

describe.skipIf(!hasBrowser)('two edits of one content item', () => {
  it('are both kept where they changed different prices, with every comment', async () => {
    await meet(priced(shop, 499, 450), priced(shop, 1999, 1799));
    await dialog().getByText('You changed different values, so both edits are kept.').waitFor();
    await dialog().getByRole('textbox', { name: 'Merged' }).waitFor();
    await settled(mine);
    expect(await accessibilityFaults(mine)).toEqual([]);
    await useMerged().click();
    await dialog().waitFor({ state: 'detached' });
    expect(await savedText()).toBe(priced(priced(shop, 499, 450), 1999, 1799));
  });

  it('ask for the one price that both changed, by keyboard, and merge the rest', async () => {
    await meet(priced(priced(shop, 499, 450), 99, 89), priced(priced(shop, 499, 399), 1999, 1799));
    await dialog()
      .getByText(/Both of you changed 1 value/)
      .waitFor();
    expect(await useMerged().isDisabled()).toBe(true);
    const price = dialog().getByRole('radiogroup', { name: '/offers/1/price ("offer-2")' });
    await price.getByRole('radio').first().focus();
    await mine.keyboard.press('Space');
    await mine.keyboard.press('ArrowDown');
    expect(await price.getByRole('radio', { name: 'Yours', exact: true }).isChecked()).toBe(true);
    await mine.keyboard.press('ArrowDown');
    const other = dialog().getByRole('textbox', { name: /^Another value/ });
    await other.fill('4x');
    await dialog().getByText('This is not a JSON value.').waitFor();
    expect(await useMerged().isDisabled()).toBe(true);
    await other.fill('425');
    await settled(mine);
    expect(await accessibilityFaults(mine)).toEqual([]);
    await useMerged().focus();
    await mine.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await savedText()).toBe(priced(priced(priced(shop, 99, 89), 499, 425), 1999, 1799));
  });

  it('are merged by lines where what is typed is not JSON, and lose no letter', async () => {
    const unfinished = shop.replace('1999 }', '1999, ');
    await meet(priced(shop, 99, 89), unfinished);
    await dialog()
      .getByText(/not valid JSON, so the texts are merged line by line/)
      .waitFor();
    await useMerged().click();
    await dialog().waitFor({ state: 'detached' });
    const shown = await editorOf(mine).innerText();
    expect(shown).toContain('"price": 1999, ');
    expect(shown).toContain('"price": 89 }');
  });

  it('are merged as well where mine is recovered after a reload of the page', async () => {
    await mine.goto(`${server.adminUrl}/env/staging/contents/${id}`);
    await type(mine, priced(shop, 1999, 1799));
    await staging.put(id, priced(shop, 499, 450));
    await mine.reload();
    await mine.getByText(/^We kept your unsaved changes from/).waitFor();
    await mine.getByRole('button', { name: 'Compare and merge', exact: true }).click();
    await dialog().getByText('You changed different values, so both edits are kept.').waitFor();
    await useMerged().click();
    await dialog().waitFor({ state: 'detached' });
    expect(await savedText()).toBe(priced(priced(shop, 499, 450), 1999, 1799));
  });

  it('fit in 390 pixels, without scrolling sideways', async () => {
    await mine.setViewportSize(narrow);
    await meet(priced(shop, 499, 450), priced(shop, 499, 399));
    await dialog().getByRole('radio', { name: 'Yours', exact: true }).check();
    await settled(mine);
    const isWide = await mine.evaluate(
      `[...document.querySelectorAll('[role=dialog], [role=dialog] section')].some(
        (box) => box.scrollWidth > box.clientWidth + 1)`,
    );
    expect(isWide).toBe(false);
    expect(await accessibilityFaults(mine)).toEqual([]);
    await useMerged().click();
    await dialog().waitFor({ state: 'detached' });
    await mine.setViewportSize(wide);
  });
});
