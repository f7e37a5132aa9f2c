/*
 * Goal: a long text is read by its outline and the path of the value at the cursor, by mouse and by keyboard; a schema can be
 * made of it; differences are shown as the person wants them.
 * Method: an editor in Chromium on a real server, with a text of thousands of lines.
 */
import type { Page } from 'playwright-core';
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

const quests = Array.from({ length: 2_000 }, (_, n) => ({
  id: `quest-${n}`,
  coins: 100 + n,
  tier: n % 2 === 0 ? 'gold' : 'silver',
}));
const text = `${JSON.stringify({ title: 'Harbour', quests }, null, 2)}\n`;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.put('quests', text);
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/quests');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const tree = () => page.getByRole('tree', { name: 'Values of the text' });
const row = (name: string) => tree().getByRole('treeitem', { name, exact: true });
const editor = () => page.getByRole('textbox', { name: 'Text of version 0.0.0' });
const place = () => page.getByRole('group', { name: 'The value at the cursor' });

describe.skipIf(!hasBrowser)('the outline', () => {
  it('shows what is in the text, and renders only what is visible', async () => {
    await row('quests [2000]').waitFor();
    await tree().focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await row('0 {3}').waitFor();
    expect(await tree().getByRole('treeitem').count()).toBeLessThan(100);
    expect(await row('quests [2000]').getAttribute('aria-expanded')).toBe('true');
  });

  it('leads to a value by keyboard, and the path says where it is', async () => {
    await page.keyboard.press('End');
    await row('1999 {3}').waitFor();
    await page.keyboard.press('ArrowRight');
    await row('coins 2099').waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await place().getByText('/quests/1999/coins').waitFor();
    await place().getByText('number 2099').waitFor();
    const focused = `document.activeElement?.getAttribute('aria-label')`;
    expect(await page.evaluate(focused)).toBe('Text of version 0.0.0');
  });

  it('follows the cursor, and finds by name and value', async () => {
    await place().getByRole('button', { name: '/1999', exact: true }).click();
    await place().getByText('object {3}').waitFor();
    await page.waitForFunction(
      `document.querySelector('[role=treeitem][aria-selected=true]')?.textContent.includes('1999')`,
    );
    await page.getByRole('textbox', { name: 'Filter the outline' }).fill('quest-777');
    await row('id "quest-777"').click();
    await place().getByText('/quests/777/id').waitFor();
    await page.getByRole('textbox', { name: 'Filter the outline' }).fill('');
  });

  it('keeps the last outline while the text has an error', async () => {
    await editor().press('Delete');
    await page.getByText('this is the outline before it', { exact: false }).waitFor();
    await row('title "Harbour"').or(row('777 {3}')).first().waitFor();
    await editor().press('Control+z');
    await page
      .getByText('this is the outline before it', { exact: false })
      .waitFor({ state: 'detached' });
  });

  it('has no accessibility faults, and waits behind its button on a phone', async () => {
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(narrow);
    await tree().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Outline' }).click();
    await tree().waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const isScrolling = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(isScrolling)).toBe(false);
    await page.setViewportSize(wide);
  });
});

describe.skipIf(!hasBrowser)('the search of the text', () => {
  const search = () => page.getByRole('search', { name: 'Search in the text' });

  it('counts the hits, goes from one to the next, and knows case and whole words', async () => {
    await editor().press('Control+Home');
    await editor().press('Control+f');
    await search().getByRole('textbox', { name: 'Find' }).fill('QUEST-19');
    await search().getByText('111 hits').waitFor();
    await page.keyboard.press('Enter');
    await search().getByText('1 of 111').waitFor();
    await page.keyboard.press('Shift+Enter');
    await search().getByText('111 of 111').waitFor();
    await search().getByRole('button', { name: 'Whole words' }).click();
    await search()
      .getByText(/^(1 hit|1 of 1)$/)
      .waitFor();
    await search().getByRole('button', { name: 'Match case' }).click();
    await search().getByText('No hits').waitFor();
  });

  it('is one row where there is room, fits a phone, and has no accessibility faults', async () => {
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(narrow);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const { x = 0, width = 0 } = (await search().boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(narrow.width);
    await page.setViewportSize(wide);
    await page.keyboard.press('Escape');
  });

  it('stays where it is, below its tabs, when the first key is pressed', async () => {
    const version = page.getByRole('tab', { name: /^0\.0\.0/ });
    // On the page, wherever that is scrolled to.
    const top = async (): Promise<number> =>
      ((await version.boundingBox())?.y ?? Number.NaN) +
      ((await page.evaluate('window.scrollY')) as number);
    await editor().click();
    await settled(page);
    const before = await top();
    await page.keyboard.type(' ');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await settled(page);
    // No line is added above: a click that is under way hits what it was aimed at.
    expect(Math.abs((await top()) - before)).toBeLessThan(4);
    await page.keyboard.press('ControlOrMeta+z');
  });

  it('can have the whole window', async () => {
    const button = page.getByRole('button', { name: 'Fill the window' });
    await button.click();
    const { height = 0 } = (await editor().locator('..').boundingBox()) ?? {};
    expect(height).toBeGreaterThan(wide.height - 220);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await button.focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
  });
});

describe.skipIf(!hasBrowser)('a schema made from the text', () => {
  it('is an edit that the server finds valid, and that a mistake does not pass', async () => {
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Make a schema from the text' }).click();
    const schema = page.getByRole('textbox', { name: 'JSON Schema' });
    await schema.getByText('"maximum"').first().waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved. Revision 1 stays live.').first().waitFor();
    const stored = expectDone(await server.admin('GET', `${staging.path}/contents/quests`)).json;
    expect(stored.schema.properties.quests.items.properties.coins).toEqual({
      ...{ type: 'integer', minimum: 10, maximum: 21_000 },
    });
    const wrong = { text: text.replace('"coins": 100,', '"coins": 100000000,'), publish: true };
    const refused = await server.admin('PUT', `${staging.path}/contents/quests`, wrong);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.json)).toContain('must be <=');
  });
});

describe.skipIf(!hasBrowser)('a difference', () => {
  it('can be one text or two, wrapped or not, and stays so', async () => {
    await staging.put('quests', text.replace('Harbour', 'Lighthouse'), { publish: false });
    await page.goto(new URL('/env/staging/contents/quests', server.adminUrl).href);
    await page.getByRole('button', { name: 'Compare with live' }).click();
    const difference = () => page.getByRole('region', { name: 'Differences' }).first();
    await difference().getByRole('button', { name: 'Show as one text' }).click();
    await difference().locator('.cm-mergeView').waitFor({ state: 'detached' });
    await difference().getByRole('button', { name: 'Do not wrap long lines' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Compare with live' }).click();
    await difference().getByRole('button', { name: 'Wrap long lines' }).waitFor();
    await difference().getByRole('button', { name: 'Show side by side' }).click();
    await difference().locator('.cm-mergeView').waitFor();
  });
});

it.skipIf(!hasBrowser)('kept to the policy of the page all the way', () => {
  expect(window.complaints).toEqual([]);
});
