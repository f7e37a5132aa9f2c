/*
 * Goal: who publishes sees what it does to ten thousand users, of the source that they choose, and what lay unsaved for days.
 * Method: edits in Chromium, on a real server whose requests are real.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';
import { send } from '../../support/wire/exchange.js';

let server: LoadoutServer;
let game: Environment;
let window: Window;
let page: Page;

const priced = (price: number) => [
  { segment: 'french', when: { country: 'FR' }, merge: { price } },
];

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ listeners: 1, flags: ['--last-used-seconds', '1'] });
  game = await makeEnvironment(server, 'game');
  await game.put('shop', '{"price":4.99}', { mapping: priced(3.99) });
  await game.put('shop', '{"price":4.99}', { mapping: priced(2.99), publish: false });
  window = await Window.open(server.adminUrl, { viewport: wide });
  page = await window.signIn(ownerToken, '/env/game/contents/shop/preview');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const effect = (): Locator =>
  dialog().getByRole('region', { name: 'Who gets something different' });
const source = (name: RegExp): Locator => effect().getByRole('radio', { name });
const openDialog = async (): Promise<void> => {
  await page.getByRole('button', { name: /^Publish/ }).click();
  await dialog().getByText('Publish draft r2').waitFor();
};
const cancel = (): Promise<void> =>
  dialog().getByRole('button', { name: 'Cancel', exact: true }).click();

/** A fourth of them in France. */
async function play(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const p = { country: at % 4 === 0 ? 'FR' : 'DE', accountId: `secret-${at}` };
    expectDone(await game.wrapped('shop', { u: `secret-${at}`, p }));
  }
}

describe.skipIf(!hasBrowser)('the effect of publishing', () => {
  it('is counted on users that were pasted in the Preview tab, and stay there', async () => {
    await page.getByText('Many users').click();
    await page.getByRole('textbox', { name: 'User contexts' }).click();
    const line = (country: string, at: number) => `{"u":"p${at}","p":{"country":"${country}"}}`;
    await page.keyboard.insertText([...'abc'].map((_, at) => line('DE', at)).join('\n'));
    await page.keyboard.insertText(`\n${line('FR', 4)}`);
    await page.getByRole('button', { name: 'Count 4' }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Count 4' }).waitFor();

    await openDialog();
    await effect().getByText('Pasted (4)').click();
    await effect().getByText('25 % of 4 pasted users would get something different.').waitFor();
    const places = effect().getByRole('region', { name: 'Values that change for the most users' });
    await places.getByRole('row', { name: '/price 3.99 2.99 25 %' }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await cancel();
  });

  it('is counted on ten thousand made-up users by default, and can be cancelled', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/preview', async (route) => {
      if (route.request().postData()?.includes('"madeUp":10000') === true) await held;
      await route.continue().catch(() => undefined);
    });
    await openDialog();
    await effect()
      .getByText(/% of 1,000 made-up users would get something different\.$/)
      .waitFor();
    await effect().getByText('Counting the rest of 10,000…').waitFor();
    await effect().getByRole('button', { name: 'Stop counting' }).click();
    await effect().getByRole('button', { name: 'Count 10,000' }).waitFor();
    letGo();
    await page.unrouteAll({ behavior: 'wait' });
    await effect().getByRole('button', { name: 'Count 10,000' }).click();
    await effect()
      .getByText(/% of 10,000 made-up users would get something different\.$/)
      .waitFor();
    await effect()
      .getByText(/not a sample of your players/)
      .waitFor();
    expect(await source(/^Recent requests/).isDisabled()).toBe(true);
    await cancel();
  });

  it('is counted on recent requests once an owner has them sampled', async () => {
    await page.goto(new URL('/environments/game', server.adminUrl).href);
    await page.getByRole('button', { name: 'Actions for game' }).click();
    await page.getByRole('menuitem', { name: 'Request data…' }).click();
    await dialog().getByRole('radio', { name: 'Also a sample of contexts' }).check();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('a sample of requests is kept', { exact: true }).waitFor();
    await play(200);
    await eventually('the contexts are known', 20_000, async () => {
      const { json } = await send(server.adminUrl, `${game.path}/preview`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${ownerToken}` },
        body: '{"id":"shop","sampled":true}',
      });
      return json.contexts === 200;
    });
    await page.goto(new URL('/env/game/contents/shop', server.adminUrl).href);
    await openDialog();
    await effect()
      .getByText('25 % of 200 recent requests would get something different.')
      .waitFor();
    expect(await source(/^Recent requests/).isChecked()).toBe(true);
    await effect()
      .getByText(/players who play more often count more often/)
      .waitFor();
    expect(await effect().textContent()).not.toContain('secret');
    await cancel();
  });

  it('comes with the warnings of a release, above the button that makes it live', async () => {
    const when = { plaform: 'ios' };
    const mapping = [{ segment: 'ios', when, merge: { price: 1 } }];
    await game.put('hats', '{"price":1}', { mapping, publish: false });
    const body = { title: 'Hats', changes: [{ kind: 'content', id: 'hats' }] };
    const { release } = expectDone(await server.admin('POST', `${game.path}/releases`, body)).json;
    await page.goto(new URL(`/env/game/releases/${release}`, server.adminUrl).href);
    await page.getByRole('button', { name: /^Go live/ }).click();
    await dialog()
      .getByText(/has the attribute "plaform", and no request of the last 90 days has carried it/)
      .waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await cancel();
    await page.goto(new URL('/env/game/contents/shop', server.adminUrl).href);
  });

  it('is beside a reminder of edits that lay unsaved for days', async () => {
    const editor = page.getByRole('textbox', { name: 'Text of version 0.0.0' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"price":4990000}');
    const name = 'Object.keys(sessionStorage).find((name) => name.startsWith("loadout draft "))';
    await expect.poll(() => page.evaluate(name)).toBeTruthy();
    const eightDaysAgo = Date.now() - 8 * 86_400_000;
    // The page writes it again when it is left.
    await page.addInitScript(
      `const name = ${name}; if (name) { const draft = JSON.parse(sessionStorage.getItem(name)); if (!draft.aged) sessionStorage.setItem(name, JSON.stringify({ ...draft, at: ${eightDaysAgo}, aged: true })); }`,
    );
    await page.reload();
    await page.getByText(/We kept your unsaved changes from 8 days ago/).waitFor();
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText(' ');
    await page.getByRole('button', { name: /^Publish/ }).click();
    await dialog().getByText('Of which 1 edit from 8 days ago').waitFor();
    await dialog().getByRole('listitem').getByText('/price', { exact: true }).waitFor();
    expect(window.complaints).toEqual([]);
  });
});
