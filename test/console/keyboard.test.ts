/** Everything by keyboard: from signing in to a new order of rules, without a mouse. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { Demo } from '../support/server/demo.js';

/** More stops than any screen has before what one looks for. */
const stopsMax = 120;

let demo: Demo;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  demo = await Demo.start();
  window = await Window.open(demo.consoleUrl);
});
afterAll(async () => {
  await window?.close();
  await demo?.stop();
});

const isFocused = async (what: Locator): Promise<boolean> =>
  (await what.and(page.locator(':focus')).count()) > 0;

async function tabTo(what: Locator, key = 'Tab'): Promise<void> {
  await what.first().waitFor();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if (await isFocused(what)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${what}`);
}

describe.skipIf(!hasBrowser)('without a mouse', () => {
  it('one signs in', async () => {
    page = await window.tab('/env/staging/contents');
    await tabTo(page.getByRole('textbox', { name: 'Token' }));
    await page.keyboard.type(demo.token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Contents' }).waitFor();
  });

  it('one skips the navigation', async () => {
    await page.goto(new URL('/env/staging/contents', demo.consoleUrl).href);
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    expect(await isFocused(page.getByRole('link', { name: 'Skip to the content' }))).toBe(true);
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('button', { name: 'Deleted' }));
  });

  it('one finds a content and opens it', async () => {
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox', { name: 'Search contents' });
    expect(await isFocused(search)).toBe(true);
    await page.keyboard.type('daily shop');
    await page.getByRole('link', { name: 'economy', exact: true }).waitFor({ state: 'detached' });
    await tabTo(page.getByRole('link', { name: 'shop', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
  });

  it('one types into the text, and leaves it', async () => {
    const editor = page.getByRole('textbox', { name: 'Text of line 0.0.0' });
    await tabTo(editor);
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('// by keyboard');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await isFocused(editor)).toBe(false);
  });

  it('one changes the order of rules', async () => {
    await tabTo(page.getByRole('tab', { name: 'Text', exact: true }), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    const handle = page.getByRole('button', { name: 'Drag rule 1, new-players' });
    await tabTo(handle);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'Rule 2, new-players' }).waitFor();
  });

  it('one saves it, and goes away', async () => {
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r7').first().waitFor();
    await tabTo(page.getByRole('button', { name: /^Signed in as/ }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await isFocused(page.getByRole('menuitem', { name: 'Sign out' }))).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  });
});
