/** The whole life of a content, as somebody in live-ops lives through it in the console. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let production: Environment;
let window: Window;
let page: Page;

const newcomer = { u: 'ada', p: { level: 1 } };
const veteran = { u: 'grace', p: { level: 40 } };

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  production = await makeEnvironment(server, 'production');
  await server.admin('PATCH', '/admin/v1/environments/production', { protected: true });
  window = await Window.open(server.adminUrl);
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

/** Replaces what is in a code editor, by keys alone. */
async function type(name: string | RegExp, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const go = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();
const press = (name: string | RegExp): Promise<void> => page.getByRole('button', { name }).click();
const tab = (name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();
const choose = async (name: string, label: string): Promise<void> => {
  await page.getByRole('combobox', { name }).selectOption({ label });
};
const dialog = () => page.getByRole('dialog');

describe.skipIf(!hasBrowser)('a content', () => {
  it('is reached by signing in', async () => {
    page = await window.tab();
    await page.getByRole('textbox', { name: 'Token' }).fill('lot_no-such-token-at-all');
    await press('Sign in');
    await page.getByText('Unknown or revoked token.').waitFor();
    await page.getByRole('textbox', { name: 'Token' }).fill(ownerToken);
    await press('Sign in');
    await press(/^Signed in as/);
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('is created as a draft, which no player gets', async () => {
    await page.goto(new URL('/env/staging/contents', server.adminUrl).href);
    await page.getByRole('button', { name: 'New content' }).first().click();
    await dialog().getByRole('textbox', { name: 'Id' }).fill('shop');
    await dialog().getByRole('button', { name: 'Open the editor' }).click();
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    await page.getByText('No errors').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r1').first().waitFor();
    expect((await staging.plain('shop')).status).toBe(404);
  });

  it('tells an error where it is, and takes the text when it is mended', async () => {
    await type('Text of version 0.0.0', '{\n  // in dollars\n  "price": 4.90\n  "gems": 100\n}\n');
    const fault = page.getByRole('button', { name: /^Error 4:3 / });
    await fault.waitFor();
    expect(await page.getByRole('button', { name: /^Save draft/ }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Publish/ }).isDisabled()).toBe(true);
    await fault.click();
    await page.locator('.cm-editor.cm-focused').waitFor();
    // The fault leads to its place, before the key: there the comma is missing from the line above.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await page.keyboard.type(',');
    await page.getByText('No errors').waitFor();
    await page.getByRole('textbox', { name: 'Note on this save' }).fill('A first shop.');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r2').first().waitFor();
    const saved = await server.admin('GET', `${staging.path}/contents/shop`);
    expect(saved.json).toMatchObject({ revision: 2, live: null, note: 'A first shop.' });
    expect(saved.json.lines[0].text).toBe(
      '{\n  // in dollars\n  "price": 4.90,\n  "gems": 100\n}\n',
    );
  });

  it('is for a segment, which is built by clicking', async () => {
    await go('Segments');
    await page.getByRole('button', { name: 'New segment' }).first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('veterans');
    await press('Choose its players');
    await page.getByRole('heading', { level: 1, name: 'veterans' }).waitFor();
    await press('Add condition');
    await page.getByRole('combobox', { name: 'Attribute of condition 1' }).fill('level');
    await page.keyboard.press('Escape');
    await choose('Operator of condition 1', 'is at least');
    await choose('Kind of the value of condition 1', 'number');
    await page.getByRole('textbox', { name: 'Value of condition 1' }).fill('20');
    await press('Create segment');
    await page.getByText('New, not saved yet').waitFor({ state: 'detached' });
    const saved = await server.admin('GET', `${staging.path}/segments/veterans`);
    expect(saved.json.when).toEqual({ level: { $gte: 20 } });
  });

  it('gets a rule for the segment, and an A/B test with a salt of its own', async () => {
    await go('Content');
    await go('shop');
    await tab('Targeting');
    await press('Add rule');
    await page.getByRole('menuitem', { name: 'Change for some players' }).click();
    const rule = page.getByRole('region', { name: /^Rule 1/ });
    await rule.getByText('Segment', { exact: true }).first().click();
    await rule.getByRole('combobox').first().click();
    await page.getByRole('option', { name: /^veterans/ }).click();
    await rule.getByText('Source', { exact: true }).click();
    await type(/^Change some values/, '{ "price": 3.90 }');
    await rule.getByText('Preview of this change').waitFor();
    await press('Add rule');
    await page.getByRole('menuitem', { name: 'A/B test' }).click();
    const test = page.getByRole('region', { name: /^Rule 2/ });
    await test.getByRole('textbox', { name: 'Name', exact: true }).fill('more-gems');
    await page.getByRole('region', { name: 'Rule 2, more-gems' }).waitFor();
    await test.getByText('Source', { exact: true }).click();
    await type('Change some values of variant-b', '{ "gems": 150 }');
    // By keys: from halves to 60 to 40.
    const boundary = test.getByRole('slider', { name: /^Boundary/ });
    await boundary.focus();
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('PageUp');
    await test.getByText('60.0 %').first().waitFor();
    const salt = await test.getByRole('textbox', { name: 'Assignment seed' }).inputValue();
    expect(salt).toMatch(/^shop-/);
    await page.getByRole('textbox', { name: 'Note on this save' }).fill('Veterans pay less.');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r3').first().waitFor();
    const { mapping } = (await server.admin('GET', `${staging.path}/contents/shop`)).json;
    expect(mapping).toMatchObject([
      { segment: 'veterans', merge: { price: 3.9 } },
      {
        segment: 'more-gems',
        salt,
        variants: [
          { name: 'control', groups: [0, 599] },
          { name: 'variant-b', groups: [600, 999], merge: { gems: 150 } },
        ],
      },
    ]);
  });

  it('is previewed for two users', async () => {
    await tab('Preview');
    const price = (value: string) =>
      page.getByRole('region', { name: 'Delivered data' }).getByText(`"price": ${value}`);
    await page.getByRole('textbox', { name: 'User id' }).fill(newcomer.u);
    await page.getByText('JSON', { exact: true }).first().click();
    await type(/^Attributes/, JSON.stringify(newcomer.p));
    await price('4.90').waitFor();
    await page.getByRole('textbox', { name: 'User id' }).fill(veteran.u);
    await type(/^Attributes/, JSON.stringify(veteran.p));
    await price('3.90').waitFor();
    await page.getByText('/price').first().waitFor();
  });

  it('is published, and delivered as the preview said', async () => {
    await page.getByRole('button', { name: /^Publish/ }).click();
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Live r3').first().waitFor();
    const answer = await staging.wrapped('shop', newcomer);
    expect(answer.json.data.price).toBe(4.9);
    expect((await staging.wrapped('shop', veteran)).text).toContain('"price":3.90');
  });

  it('is rolled back with one click', async () => {
    await tab('Text');
    await type('Text of version 0.0.0', '{"price": 9.99}');
    await page.getByText('No errors').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Live r4').first().waitFor();
    expect((await staging.plain('shop')).text).toBe('{"price":9.99}');
    await tab('History');
    await press('Roll back to r3');
    await dialog().getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText('Live r5').first().waitFor();
    expect((await staging.plain('shop')).text).toBe('{"price":4.90,"gems":100}');
  });

  it('is synced to a protected environment, whose name is typed', async () => {
    await page.goto(new URL('/env/production/sync', server.adminUrl).href);
    await page.getByRole('checkbox', { name: 'Select shop' }).waitFor();
    expect((await production.plain('shop')).status).toBe(404);
    await press(/^Review and sync/);
    const confirm = dialog().getByRole('button', { name: /^Sync 1 item/ });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog()
      .getByRole('textbox', { name: /Type production to confirm/ })
      .fill('production');
    await confirm.click();
    await page
      .getByText(/sequence \d+/i)
      .first()
      .waitFor();
    expect((await production.plain('shop')).text).toBe('{"price":4.90,"gems":100}');
  });

  it('has its story in the activity', async () => {
    await page
      .getByRole('navigation', { name: 'Server' })
      .getByRole('link', { name: 'Activity' })
      .click();
    const story = page.getByRole('table', { name: /^Activity/ });
    for (const chapter of [
      /rolled back.*shop/i,
      /published.*shop/i,
      /segment veterans/i,
      /synced/i,
    ]) {
      await story.getByText(chapter).first().waitFor();
    }
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
