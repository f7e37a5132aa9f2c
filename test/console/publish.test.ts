/*
 * Goal: who publishes knows what it does to whom, and reads every open warning beside the button: for an edit, a draft
 * from the history, and a roll-back. Nothing that is asked for this keeps anybody from publishing.
 * Method: a content with a live test that no sample user is in, in Chromium, on a real server.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window, wide } from '../support/browser/browser.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

const gems = (salt: string, more: object = {}) => ({
  ...{ segment: 'gems', when: { country: 'DE', '@u': { $ne: '' } }, salt },
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'more', groups: [500, 999], merge: { gems: 2 } },
  ],
  ...more,
});

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.put('shop', '{"gems":1}', { mapping: [gems('a')] });
  for (const name of ['Ada', 'Grace']) {
    const context = { u: name.toLowerCase(), p: { country: 'US' } };
    expectDone(await server.admin('PUT', `${staging.path}/sample-users/${name}`, context));
  }
  window = await Window.open(server.adminUrl, { viewport: wide });
  page = await window.signIn(ownerToken, '/env/staging/contents/shop/mapping');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const publishButton = (): Locator => dialog().getByRole('button', { name: 'Publish', exact: true });
const effect = (): Locator =>
  dialog().getByRole('region', { name: 'Who gets something different' });

/** The share that is said of the test's users, in per cent. */
async function movedShare(): Promise<number> {
  const words = effect().getByText(
    /^Test gems: of the [\d,]+ users in it, \d+ % would see another/,
  );
  return Number(/(\d+) % would/.exec((await words.textContent()) ?? '')?.[1]);
}

/** It stands in the window as it is, above the button: nothing covers it, and its list is not scrolled. */
async function expectAboveButton(warning: Locator, button: Locator): Promise<void> {
  // Waits until the dialog has come to rest.
  await button.click({ trial: true });
  await warning.click({ trial: true });
  const lists = '[...document.querySelectorAll("[role=dialog] ul")]';
  expect(await page.evaluate(`${lists}.map((list) => list.scrollTop)`)).not.toContainEqual(
    expect.toSatisfy((top: number) => top > 0),
  );
  const [shown, below] = [await warning.boundingBox(), await button.boundingBox()];
  if (shown === null || below === null) throw new Error('They are not shown.');
  expect(shown.y).toBeGreaterThanOrEqual(0);
  expect(shown.y + shown.height).toBeLessThanOrEqual(below.y);
  expect(below.y + below.height).toBeLessThanOrEqual(wide.height);
}

/** At the end of the text, which is open. */
async function retype(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText(text);
}

const saltWarning = (): Locator =>
  dialog().getByText(/^Rule 1, salt: of the users in the live test "gems", about 50\.0 %/i);

describe.skipIf(!hasBrowser)('publishing', () => {
  it('says whom a new salt of a live test moves, though no sample user is in it', async () => {
    await page.getByRole('textbox', { name: 'Assignment seed' }).fill('b');
    await page.getByRole('textbox', { name: 'Assignment seed' }).blur();
    await page.getByRole('button', { name: /^Publish/ }).click();
    await effect()
      .getByText(/^\d+ % of 10,000 made-up users would get/)
      .waitFor();
    expect(Math.abs((await movedShare()) - 50)).toBeLessThan(9);
    await effect().getByText('No change for the 2 sample users.').waitFor();
    await effect()
      .getByText(/not a sample of your players/)
      .waitFor();
  });

  it('repeats the warnings above the button, in view', async () => {
    await expectAboveButton(saltWarning(), publishButton());
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('repeats them for a draft that was saved', async () => {
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Save draft/ }).click();
    await page.getByText('Draft r2').first().waitFor();
    await page.getByRole('button', { name: /^Publish/ }).click();
    await dialog().getByText('Publish draft r2').waitFor();
    await expectAboveButton(saltWarning(), publishButton());
    expect(Math.abs((await movedShare()) - 50)).toBeLessThan(9);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('repeats them in the history, and shows the effect of publishing from there', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Publish r2' }).click();
    await expectAboveButton(saltWarning(), publishButton());
    expect(Math.abs((await movedShare()) - 50)).toBeLessThan(9);
    await publishButton().click();
    await page.getByText('Live r2').first().waitFor();
  });

  it('shows the effect of a roll-back', async () => {
    await page.getByRole('button', { name: 'Roll back to r1' }).click();
    const button = dialog().getByRole('button', { name: 'Roll back', exact: true });
    await expectAboveButton(saltWarning(), button);
    expect(Math.abs((await movedShare()) - 50)).toBeLessThan(9);
    await effect().getByText('No change for the 2 sample users.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('repeats warnings of the text, of each line, and of callers without a user id', async () => {
    const mapping = [gems('a', { when: {} })];
    await staging.put('offers', '{"a":1,"a":2,"gems":1}', { mapping, publish: false });
    await staging.put('offers', '{"b":9007199254740993,"gems":1}', {
      appVersion: '2.0.0',
      publish: false,
    });
    await page.goto(new URL('/env/staging/contents/offers', server.adminUrl).href);
    await page.getByRole('button', { name: /^Publish/ }).click();
    await effect()
      .getByText(/^\d+ % of 10,000 made-up users would get/)
      .waitFor();
    for (const words of [
      /^0\.0\.0 · 1:8: .*"a"/,
      /^2\.0\.0 · 1:6: .*9007199254740993/,
      /^Rule 1, when: .*callers without a user id/i,
    ]) {
      await expectAboveButton(dialog().getByText(words), publishButton());
    }
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('sends all typed lines in one preview, and names the sample users whom they reach', async () => {
    await page.goto(new URL('/env/staging/contents/shop', server.adminUrl).href);
    const editor = page.getByRole('textbox', { name: 'Text of version 0.0.0' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"gems":7}');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/preview')) asked.push(request.postData() ?? '');
    });
    await page.getByRole('button', { name: /^Publish/ }).click();
    await effect().getByText('2 of 2 sample users would get something different.').waitFor();
    await effect().getByText('Ada · Grace').waitFor();
    await effect()
      .getByText(/^\d+ % of 10,000 made-up users would get/)
      .waitFor();
    // The first of them are counted before the others.
    const heads = asked.map((body) => JSON.parse(body.split('\n')[0] ?? ''));
    expect(heads).toMatchObject([{ madeUp: 1_000 }, { madeUp: 10_000 }]);
  });

  it('says where the preview fails, and tries again when it is asked to', async () => {
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.route('**/preview', (route) => route.fulfill({ status: 500, body: '{}' }));
    await retype(' ');
    await page.getByRole('button', { name: /^Publish/ }).click();
    await effect()
      .getByText(/The effect on players is unknown: .* You can still publish\./)
      .waitFor();
    expect(await publishButton().isEnabled()).toBe(true);
    await page.unroute('**/preview');
    await effect().getByRole('button', { name: 'Try again' }).click();
    await effect().getByText('2 of 2 sample users would get something different.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('waits for no preview', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/preview', async (route) => {
      await held;
      await route.abort();
    });
    await retype('  ');
    await page.getByRole('button', { name: /^Publish/ }).click();
    await effect().getByText('Trying it on 10,000 made-up users and the sample users…').waitFor();
    await publishButton().click();
    await page.getByText('Live r3').first().waitFor();
    letGo();
    await page.unrouteAll({ behavior: 'wait' });
    expect((await staging.plain('shop')).text).toBe('{"gems":7}');
    expect(window.complaints).toEqual([]);
  });

  it('says once that a content item is new where its text is the same for everybody', async () => {
    await staging.put('news', '{"a":1}', { publish: false });
    await staging.put('tested', '{"gems":1}', { mapping: [gems('b')], publish: false });
    const isNew = dialog().getByText(/ for the first time: nothing of it is live yet\.$/);
    for (const [id, effects] of [
      ['tested', 1],
      ['news', 0],
    ] as const) {
      await page.goto(new URL(`/env/staging/contents/${id}`, server.adminUrl).href);
      await page.getByRole('button', { name: /^Publish/ }).click();
      await isNew.waitFor();
      await publishButton().click({ trial: true });
      expect(await effect().count()).toBe(effects);
      await page.keyboard.press('Escape');
    }
  });
});
