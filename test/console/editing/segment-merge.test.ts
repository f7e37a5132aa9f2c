/** Two people edit one segment at the same time: the console merges the condition, value by value. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;
let count = 0;
let name: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ data: makeDataFolder() });
  staging = await makeEnvironment(server, 'staging');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/segments');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});
beforeEach(async () => {
  if (!hasBrowser) return;
  name = `vip-${++count}`;
  await staging.putSegment(name, { spent: { $gte: 10 }, level: { $gte: 3 } });
  await page.goto(`${server.adminUrl}/env/staging/segments/${name}`);
  await valueAt(2).waitFor();
});

const valueAt = (at: number) => page.getByRole('textbox', { name: `Value of condition ${at}` });
const dialog = () => page.getByRole('dialog', { name: 'Two edits of the same segment' });
const useMerged = () => dialog().getByRole('button', { name: 'Use merged' });
const toMerge = () => page.getByRole('button', { name: 'Compare and merge', exact: true });

/** Types a value, and saves it after another user has saved the condition. */
async function meet(at: number, value: string, theirs: object): Promise<void> {
  await valueAt(at).fill(value);
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  await staging.putSegment(name, theirs);
  await page.keyboard.press('ControlOrMeta+s');
  await toMerge().click();
  await dialog().waitFor();
}

async function savedCondition(): Promise<unknown> {
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByText(new RegExp(`^Saved ${name} as r3`)).waitFor();
  return (await server.admin('GET', `${staging.path}/segments/${name}`)).json.when;
}

describe.skipIf(!hasBrowser)('two edits of one segment', () => {
  it('are both kept where they changed different values', async () => {
    await meet(2, '7', { spent: { $gte: 50 }, level: { $gte: 3 } });
    await dialog().getByText('You changed different values, so both edits are kept.').waitFor();
    await dialog().getByText('changed by owner').first().waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await useMerged().click();
    await dialog().waitFor({ state: 'detached' });
    expect(await toMerge().count()).toBe(0);
    expect(await savedCondition()).toEqual({ spent: { $gte: 50 }, level: { $gte: 7 } });
  });

  it('ask for the one value that both changed, by keyboard and on a phone', async () => {
    await page.setViewportSize(narrow);
    await meet(1, '20', { spent: { $gte: 50 }, level: { $gte: 9 } });
    await dialog()
      .getByText(/Both of you changed 1 value/)
      .waitFor();
    expect(await useMerged().isDisabled()).toBe(true);
    const spent = dialog().getByRole('radiogroup', { name: '/spent/$gte' });
    await spent.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await spent.getByRole('radio', { name: 'Yours', exact: true }).isChecked()).toBe(true);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const widthOf = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await widthOf()).toBeLessThanOrEqual(narrow.width);
    await useMerged().focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await savedCondition()).toEqual({ spent: { $gte: 20 }, level: { $gte: 9 } });
    await page.setViewportSize(wide);
  });

  it('leave theirs, once that was confirmed', async () => {
    await meet(1, '20', { spent: { $gte: 50 }, level: { $gte: 3 } });
    await dialog().getByRole('button', { name: 'Keep owner’s' }).click();
    await page.getByRole('button', { name: 'Keep owner’s, discard mine' }).click();
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => valueAt(1).inputValue()).toBe('50');
    expect(await page.getByRole('button', { name: 'Discard changes' }).count()).toBe(0);
  });
});
