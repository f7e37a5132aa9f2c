/*
 * Goal: a wrong digit is caught before players get it: the console shows what any player could get, asks before it sends
 * what stands out, and keeps guards. What is confirmed goes out; what needs a second person becomes a release.
 * Method: an editor, and a reviewer, in Chromium, on a real server. The delivery API says what players get.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;
/** Tokens of the editor and of the reviewer. */
let mei: string;
let nora: string;

/** @returns a token of theirs */
async function makeUser(name: string): Promise<string> {
  const made = await server.admin('POST', '/admin/v1/users', { name, role: 'editor' });
  const path = `/admin/v1/users/${expectDone(made).json.id}/tokens`;
  return expectDone(await server.admin('POST', path, { label: 'test' })).json.token;
}

const textOf = (price: number): string => JSON.stringify({ price, title: 'Pouch' });

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  const mapping = [{ segment: 'whales', when: { spent: { $gte: 10 } }, merge: { price: 5_500 } }];
  await staging.put('shop', textOf(4_990), { mapping });
  mei = await makeUser('mei');
  nora = await makeUser('nora');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(mei, '/env/staging/contents/shop');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const go = (path: string) => page.goto(new URL(path, server.adminUrl).href);
const openPublish = () => page.getByRole('button', { name: /^Publish…/ }).click();
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const price = async (): Promise<number> => JSON.parse((await staging.plain('shop')).text).price;

/** In place of the text of the only version line. */
async function retype(text: string): Promise<void> {
  await page.getByRole('tab', { name: 'Text' }).click();
  await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Right edge in pixels. */
function endOf(box: { readonly x: number; readonly width: number } | null): number {
  if (box === null) throw new Error('It is not on the page.');
  return box.x + box.width;
}

async function expectClosed(): Promise<void> {
  await dialog().waitFor({ state: 'detached' });
}

async function setGuards(guards: readonly object[]): Promise<void> {
  expectDone(await server.admin('PUT', `${staging.path}/contents/shop`, { guards }));
}

describe.skipIf(!hasBrowser)('a price with three zeros too many', () => {
  it('is found before it is published, with the values before and after', async () => {
    await retype(textOf(4_990_000));
    await openPublish();
    await dialog()
      .getByText(/\/price .*5,500 to 4,990,000: more than a factor of 10/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Publish with these values' }).waitFor();
    expect(await dialog().getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('is not published by the shortcut', async () => {
    await page.keyboard.press('ControlOrMeta+Enter');
    await press('Cancel');
    await expectClosed();
    expect(await price()).toBe(4_990);
  });

  it('is marked in the Values tab, above everything that stays as it is', async () => {
    await page.getByRole('tab', { name: 'Values' }).click();
    const table = page.getByRole('table', { name: 'Values of shop' });
    const first = table.getByRole('row').nth(1);
    await first.getByText('/price', { exact: true }).waitFor();
    // On a narrow screen the values are in the cell of the path.
    const values = first.getByRole('cell').nth(1);
    await values.getByText('5,500 … 4,990,000', { exact: true }).waitFor();
    await first.getByText('4,990 … 5,500', { exact: true }).waitFor();
    await values
      .getByText('5,500: rule whales, version 0.0.0 · 4,990,000: version 0.0.0')
      .waitFor();
    await first.getByText('warning').waitFor();
    await page.getByRole('textbox', { name: 'Filter by path' }).fill('titl');
    await page.getByText(/^1 of \d paths/).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize(narrow);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate(beyond)).toBe(0);
    await page.setViewportSize(wide);
  });

  it('is corrected, and published as usual', async () => {
    await retype(textOf(4_890));
    await openPublish();
    await press('Publish');
    await expectClosed();
    expect(await price()).toBe(4_890);
  });
});

describe.skipIf(!hasBrowser)('a guard', () => {
  it('is made from a value, with the bounds that players have now', async () => {
    await page.getByRole('tab', { name: 'Values' }).click();
    const opener = page.getByRole('button', { name: 'Guard this value: /price' });
    const [button, table] = [
      await opener.boundingBox(),
      await page.getByRole('table').boundingBox(),
    ];
    expect(endOf(button), 'the button is in sight as a whole').toBeLessThanOrEqual(endOf(table));
    await opener.click();
    const guard = page.getByRole('group', { name: 'Guard 1' });
    const field = (name: string): Locator => guard.getByRole('textbox', { name, exact: true });
    expect(await field('Min').inputValue()).toBe('4890');
    expect(await field('Max').inputValue()).toBe('5500');
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await field('Min').fill('9000');
    await guard.getByText('"min" must not be above "max"').waitFor();
    await field('Min').fill('100');
    await page.getByRole('button', { name: /^Save draft/ }).click();
    await page.getByText('Saved. Revision 2 stays live.').waitFor();
  });

  it('blocks a value until it is confirmed', async () => {
    await retype(textOf(7_000));
    await openPublish();
    await dialog().getByText('confirm', { exact: true }).waitFor();
    await dialog()
      .getByText(/\/price may be 7,000/)
      .waitFor();
    await press('Publish with these values');
    await expectClosed();
    expect(await price()).toBe(7_000);
  });

  it('that came while the dialog was open is asked about, and nothing is sent before', async () => {
    // Every dry run, as if it had been before the guard came: how many there are depends on the speed of the machine.
    await page.route('**/contents/shop*', async (route) => {
      if (route.request().postDataJSON()?.dryRun !== true) return route.fallback();
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, confirmation: null } });
    });
    await retype(textOf(7_100));
    await openPublish();
    await press('Publish');
    await dialog().getByRole('alert').getByText('this was found meanwhile').waitFor();
    expect(await price()).toBe(7_000);
    await press('Publish with these values');
    await expectClosed();
    await page.unrouteAll({ behavior: 'wait' });
    expect(await price()).toBe(7_100);
  });
});

describe.skipIf(!hasBrowser)('a guard that asks for a second person', () => {
  it('leaves a release as the only way', async () => {
    await setGuards([{ path: '/price', max: 7_100, severity: 'approve' }]);
    await go('/env/staging/contents/shop');
    await retype(textOf(8_000));
    await openPublish();
    await dialog()
      .getByText(/A guard asks for the approval of a second person/)
      .waitFor();
    expect(
      await dialog()
        .getByRole('button', { name: /^Publish/ })
        .count(),
    ).toBe(0);
    await press('Add to release…');
    await dialog().getByRole('textbox', { name: 'Title' }).fill('Dearer');
    await press('Create release');
    await page.getByRole('link', { name: '#1 Dearer' }).click();
    await page.getByRole('button', { name: 'Go live for all…' }).waitFor();
  });

  it('has the release submitted with what was confirmed, for the reviewer to see', async () => {
    await page.getByRole('button', { name: 'What changes in shop' }).click();
    await page
      .getByRole('region', { name: 'Values of shop that players could get' })
      .getByText('5,500 … 8,000')
      .waitFor();
    await page.getByRole('button', { name: 'Go live for all…' }).click();
    await press('Go live');
    await press('Submit for review');
    await dialog()
      .getByText(/\/price may be 8,000/)
      .waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('Submit for review with these values');
    await expectClosed();
    const found = page.getByRole('region', { name: 'Findings' });
    await found.getByText(/\/price may be 8,000/).waitFor();
    await found.getByText(/^Confirmed by mei/).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await price()).toBe(7_100);
  });

  it('goes live once that person has approved', async () => {
    const reviewers = await Window.open(server.adminUrl);
    const other = await reviewers.signIn(nora, '/env/staging/releases/1');
    await other.getByRole('button', { name: 'Approve…' }).click();
    const asked = other.getByRole('dialog');
    await asked.getByText('mei has confirmed these values, and you approve them:').waitFor();
    await settled(other);
    expect(await accessibilityFaults(other)).toEqual([]);
    await asked.getByRole('button', { name: 'Approve', exact: true }).click();
    await other.getByText('1 of 1 approvals').waitFor();
    await other.getByRole('button', { name: 'Go live for all…' }).click();
    await asked.getByRole('button', { name: 'Go live', exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    expect(await price()).toBe(8_000);
    expect(reviewers.complaints).toEqual([]);
    await reviewers.close();
  });
});

describe.skipIf(!hasBrowser)('what stands out', () => {
  it('is asked about in a sync, too', async () => {
    await setGuards([]);
    const other = await makeEnvironment(server, 'other');
    await other.put('shop', textOf(90_000_000));
    await go('/env/staging/sync?from=other');
    // What was edited here is not proposed.
    await page.getByRole('checkbox', { name: 'Select shop' }).check();
    await page.getByRole('button', { name: /^Review and sync/ }).click();
    await dialog()
      .getByText(/90,000,000.*more than a factor of 10/)
      .first()
      .waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('Sync 1 item with these values');
    await expect.poll(price).toBe(90_000_000);
  });

  it('is rejected for scripts where the environment has it confirmed', async () => {
    expect(window.complaints).toEqual([]);
    await window.close();
    window = await Window.open(server.adminUrl);
    page = await window.signIn(ownerToken, '/environments/staging');
    await page.getByRole('button', { name: 'Actions for staging' }).click();
    await page.getByRole('menuitem', { name: 'Confirmation…' }).click();
    await dialog().getByRole('checkbox', { name: 'Reject what was not confirmed' }).check();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('Save');
    await page.getByText('findings must be confirmed', { exact: true }).waitFor();
    const put = { text: textOf(1) };
    const rejected = await server.admin('PUT', `${staging.path}/contents/shop`, put);
    expect(rejected.json.code).toBe('confirmation_required');
    expect(window.complaints).toEqual([]);
  });
});
