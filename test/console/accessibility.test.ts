/** No screen keeps people out: axe-core on each, at both widths and in both colour schemes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../support/browser/browser.js';
import { type Screen, screens, settled } from '../support/browser/screens.js';
import { Demo } from '../support/server/demo.js';

let demo: Demo;
beforeAll(async () => {
  if (hasBrowser) demo = await Demo.start();
});
afterAll(() => demo?.stop());

describe.skipIf(!hasBrowser).each([
  ['1280', wide],
  ['390', narrow],
] as const)('%s pixels wide', (_, viewport) => {
  let window: Window;
  let page: Page;
  beforeAll(async () => {
    window = await Window.open(demo.consoleUrl, { viewport });
    page = await window.signIn(demo.token);
  });
  afterAll(() => window?.close());

  it('sign-in has no fault', async () => {
    const stranger = await Window.open(demo.consoleUrl, { viewport });
    const door = await stranger.tab();
    await door.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectNoFaults(door);
    await stranger.close();
  });

  it.each(screens)('$name has no fault, and is not wider than the window', async (screen) => {
    await open(screen);
    await expectNoFaults(page);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });

  async function open({ path, act }: Screen): Promise<void> {
    await page.goto(new URL(path, demo.consoleUrl).href);
    await settled(page);
    await act?.(page);
    await settled(page);
  }
});

/** The console follows the scheme of the system, also while it is open. */
async function expectNoFaults(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    // Colours on their way from one scheme to the other are those of neither.
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
    expect(await accessibilityFaults(page), colorScheme).toEqual([]);
  }
}
