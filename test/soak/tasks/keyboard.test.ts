/*
 * Goal: task 12 of the console's study: content is made, fixed and published by keyboard alone, the focus stays where the work is,
 * and no screen on the way has an accessibility violation, light or dark, wide or narrow.
 * Method: an owner in Chromium on the demo, without a mouse; axe-core. After each step, the element that has the focus is checked. The
 * task prints its steps with what the console took for each; `LOADOUT_SOAK_SHOTS=FOLDER` leaves a picture of each.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { narrow, Window, wide } from '../../support/browser/browser.js';
import { PlayedTask } from '../../support/browser/played-task.js';
import { settled } from '../../support/browser/screens.js';
import { Demo } from '../../support/server/demo.js';
import { dialogOf, editorOf, shots } from '../../support/tasks/person.js';

/** More stops than any screen has before what one looks for. */
const stopsMax = 120;

let demo: Demo;
let window: Window;
let page: Page;

beforeAll(async () => {
  demo = await Demo.start();
  window = await Window.open(demo.consoleUrl);
  page = await window.signIn(demo.token, '/env/staging/contents');
  await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
});
afterAll(async () => {
  await window?.close();
  await demo?.stop();
});

const hasFocus = (what: Locator): Promise<void> => what.and(page.locator(':focus')).waitFor();

/** Leaves the editor as its description says. @returns how many presses of Tab it took */
async function tabTo(what: Locator): Promise<number> {
  await what.first().waitFor();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if ((await what.and(page.locator(':focus')).count()) > 0) return stop;
    if ((await page.locator('.cm-content:focus').count()) > 0) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${what}`);
}

it('12: makes and publishes content by keyboard alone, and the focus stays where the work is', async () => {
  const task = new PlayedTask('t12-keyboard', shots);
  const bar = page.getByRole('region', { name: 'Save' });
  const publish = dialogOf(page).getByRole('button', { name: 'Publish', exact: true });
  await task.do(page, 'Ctrl+K', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await hasFocus(page.getByRole('combobox', { name: 'Find or do' }));
  });
  await task.do(page, 'new content, Enter: the dialog', async () => {
    await page.keyboard.type('new content');
    await page.getByRole('option', { name: /^New content item/ }).waitFor();
    await page.keyboard.press('Enter');
    await hasFocus(dialogOf(page).getByRole('textbox', { name: 'Id' }));
  });
  await task.do(page, 'types a name, Enter: the text of the new item', async () => {
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'by-keyboard' }).waitFor();
    await hasFocus(editorOf(page));
  });
  await task.do(page, 'types a text with an error', async () => {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "coins": 12OO }');
    await page.getByRole('button', { name: /^Error 1:14 12OO is not a number/ }).waitFor();
  });
  await task.do(page, 'F8 leads to it; fixes it', async () => {
    await page.keyboard.press('F8');
    await hasFocus(editorOf(page));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "coins": 1200 }');
    await page.getByText('No errors').waitFor();
  });
  await task.do(page, 'Ctrl+S: the draft, still in the text', async () => {
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r1 saved, not published.').waitFor();
    await hasFocus(editorOf(page));
  });
  await task.do(page, 'goes on typing; Tab to Save draft, Enter: at Publish', async () => {
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('// doubled on Friday');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    const stops = await tabTo(bar.getByRole('button', { name: /^Save draft/ }));
    expect(stops).toBeLessThan(10);
    await page.keyboard.press('Enter');
    await page.getByText('Draft r2 saved, not published.').waitFor();
    await hasFocus(bar.getByRole('button', { name: /^Publish/ }));
  });
  await task.do(page, 'Enter, and Escape: back at Publish', async () => {
    await page.keyboard.press('Enter');
    await hasFocus(publish);
    await page.keyboard.press('Escape');
    await hasFocus(bar.getByRole('button', { name: /^Publish/ }));
  });
  await task.do(page, 'Enter twice: published, back in the text', async () => {
    await page.keyboard.press('Enter');
    await hasFocus(publish);
    await page.keyboard.press('Enter');
    await page.getByText('r2 is live').waitFor();
    await hasFocus(editorOf(page));
  });
  await task.do(page, 'types, Ctrl+Enter twice: published, still in the text', async () => {
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText(' and Saturday');
    await page.keyboard.press('ControlOrMeta+Enter');
    await hasFocus(dialogOf(page).getByRole('textbox', { name: 'Note' }));
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('r3 is live').waitFor();
    await hasFocus(editorOf(page));
  });
  console.log(task.toString());
});

it.each(
  ['contents', 'contents/shop', 'contents/shop/mapping', 'contents/shop/history'].flatMap((path) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ path, colorScheme })),
  ),
)(
  '12: has no violation and no side scrolling on $path, $colorScheme',
  async ({ path, colorScheme }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(new URL(`/env/staging/${path}`, demo.consoleUrl).href);
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport);
      await settled(page);
      expect(await accessibilityFaults(page)).toEqual([]);
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      await expect.poll(() => page.evaluate(beyond)).toBe(0);
    }
    await page.setViewportSize(wide);
  },
);

it('12: no two buttons of the targeting are both called "Add rule"', async () => {
  await page.goto(new URL('/env/staging/contents/shop/mapping', demo.consoleUrl).href);
  await page.getByRole('button', { name: /^4 / }).click();
  await page.getByRole('button', { name: 'Add condition' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Add rule', exact: true }).count()).toBe(1);
});
