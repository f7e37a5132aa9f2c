/*
 * Goal: a text is edited as a form made from its schema, and keeps every other byte.
 * Method: an editor in Chromium by mouse and keyboard, on a real server that has, and delivers, what was saved.
 */
import type { Locator, Page } from 'playwright-core';
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

const schema = {
  title: 'Shop',
  type: 'object',
  required: ['currency', 'offers'],
  properties: {
    currency: { title: 'Currency', enum: ['gold', 'gems'] },
    seed: { title: 'Seed', type: 'integer' },
    note: { title: 'Note', description: 'For the team.', type: 'string', maxLength: 2000 },
    offers: { title: 'Offers', type: 'array', items: { $ref: '#/$defs/offer' } },
    reward: {
      title: 'Reward',
      oneOf: [
        {
          title: 'Coins',
          type: 'object',
          required: ['kind', 'count'],
          properties: { kind: { const: 'coins' }, count: { type: 'integer', minimum: 1 } },
        },
        {
          title: 'Chest',
          type: 'object',
          required: ['kind', 'chest'],
          properties: { kind: { const: 'chest' }, chest: { type: 'string' } },
        },
      ],
    },
  },
  $defs: {
    offer: {
      type: 'object',
      required: ['id', 'price'],
      properties: {
        id: { type: 'string' },
        price: { title: 'Price', type: 'number', minimum: 0 },
        on: { title: 'On sale', type: 'boolean' },
      },
    },
  },
};
const text = [
  '{\n',
  '  // The weekend begins on Friday.\n',
  '  "seed": 9007199254740993,\n',
  '  "currency": "gold",\n',
  '  "offers": [\n',
  '    { "id": "lamp", "price": 4.90, "on": true },\n',
  '    { "id": "pouch", "price": 1.10, /* was 1.20 */ "on": false }\n',
  '  ],\n',
  '  "reward": { "kind": "coins", "count": 5 },\n',
  '  "extra": {"a": [1.50]}\n',
  '}\n',
].join('');

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.put('shop', text, { schema });
  await staging.put('plain', '{ "a": 1 }');
  await staging.put('many', manyOffers(), { schema });
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/shop');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

function manyOffers(): string {
  const offers = Array.from({ length: 320 }, (_, index) => {
    const detail = 'x'.repeat(1000);
    return `    { "id": "offer-${index}", "price": ${index}.90, "detail": "${detail}" }`;
  });
  return `{\n  "currency": "gold",\n  "offers": [\n${offers.join(',\n')}\n  ]\n}\n`;
}

const show = (name: string): Promise<void> =>
  page
    .getByRole('radiogroup', { name: 'Show the text as' })
    .getByText(name, { exact: true })
    .click();
const section = (pointer: string): Locator => page.locator(`[data-pointer="${pointer}"]`);
const field = (pointer: string): Locator =>
  section(pointer).locator('input, textarea, select').first();
const head = (pointer: string): Locator => section(pointer).locator('[aria-expanded]').first();
const act = async (pointer: string, name: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${pointer}`, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};
const keys = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await page.keyboard.press(name);
};
const focused = (pointer: string): Promise<unknown> =>
  expect
    .poll(() =>
      page.evaluate(
        "document.activeElement.closest('[data-pointer]')?.getAttribute('data-pointer')",
      ),
    )
    .toBe(pointer);
const saved = async (revision: number): Promise<string> => {
  await page.getByRole('button', { name: /^Save draft/ }).click();
  await page.getByText(`Draft r${revision} saved, not published.`).waitFor();
  const { json } = expectDone(await server.admin('GET', `${staging.path}/contents/shop`));
  return json.lines[0].text;
};

describe.skipIf(!hasBrowser)('a form from a schema', () => {
  it('shows a field for each value, accessibly, in light and dark and on a phone', async () => {
    await show('Form');
    await head('').waitFor();
    expect(page.url()).toContain('view=form');
    expect(await field('/currency').inputValue()).toBe('"gold"');
    expect(await field('/seed').inputValue()).toBe('9007199254740993');
    expect(await field('/offers/0/price').count()).toBe(0);
    await page.getByText('Not in the schema; typed as JSON.').waitFor();
    await head('/offers/0').click();
    expect(await field('/offers/0/price').inputValue()).toBe('4.90');
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of [narrow, wide]) {
        await page.setViewportSize(size);
        await settled(page);
        await expect.poll(() => page.evaluate(beyond)).toBe(0);
        expect(await accessibilityFaults(page)).toEqual([]);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('edits by mouse: only the bytes of the values change', async () => {
    await field('/offers/0/price').fill('3.990');
    await field('/currency').selectOption({ label: 'gems' });
    await field('/offers/0/on').uncheck();
    await field('/extra').fill('{"a": [1.50, true]}');
    const edited = text
      .replace('4.90', '3.990')
      .replace('"gold"', '"gems"')
      .replace('"on": true', '"on": false')
      .replace('{"a": [1.50]}', '{"a": [1.50, true]}');
    expect(await saved(2)).toBe(edited);
  });

  it('keeps what is no value out of the text, and says so at the field', async () => {
    await field('/seed').fill('12OO');
    await page.getByText('12OO is not a JSON number. The text keeps the previous value.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await field('/seed').press('Escape');
    expect(await field('/seed').inputValue()).toBe('9007199254740993');
    await field('/offers/0/price').fill('-1');
    await section('/offers/0/price').getByText('Must be >= 0').waitFor();
    await field('/offers/0/price').press('ControlOrMeta+z');
    await expect.poll(() => field('/offers/0/price').inputValue()).toBe('3.990');
    await section('/offers/0/price').getByText('Must be >= 0').waitFor({ state: 'detached' });
  });

  it('adds, moves and removes by keyboard; the focus follows', async () => {
    await page.getByRole('button', { name: 'Add to Offers' }).focus();
    await keys('Enter');
    await focused('/offers/2');
    await keys('Alt+ArrowUp');
    await focused('/offers/1');
    await keys('Enter');
    await field('/offers/1/id').focus();
    await page.keyboard.type('rope');
    await page.getByRole('button', { name: 'Add a member to /offers/1' }).focus();
    await keys('Enter');
    await page.getByRole('menuitem', { name: 'On sale' }).waitFor();
    await keys('ArrowDown', 'Enter');
    await focused('/offers/1/on');
    await keys('Space');
    await section('/offers/1/on').getByText('true').waitFor();
    await act('/offers/0', 'Remove');
    await focused('/offers');
    await act('/extra', 'Remove');
    const after = await saved(3);
    expect(after).toContain('{ "id": "rope", "price": 0, "on": true }');
    expect(after).toContain('// The weekend begins on Friday.');
    expect(after).not.toContain('lamp');
    expect(after).not.toContain('extra');
    expect(after).toContain('"price": 1.10, /* was 1.20 */ "on": false');
  });

  it('takes another form of a value, adds members by name, and undoes both', async () => {
    await page.getByLabel('Form of Reward').selectOption({ label: 'Chest' });
    await field('/reward/chest').fill('wooden');
    await page.getByRole('button', { name: 'Add by name', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name of the member' }).fill('event');
    await keys('Enter');
    await focused('/event');
    await field('/event').fill('{"x": 1}');
    const after = await saved(4);
    expect(after).toContain('{ "kind": "chest", "chest": "wooden" }');
    expect(after).toContain('"event": {"x": 1}');
    await act('/event', 'Remove');
    await section('/event').waitFor({ state: 'detached' });
    // The form takes keys from where the focus goes, a frame after the field is gone.
    await focused('');
    await keys('ControlOrMeta+z');
    await section('/event').waitFor();
  });

  it('takes a form back with its value, and the focus stays near it', async () => {
    const form = page.getByLabel('Form of Reward');
    const chosen = form.locator('option:checked');
    await form.selectOption({ label: 'Coins' });
    await field('/reward/count').press('ControlOrMeta+z');
    await expect.poll(() => field('/reward/chest').inputValue()).toBe('wooden');
    expect(await chosen.textContent()).toBe('Chest');
    await focused('/reward');
    // There is nothing to save: not a byte differs.
    await page.getByText('Draft r4 saved, not published.').waitFor();
  });

  it('goes to the place in the text, and the address opens the section', async () => {
    await act('/offers/1/price', 'Edit in text');
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).waitFor();
    await expect
      .poll(() =>
        page.evaluate(
          'window.getSelection().anchorNode?.parentElement.closest(".cm-line")?.textContent',
        ),
      )
      .toContain('1.10');
    await page.goto(
      new URL('/env/staging/contents/shop?view=form&at=%2Foffers%2F1', server.adminUrl).href,
    );
    expect(await field('/offers/1/price').inputValue()).toBe('1.10');
  });

  it('publishes, and players get what the form has', async () => {
    await field('/offers/1/price').fill('2.50');
    await keys('Tab');
    // The button keeps its place from then on.
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Publish…/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { text: delivered } = expectDone(await staging.plain('shop'));
    expect(delivered).toContain('2.50');
    expect(delivered).toContain('9007199254740993');
  });

  it('is readable and not editable for a viewer', async () => {
    const made = expectDone(
      await server.admin('POST', '/admin/v1/users', { name: 'Jonas', role: 'viewer' }),
    );
    const viewers = await Window.open(server.adminUrl);
    const mine = page;
    try {
      page = await viewers.signIn(made.json.token, '/env/staging/contents/shop?view=form');
      await head('').waitFor();
      await head('/offers/1').click();
      expect(await field('/currency').inputValue()).toBe('gems');
      expect(await field('/offers/1/on').inputValue()).toBe('false');
      await page.getByText('Form: Chest').waitFor();
      const places = page.locator('[data-pointer] :is(input, textarea, select)');
      expect(await places.count()).toBeGreaterThan(6);
      expect(await places.and(page.locator(':read-write, :disabled, select')).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    } finally {
      page = mine;
      await viewers.close();
    }
  });
});

describe.skipIf(!hasBrowser)('where there is no form', () => {
  it('says how to make a schema, and where the text is broken', async () => {
    await page.goto(new URL('/env/staging/contents/plain?view=form', server.adminUrl).href);
    await page.getByRole('heading', { name: 'There is no schema' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the settings' }).click();
    await page.getByRole('button', { name: 'Make a schema from the text' }).click();
    await page.getByText('The schema is a draft').waitFor();
    await page.getByRole('tab', { name: 'Text', exact: true }).click();
    await show('Form');
    await field('/a').fill('2');
    await show('Text');
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
    await keys('ControlOrMeta+a');
    await page.keyboard.insertText('{\n"a": 12OO }');
    await show('Form');
    await page.getByRole('heading', { name: 'The text has an error' }).waitFor();
    await page.getByRole('button', { name: 'Go to line 2' }).click();
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).waitFor();
  });

  it('opens 320 offers of 350 KB by pages', async () => {
    await page.goto(new URL('/env/staging/contents/many?view=form', server.adminUrl).href);
    await head('/offers').click();
    await page.getByText('1 to 25 of 320 elements').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('26 to 50 of 320 elements').waitFor();
    await page.getByRole('textbox', { name: 'Filter the elements of Offers' }).fill('offer-319');
    await head('/offers/319').click();
    expect(await field('/offers/319/price').inputValue()).toBe('319.90');
  });
});
