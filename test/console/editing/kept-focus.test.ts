/*
 * Goal: whoever works by keyboard continues where they are: after a save, a publication, a closed dialog and a failure, nothing has
 * to be looked for from the start of the page. What was typed last is saved however fast the shortcut follows.
 * Method: an owner in Chromium by keyboard alone, on a real server.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasBrowser, Window } from '../../support/browser/browser.js';
import { Environment, makeKey } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;
let number = 0;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({});
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken);
});
afterAll(async () => {
  expect(window?.complaints).toEqual([]);
  await window?.close();
  await server?.stop();
});

const editor = () => page.getByRole('textbox', { name: 'Text of version 0.0.0' });
const dialog = () => page.getByRole('dialog');
const act = (name: string) =>
  page.getByRole('region', { name: 'Save' }).getByRole('button', { name });
const hasFocus = (what: Locator) => what.and(page.locator(':focus')).waitFor();

/** Replaces the text, which is in the editor alone for the next tenth of a second. */
async function type(text: string): Promise<void> {
  await editor().focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Leaves the editor for a button of the bar. */
async function goTo(name: string): Promise<void> {
  await page.getByText('No errors').waitFor();
  await act(name).focus();
}

describe.skipIf(!hasBrowser)('on an empty server', () => {
  it.each(['Staging', 'Production'])(
    'the focus is on the screen of %s as soon as it is there',
    async (name) => {
      await page.goto(`${server.adminUrl}/environments`);
      const field = page.getByRole('textbox', { name: 'Name' });
      const button = page.getByRole('button', { name: 'New environment' });
      await field.or(button).waitFor();
      if (await button.isVisible()) await button.press('Enter');
      await field.focus();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await hasFocus(page.getByRole('main'));
    },
  );
});

describe.skipIf(!hasBrowser)('the focus', () => {
  beforeAll(async () => {
    staging = new Environment(server, 'staging', await makeKey(server, 'staging'));
  });
  beforeEach(async () => {
    number += 1;
    await staging.put(`item-${number}`, '{"price":1}');
    await page.goto(`${server.adminUrl}/env/staging/contents/item-${number}`);
    await editor().waitFor();
  });

  it('goes from a saved draft to its publication, and from there to the text', async () => {
    await type('{"price":2}');
    await goTo('Save draft');
    await page.keyboard.press('Enter');
    await page.getByText('Draft r2 saved, not published.').waitFor();
    await hasFocus(act('Publish'));
    await page.keyboard.press('Enter');
    await hasFocus(dialog().getByRole('button', { name: 'Publish', exact: true }));
    await page.keyboard.press('Escape');
    await hasFocus(act('Publish'));
    await page.keyboard.press('Enter');
    await hasFocus(dialog().getByRole('button', { name: 'Publish', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('r2 is live').waitFor();
    await hasFocus(editor());
  });

  it('stays at a save that failed', async () => {
    const saves = '**/contents/item-*?strict=true';
    await page.route(saves, (route) => route.fulfill({ status: 500, body: '' }));
    await type('{"price":2}');
    await goTo('Save draft');
    await page.keyboard.press('Enter');
    await page.getByText('It was not saved').waitFor();
    await hasFocus(act('Save draft'));
    await page.unroute(saves);
    await page.keyboard.press('Enter');
    await page.getByText('Draft r2 saved, not published.').waitFor();
  });

  it('stays in the text while it is saved, however soon after the last key', async () => {
    await type('{"price":2}');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r2 saved, not published.').waitFor();
    await hasFocus(editor());
    await type('{"price":3}');
    await page.keyboard.press('ControlOrMeta+Enter');
    await hasFocus(dialog().getByRole('textbox', { name: 'Note' }));
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('r3 is live').waitFor();
    await hasFocus(editor());
    expect((await staging.plain(`item-${number}`)).text).toContain('"price":3');
  });

  it('leads to errors, whose marks go with what they were about', async () => {
    const marks = page.locator('.cm-lint-marker');
    await type('{ "price": 12OO }');
    await page.getByRole('button', { name: /^Error 1:14 12OO is not a number/ }).waitFor();
    await page.keyboard.press('F8');
    await hasFocus(editor());
    expect(await marks.count()).toBe(1);
    await type('{ "price": 1200 }');
    await page.getByText('No errors').waitFor();
    await expect.poll(() => marks.count()).toBe(0);
  });
});
