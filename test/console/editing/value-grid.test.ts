/*
 * Goal: people set prices by variant as values beside each other, and the targeting says it in its own form. What a grid cannot
 * show stays. The text as a variant sees it can be edited, and becomes the smallest change.
 * Method: an editor in Chromium, by mouse and by keyboard, on a real server; the delivery API says what players get.
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

const text = `{
  // what packs cost
  "packs": {
    "pouch": { "price": 4.99, "gems": 1.10 },
    "chest": { "price": 9.99, "gems": 7 }
  },
  "offers": [
    { "id": "spring", "price": 1.50 },
    { "id": "summer", "price": 2.50 }
  ],
  "title": "Harbour"
}
`;

const groups = [
  [0, 332],
  [333, 665],
  [666, 999],
];
const mapping = JSON.stringify(
  [
    {
      ...{ segment: 'pouch-price', when: { '@u': { $ne: '' } }, salt: 'pouch-1' },
      variants: [
        { name: 'cheap', groups: groups[0], merge: {} },
        { name: 'control', groups: groups[1] },
        { name: 'dear', groups: groups[2], merge: {} },
      ],
    },
  ],
  null,
  2,
);

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.put('shop', text, { mapping });
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/shop/mapping');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const grid = (): Locator => page.getByRole('grid', { name: /^Values of/ });
const cell = (place: string, column: string): Locator =>
  grid().getByRole('gridcell', { name: new RegExp(`^${place} of ${column}: `) });
const go = (path: string) => page.goto(new URL(`/env/staging/${path}`, server.adminUrl).href);

const field = (place: string, column: string): Locator =>
  grid().getByRole('textbox', { name: `${place} of ${column}`, exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

/** Row and column of the cell that has the focus. */
const focused = () => page.evaluate('document.activeElement.dataset.at');

async function retype(editor: Locator, wanted: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(wanted);
}

async function faultless(): Promise<void> {
  await settled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
}

async function saveDraft(): Promise<string> {
  const save = page.getByRole('button', { name: /^Save draft/ });
  await expect.poll(() => save.isEnabled()).toBe(true);
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && !isDryRun(response.request().postData()),
  );
  await page.keyboard.press('ControlOrMeta+s');
  await (await saved).finished();
  const { text: json } = await server.admin('GET', `${staging.path}/contents/shop`);
  return json;
}

function isDryRun(body: string | null): boolean {
  return body?.includes('"dryRun":true') === true;
}

describe.skipIf(!hasBrowser)('three prices of a test', () => {
  it('are typed as values beside each other, by keyboard', async () => {
    await page.getByRole('combobox', { name: 'Add a place' }).fill('pouch price');
    await page.getByRole('option', { name: /^\/packs\/pouch\/price/ }).waitFor();
    await page.keyboard.press('Enter');
    // The first variant's cell of the new place has the focus.
    await expect.poll(focused).toBe('0:1');
    await page.keyboard.type('3.990');
    await page.keyboard.press('Tab');
    await cell('/packs/pouch/price', 'cheap').getByText('3.990').waitFor();
    // The control keeps what everybody gets.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('5.99');
    await page.keyboard.press('Enter');
    await cell('/packs/pouch/price', 'dear').getByText('5.99').waitFor();
    await expect.poll(focused).toBe('0:3');
    await faultless();
    const json = await saveDraft();
    expect(json).toContain('"merge": { "packs": { "pouch": { "price": 3.990 } } }');
    expect(json).toContain('"merge": { "packs": { "pouch": { "price": 5.99 } } }');
    expect(JSON.parse(json).mapping[0].variants[1].merge).toBeUndefined();
  });

  it('are delivered to the players of each variant once they are published', async () => {
    await page.getByRole('button', { name: /^Publish…/ }).click();
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    const bodies = new Map<string, string>();
    for (let number = 0; bodies.size < 3; number++) {
      const answer = expectDone(await staging.wrapped('shop', { u: `player-${number}` }));
      bodies.set(answer.json.meta.seg[0].v, answer.text);
    }
    expect(bodies.get('cheap')).toContain('"pouch":{"price":3.990,"gems":1.10}');
    expect(bodies.get('control')).toContain('"pouch":{"price":4.99,"gems":1.10}');
    expect(bodies.get('dear')).toContain('"pouch":{"price":5.99,"gems":1.10}');
  });

  it('can be set for everybody, in the text itself, which keeps its comments', async () => {
    await cell('/packs/pouch/price', 'everybody').click();
    await field('/packs/pouch/price', 'everybody').fill('4.50');
    await page.keyboard.press('Enter');
    await cell('/packs/pouch/price', 'control').getByText('4.50').waitFor();
    expect(JSON.parse(await saveDraft()).lines[0].text).toBe(text.replace('4.99', '4.50'));
    await press('Undo');
    await cell('/packs/pouch/price', 'control').getByText('4.99').waitFor();
  });

  it('are reset by Delete, and come back by Undo', async () => {
    await cell('/packs/pouch/price', 'cheap').focus();
    await page.keyboard.press('Delete');
    await cell('/packs/pouch/price', 'cheap').getByText('as base').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await cell('/packs/pouch/price', 'cheap').getByText('3.990').waitFor();
  });

  it('keep their type: what is no number is not taken as one', async () => {
    await cell('/packs/pouch/price', 'dear').focus();
    await page.keyboard.type('12OO');
    await page.keyboard.press('Enter');
    await grid().getByText('Not a number, such as 3.99.').waitFor();
    await faultless();
    await page.keyboard.press('Escape');
    await cell('/packs/pouch/price', 'dear').getByText('5.99').waitFor();
  });
});

describe.skipIf(!hasBrowser)('a place', () => {
  it('is picked by a click in the text', async () => {
    await press('Pick in the text…');
    await dialog().getByText('"Harbour"').click();
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('1:1');
    await page.keyboard.press('F2');
    await field('/title', 'cheap').fill('Bargains');
    await page.keyboard.press('Enter');
    await cell('/title', 'cheap').getByText('"Bargains"').waitFor();
  });

  it('is picked by Enter at the cursor, in a list: the change becomes operations, and says so', async () => {
    await press('Pick in the text…');
    const shown = dialog().getByRole('textbox', { name: /^Text of version/ });
    await shown.waitFor();
    await dialog().getByText('No value is under the cursor.').waitFor({ state: 'detached' });
    for (let line = 0; line < 8; line++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowLeft');
    await dialog().getByText('/offers/1/price').waitFor();
    await faultless();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await cell('/offers/1/price', 'cheap').click();
    await field('/offers/1/price', 'cheap').fill('0.50');
    await page.keyboard.press('Enter');
    await page.getByText(/cannot set one element of a list.*now a JSON Patch/).waitFor();
    await cell('/title', 'cheap').getByText('"Bargains"').waitFor();
    const variants = JSON.parse(await saveDraft()).mapping[0].variants;
    expect(variants[0].patch).toHaveLength(3);
    expect(variants[0].patch).toContainEqual({
      op: 'replace',
      path: '/offers/1/price',
      value: 0.5,
    });
  });

  it('is hidden again, and the focus stays in the grid', async () => {
    await page.getByRole('combobox', { name: 'Add a place' }).fill('chest price');
    await page.getByRole('option', { name: /^\/packs\/chest\/price/ }).click();
    await expect.poll(focused).toBe('1:1');
    await press('Hide /packs/chest/price');
    await cell('/packs/chest/price', 'cheap').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('1:0');
  });

  it('is removed for a variant, and typed where the text has none', async () => {
    await cell('/title', 'dear').click();
    await grid().getByRole('button', { name: 'Remove' }).click();
    await cell('/title', 'dear').getByText('removed').waitFor();
    await page.getByRole('combobox', { name: 'Add a place' }).fill('/badge');
    await page.keyboard.press('Enter');
    await cell('/badge', 'control').click();
    await page.keyboard.type('new');
    await page.keyboard.press('Enter');
    await cell('/badge', 'control').getByText('"new"').waitFor();
    const variants = JSON.parse(await saveDraft()).mapping[0].variants;
    expect(variants[2].merge.title).toBeNull();
    expect(variants[1].merge).toEqual({ badge: 'new' });
  });

  it('can be seen and edited on a phone, in the dark', async () => {
    await page.setViewportSize(narrow);
    await page.emulateMedia({ colorScheme: 'dark' });
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate(beyond)).toBe(0);
    // What was saved is said above the header, which it covers by half.
    await expect.poll(() => page.getByText(/^Saved as draft/).count(), { timeout: 20_000 }).toBe(0);
    await cell('/badge', 'control').click();
    await faultless();
    await page.keyboard.press('Escape');
    await faultless();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(wide);
  });
});

describe.skipIf(!hasBrowser)('the text as a variant sees it', () => {
  it('is edited, and becomes the smallest change', async () => {
    await page.getByRole('button', { name: 'Edit text… as dear sees it' }).click();
    const seen = dialog().getByRole('textbox', { name: /as dear sees it$/ });
    await seen.getByText('// what packs cost').waitFor();
    await seen.getByText('5.99').waitFor();
    await retype(seen, text.replace('4.99', '5.99').replace('"gems": 7', '"gems": 7.50'));
    await dialog().getByText('2 differences from what everybody gets').waitFor();
    await faultless();
    await dialog().getByRole('button', { name: 'Use this change' }).click();
    await dialog().waitFor({ state: 'detached' });
    await cell('/packs/chest/gems', 'dear').getByText('7.50').waitFor();
    const json = await saveDraft();
    const { merge } = JSON.parse(json).mapping[0].variants[2];
    expect(merge).toEqual({ packs: { pouch: { price: 5.99 }, chest: { gems: 7.5 } } });
    expect(json).toContain('"gems": 7.50');
  });

  it('names other app version lines that the change means something else for', async () => {
    const older = '{"packs": {"pouch": {"price": 2}}}';
    const put = { appVersion: '2.0.0', text, publish: false };
    expectDone(await staging.tryPut('shop', put));
    expectDone(await staging.tryPut('shop', { text: older, publish: false }));
    await go('contents/shop/mapping');
    await page.getByRole('button', { name: 'Edit text… as cheap sees it' }).click();
    const seen = dialog().getByRole('textbox', { name: /as cheap sees it$/ });
    await seen.getByText('"Bargains"').waitFor();
    await retype(seen, text.replace('1.50', '1.25'));
    await dialog()
      .getByText(/does not apply to version 0.0.0/)
      .waitFor();
    await faultless();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText(/The change of cheap does not apply to version 0.0.0/).waitFor();
    await cell('/packs/pouch/price', 'everybody, 0.0.0').getByText('2', { exact: true }).waitFor();
  });
});

describe.skipIf(!hasBrowser)('what a grid cannot show', () => {
  it('is named and stays, and its source can be edited beside it', async () => {
    const patch = [
      { op: 'test', path: '/title', value: 'Harbour' },
      { op: 'remove', path: '/offers/0' },
      { op: 'replace', path: '/packs/chest/price', value: 8 },
    ];
    await staging.put('moves', text, { mapping: [{ segment: 'all', when: {}, patch }] });
    await go('contents/moves/mapping');
    await page.getByText('this rule removes the element /offers/0 (operation 2)').waitFor();
    await cell('/packs/chest/price', 'this rule').click();
    await field('/packs/chest/price', 'this rule').fill('7.0');
    await page.keyboard.press('Enter');
    await cell('/packs/chest/price', 'this rule').getByText('7.0').waitFor();
    await faultless();
    await page.getByText('Source', { exact: true }).click();
    const source = page.getByRole('textbox', { name: /^Patch operations of all/ });
    await source.getByText('/offers/0').waitFor();
    await source.getByText('7.0').waitFor();
    await faultless();
  });
});

describe.skipIf(!hasBrowser)('a test that runs as an experiment', () => {
  it('is asked about before its players change, also when that is one more variant', async () => {
    const arms = JSON.parse(mapping);
    arms[0].variants[0].merge = { title: 'Bargains' };
    await staging.put('runs', text, { mapping: arms });
    const body = { id: 'runs', content: 'runs', segment: 'pouch-price', control: 'control' };
    expectDone(await server.admin('POST', `${staging.path}/experiments`, body));
    expectDone(await server.admin('POST', `${staging.path}/experiments/runs/start`, {}));
    await go('contents/runs/mapping');
    await press('Add variant');
    await page.getByText(/change their variant, join or leave the test/).waitFor();
    await page.getByRole('columnheader', { name: /^variant-d/ }).waitFor();
    await page.getByRole('button', { name: /^Publish…/ }).click();
    await dialog().getByText('This changes a running experiment').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(window.complaints).toEqual([]);
  });
});
