/** The command palette: finds what there is and does what the screen offers, without a mouse, on phones too. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window } from '../support/browser/browser.js';
import { Demo } from '../support/server/demo.js';

let demo: Demo;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  demo = await Demo.start();
  window = await Window.open(demo.consoleUrl);
  page = await window.signIn(demo.token, '/env/staging/contents');
});
afterAll(async () => {
  await window?.close();
  await demo?.stop();
});

const field = (of: Page) => of.getByRole('combobox', { name: 'Find or do' });
const option = (of: Page, name: RegExp) => of.getByRole('option', { name });

async function openPalette(of: Page): Promise<void> {
  await of.keyboard.press('ControlOrMeta+k');
  await field(of).waitFor();
}

async function openItem(of: Page, env: string, id: string): Promise<void> {
  await of.goto(new URL(`/env/${env}/contents/${id}`, demo.consoleUrl).href);
  await of.getByRole('heading', { level: 1, name: id }).waitFor();
}

describe.skipIf(!hasBrowser)('the command palette', () => {
  it('opens a content item by some of its letters, and the focus is in the field', async () => {
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await openPalette(page);
    expect(await field(page).and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.type('btlpass');
    await option(page, /^battle-pass.*Content item$/).waitFor();
    expect(await field(page).getAttribute('aria-activedescendant')).toBe(
      await option(page, /^battle-pass/)
        .and(page.locator('[aria-selected="true"]'))
        .getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'battle-pass' }).waitFor();
  });

  it('finds rules with their item, segments, experiments, people and pages', async () => {
    await page.goto(new URL('/env/production/contents', demo.consoleUrl).href);
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await openPalette(page);
    for (const [typed, name] of [
      ['vip-4', /^whales in shop.*Rule$/],
      ['lapsed', /^lapsed.*Segment$/],
      ['lantern message', /^Hour of the lantern message running.*Experiment$/],
      ['mei', /^Mei Tanaka editor.*Person$/],
      ['calendar', /^Calendar.*Page$/],
      ['staging', /^Staging.*Environment$/],
    ] as const) {
      await field(page).fill(typed);
      await option(page, name).waitFor();
    }
    await field(page).fill('vip-4');
    await option(page, /^whales in shop/).click();
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    await page.waitForURL(/\/contents\/shop\/mapping\?rule=1$/);
  });

  it('gives the focus back when Escape closes it, and its keys open it from a text', async () => {
    await openItem(page, 'staging', 'heroes');
    const editor = page.getByRole('textbox', { name: 'Text of version 0.0.0' });
    await editor.click();
    await openPalette(page);
    await page.keyboard.press('Escape');
    await field(page).waitFor({ state: 'detached' });
    await editor.and(page.locator(':focus')).waitFor();
  });

  it('does what the screen offers, and says why it cannot', async () => {
    await openItem(page, 'staging', 'heroes');
    await openPalette(page);
    await field(page).fill('save draft');
    const save = option(page, /^Save draft Nothing to save\./);
    await save.waitFor();
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    await field(page).fill('compare');
    await option(page, /^Compare with live/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /^Compare/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps the content item where it opens another environment', async () => {
    await openItem(page, 'staging', 'heroes');
    await openPalette(page);
    await field(page).fill('production');
    await option(page, /^Production Open in/).click();
    await page.waitForURL(/\/env\/production\/contents\/heroes$/);
  });

  it('lists first what was opened last, and marks unsaved edits', async () => {
    await openItem(page, 'staging', 'economy');
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('// mine');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await openItem(page, 'staging', 'levels');
    await openPalette(page);
    const recent = page.getByRole('group', { name: 'Opened last' }).getByRole('option');
    await recent.first().waitFor();
    // Not the one that is shown.
    const [first = ''] = await recent.allInnerTexts();
    expect(first).toMatch(/^economy draft/);
    await option(page, /^economy.*Unsaved/).click();
    await page.getByRole('heading', { level: 1, name: 'economy' }).waitFor();
  });

  it('lists the keys of the screen with a question mark, except where it is typed', async () => {
    await openItem(page, 'staging', 'heroes');
    await page.getByRole('tab', { name: 'Text', exact: true }).focus();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: /^Keyboard shortcuts/ });
    await help.getByRole('row', { name: /^Publish…/ }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await openPalette(page);
    await page.keyboard.type('why?');
    expect(await field(page).inputValue()).toBe('why?');
    await page.keyboard.press('Escape');
  });

  it.each(['light', 'dark'] as const)('has no faults of accessibility, %s', async (colorScheme) => {
    const other = await Window.open(demo.consoleUrl, { colorScheme });
    const tab = await other.signIn(demo.token, '/env/staging/contents');
    await openPalette(tab);
    await option(tab, /^New content item…/).waitFor();
    expect(await accessibilityFaults(tab)).toEqual([]);
    await field(tab).fill('shop');
    await option(tab, /^shop/).first().waitFor();
    expect(await accessibilityFaults(tab)).toEqual([]);
    await other.close();
  });

  it('works on a phone, by its button', async () => {
    const phone = await Window.open(demo.consoleUrl, { viewport: narrow });
    const tab = await phone.signIn(demo.token, '/env/staging/contents');
    await tab.getByRole('button', { name: 'Find or do…' }).click();
    await field(tab).fill('features');
    await option(tab, /^features/)
      .first()
      .waitFor();
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(narrow.width);
    expect(await accessibilityFaults(tab)).toEqual([]);
    await tab.getByRole('button', { name: 'Close', exact: true }).click();
    await field(tab).waitFor({ state: 'detached' });
    await phone.close();
  });

  it('leaves nothing in the log of the browser', () => {
    expect(window.complaints).toEqual([]);
  });
});
