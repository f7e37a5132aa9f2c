/** No screen keeps people out: axe-core on each, in both colour schemes and at both widths; and all of it by keyboard. */
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
  ['light', wide],
  ['dark', narrow],
] as const)('in %s', (colorScheme, viewport) => {
  let window: Window;
  let page: Page;
  beforeAll(async () => {
    window = await Window.open(demo.consoleUrl, { colorScheme, viewport });
    page = await window.signIn(demo.token);
  });
  afterAll(() => window?.close());

  it('sign-in has no serious fault', async () => {
    const stranger = await Window.open(demo.consoleUrl, { colorScheme, viewport });
    const door = await stranger.tab();
    await door.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await accessibilityFaults(door)).toEqual([]);
    await stranger.close();
  });

  it.each(screens)(
    '$name has no serious fault, and is not wider than the window',
    async (screen) => {
      await open(screen);
      expect(await accessibilityFaults(page)).toEqual([]);
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(beyond)).toBe(0);
    },
  );

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
