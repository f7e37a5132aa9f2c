/** Text search in the console: from the list and the palette to the line of a text, live or draft. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window } from '../support/browser/browser.js';
import { Demo } from '../support/server/demo.js';

let demo: Demo;
let window: Window;
let page: Page;

async function saveDraft(id: string, text: string): Promise<void> {
  const response = await fetch(
    new URL(`/admin/v1/environments/staging/contents/${id}`, demo.consoleUrl),
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text, publish: false }),
    },
  );
  expect(response.status).toBe(200);
}

beforeAll(async () => {
  if (!hasBrowser) return;
  demo = await Demo.start();
  await saveDraft('heroes', '{\n  // Without the others.\n  "only": "a zeppelin"\n}');
  window = await Window.open(demo.consoleUrl);
  page = await window.signIn(demo.token, '/env/staging/contents');
});
afterAll(async () => {
  await window?.close();
  await demo?.stop();
});

async function search(text: string): Promise<void> {
  const query = new URLSearchParams({ q: text });
  await page.goto(new URL(`/env/staging/search?${query}`, demo.consoleUrl).href);
}

describe.skipIf(!hasBrowser)('a search of texts', () => {
  it('is offered by the list where no id matches', async () => {
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('lamplighter');
    await page.getByRole('link', { name: 'Search texts instead' }).click();
    await page.waitForURL(/\/env\/staging\/search\?q=lamplighter$/);
    const english = page.getByRole('region', { name: 'localisation-en' });
    await english
      .getByRole('link', { name: /^\/shop\.bundle\.lamplighter/ })
      .first()
      .waitFor();
    expect(await page.getByRole('searchbox', { name: 'Text' }).inputValue()).toBe('lamplighter');
    await page.getByText(/^\d+ hits in \d+ content items$/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('leads to the line of the text', async () => {
    const english = page.getByRole('region', { name: 'localisation-en' });
    await english.getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'localisation-en' }).waitFor();
    const line = page.locator('.cm-activeLine', { hasText: 'shop.bundle.lamplighter' });
    await line.waitFor();
    const focused = page
      .getByRole('textbox', { name: /^Text of version/ })
      .and(page.locator(':focus'));
    await focused.waitFor();
  });

  it('leads to drafts, and to what is live where the draft differs', async () => {
    await search('zeppelin');
    const region = page.getByRole('region', { name: 'heroes' });
    await region
      .getByRole('link', { name: /^\/only Draft draft r\d+, version 0\.0\.0, line 3/ })
      .click();
    await page.locator('.cm-activeLine', { hasText: 'zeppelin' }).waitFor();
    await search('tide');
    await region
      .getByRole('link', { name: /live r2/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: /^Revision 2/ });
    await dialog.locator('.cm-line', { hasText: 'tide' }).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('finds conditions and values of rules, and opens the rule', async () => {
    await search('navigator-price');
    const region = page.getByRole('region', { name: 'shop' });
    await region
      .getByRole('link', { name: /rule navigator-price/ })
      .first()
      .click();
    await page.waitForURL(/\/contents\/shop\/mapping\?rule=3$/);
  });

  it('starts from the palette with what was typed there', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Find or do' }).fill('zeppelin');
    await page.getByRole('option', { name: /^Search texts for “zeppelin”/ }).click();
    await page.getByRole('region', { name: 'heroes' }).waitFor();
  });

  it('searches while one types, and says when there is nothing', async () => {
    await page.getByRole('searchbox', { name: 'Text' }).fill('no such thing');
    await page.getByRole('heading', { name: 'No text contains it' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('shows more hits than fit on a page when asked', async () => {
    await search('e');
    const status = page.getByText(/^More than \d+ hits/);
    await status.waitFor();
    const before = Number(/\d+/.exec(await status.innerText()));
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(`More than ${before * 2} hits`).waitFor();
  });

  it('fits on a phone', async () => {
    const phone = await Window.open(demo.consoleUrl, { viewport: narrow, colorScheme: 'dark' });
    const tab = await phone.signIn(demo.token, '/env/staging/search?q=lamplighter');
    await tab.getByRole('region', { name: 'localisation-en' }).waitFor();
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(narrow.width);
    expect(await accessibilityFaults(tab)).toEqual([]);
    await phone.close();
  });

  it('leaves nothing in the log of the browser', () => {
    expect(window.complaints).toEqual([]);
  });
});
