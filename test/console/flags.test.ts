/** The flags of a content, by keyboard alone: added, corrected, published, removed, and found again in the history. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let dev: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ listeners: 1 });
  dev = await makeEnvironment(server, 'dev');
  await dev.put('shop', '{"starter":{"price":4.99,"gift":null},"a/b":true}');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken);
  await page.goto(new URL('/env/dev/contents/shop/settings', server.adminUrl).href);
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const flags = () => page.getByRole('region', { name: 'Flags' });
const pointer = (number: number) =>
  page.getByRole('textbox', { name: `Pointer of flag ${number}` });
const saved = async (): Promise<unknown> =>
  (await server.admin('GET', `${dev.path}/contents/shop`)).json.flags;

/** Adds a flag from its button, which leaves the focus in the new field. */
async function add(text: string): Promise<void> {
  const count = await flags().getByRole('listitem').count();
  await flags().getByRole('button', { name: 'Add a flag' }).focus();
  await page.keyboard.press('Enter');
  await pointer(count + 1)
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(text);
}

async function publish(): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Publish/ }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe.skipIf(!hasBrowser)('the flags of a content', () => {
  it('are added one by one, each with the key that a client writes', async () => {
    await flags().getByText('No flags').waitFor();
    await add('/starter/price');
    await flags().getByText('shop/starter/price', { exact: true }).waitFor();
    await add('/a~1b');
    await flags().getByText('shop/a~1b', { exact: true }).waitFor();
    await add('');
    await flags().getByText('shop', { exact: true }).waitFor();
    await publish();
    await page.getByText('Live r2').first().waitFor();
    expect(await saved()).toEqual(['/starter/price', '/a~1b', '']);
  });

  it('say at the field what is wrong, and what has no value', async () => {
    await add('starter');
    await flags().getByText('is not a JSON Pointer: it must be empty or begin with "/"').waitFor();
    expect(await pointer(4).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('button', { name: /^Publish/ }).isDisabled()).toBe(true);
    await pointer(4).fill('/a~1b');
    await flags().getByText('repeats flags[1]').waitFor();
    await pointer(4).fill('/starter/gift');
    await flags().getByText('Warning: "/starter/gift" names null').waitFor();
    expect(await pointer(4).getAttribute('aria-invalid')).toBe(null);
    // Below the pointer is a new button, with its tooltip.
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    // The bar at the end of the window covers no target then.
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('are reached from the list of issues', async () => {
    const issue = page.getByRole('list', { name: 'Errors and warnings' }).getByRole('button');
    await issue.focus();
    await page.keyboard.press('Enter');
    await pointer(4).and(page.locator(':focus')).waitFor();
  });

  it('go by their buttons, and the focus stays in the list', async () => {
    const remove = (number: number) =>
      flags().getByRole('button', { name: new RegExp(`^Remove flag ${number}:`) });
    await remove(4).focus();
    await page.keyboard.press('Enter');
    await remove(3).and(page.locator(':focus')).waitFor();
    await remove(1).focus();
    await page.keyboard.press('Enter');
    await remove(1).and(page.locator(':focus')).waitFor();
    expect(await pointer(1).inputValue()).toBe('/a~1b');
    await publish();
    await page.getByText('Live r3').first().waitFor();
    expect(await saved()).toEqual(['/a~1b', '']);
  });

  it('are warned of in the list of issues and before publishing, beyond those of a bulk evaluation', async () => {
    const many = Array.from({ length: 999 }, (_, n) => `/${n}`);
    const text = JSON.stringify(Object.fromEntries(many.map((flag) => [flag.slice(1), true])));
    await dev.put('wide', text, { flags: many });
    await add('/starter');
    const warning = /lists 1002 flags with this change, and a bulk evaluation has at most 1000: /;
    await page
      .getByRole('list', { name: 'Errors and warnings' })
      .getByRole('button', { name: warning })
      .waitFor();
    await flags().getByText(warning).waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(warning).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await page.getByText('Live r4').first().waitFor();
    expect(await saved()).toEqual(['/a~1b', '', '/starter']);
  });

  it('are part of what the history compares', async () => {
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    await page
      .getByRole('button', { name: /^Flags/ })
      .first()
      .waitFor();
    expect(window.complaints).toEqual([]);
  });
});
