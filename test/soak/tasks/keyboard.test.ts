/*
 * Goal: task 12 of the console's study: content is made, fixed and published by keyboard alone, the focus stays where the work is,
 * and no screen on the way has an accessibility violation, light or dark, wide or narrow.
 * Method: an owner in Chromium on the demo, without a mouse; axe-core. The task prints its steps with what the console took for
 * each; `LOADOUT_SOAK_SHOTS=FOLDER` leaves a picture of each.
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

/** @returns how many presses of Tab it took */
async function tabTo(what: Locator): Promise<number> {
  await what.first().waitFor();
  for (let stop = 0; stop < stopsMax; stop += 1) {
    if ((await what.and(page.locator(':focus')).count()) > 0) return stop;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${what}`);
}

it('12: makes and publishes content by keyboard alone', async () => {
  const task = new PlayedTask('t12-keyboard', shots);
  await task.do(page, 'Ctrl+K', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Find or do' }).waitFor();
  });
  await task.do(page, 'new content, Enter: the dialog', async () => {
    await page.keyboard.type('new content');
    await page.getByRole('option', { name: /^New content item/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialogOf(page).getByRole('textbox', { name: 'Id' }).and(page.locator(':focus')).waitFor();
  });
  await task.do(page, 'types a name, Enter: the editor', async () => {
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'by-keyboard' }).waitFor();
    await editorOf(page).waitFor();
  });
  let stops = 0;
  await task.do(page, 'Tab to the text', async () => {
    stops = await tabTo(editorOf(page));
  });
  console.log(`${stops} stops from the new page to its text`);
  await task.do(page, 'types a text with an error', async () => {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "coins": 12OO }');
    await page.getByRole('button', { name: /^Error 1:14 12OO is not a number/ }).waitFor();
  });
  await task.do(page, 'F8 leads to it; fixes it', async () => {
    await page.keyboard.press('F8');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{ "coins": 1200 }');
    await page.getByText('No errors').waitFor();
  });
  await task.do(page, 'Ctrl+Enter: publish', async () => {
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialogOf(page).waitFor();
  });
  await task.do(page, 'Tab to Publish, Enter', async () => {
    await tabTo(dialogOf(page).getByRole('button', { name: 'Publish', exact: true }));
    await page.keyboard.press('Enter');
    await page.getByText('Live r1').first().waitFor();
    await dialogOf(page).waitFor({ state: 'detached' });
  });
  const focused = 'document.activeElement?.outerHTML.slice(0, 120)';
  console.log(`after publishing, the focus is on ${await page.evaluate(focused)}`);
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
