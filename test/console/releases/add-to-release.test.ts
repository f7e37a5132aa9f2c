/*
 * Goal: what one edits goes into a release from where one edits it: an edit, a deletion, an older revision, a segment.
 * Method: an owner in Chromium, on a real server. Nothing is delivered meanwhile, which the delivery API says.
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

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.putSegment('vip', { spent: { $gte: 10 } });
  await staging.put('shop', '{"price":5}', { mapping: [{ segment: 'vip', merge: { price: 4 } }] });
  await staging.put('shop', '{"price":6}');
  await staging.put('offers', '{"gold":1}');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/offers');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const go = (path: string) => page.goto(new URL(`/env/staging/${path}`, server.adminUrl).href);
const add = async (): Promise<void> => {
  await dialog().getByRole('button', { name: 'Add to release', exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
};
const changes = async (): Promise<Record<string, unknown>[]> => {
  const { json } = expectDone(await server.admin('GET', `${staging.path}/releases/1`));
  return json.changes;
};

describe.skipIf(!hasBrowser)('Add to release', () => {
  it('saves what is typed as a draft, and makes a release of it', async () => {
    const editor = page.getByRole('textbox', { name: 'Text of version 0.0.0' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"gold":2}');
    await page.getByRole('button', { name: 'Add to release…' }).click();
    await dialog().getByRole('textbox', { name: 'Note' }).fill('More gold.');
    await dialog().getByRole('textbox', { name: 'Title' }).fill('Winter event');
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Create release' }).click();
    await page
      .getByText('Added offers to')
      .getByRole('link', { name: '#1 Winter event' })
      .waitFor();
    await page.getByText('Draft r2 by owner').waitFor();
    expect(await changes()).toMatchObject([
      { kind: 'content', id: 'offers', revision: 2, note: 'More gold.', live: 1 },
    ]);
    expect((await staging.plain('offers')).text).toBe('{"gold":1}');
  });

  it('offers the last release again, for an older revision from the history', async () => {
    await go('contents/shop/history');
    await page.getByRole('button', { name: 'Roll back to r1' }).click();
    await dialog().getByRole('button', { name: 'Add to release…' }).click();
    await dialog().getByText('Add shop r1 to a release').waitFor();
    expect(await dialog().getByRole('combobox', { name: 'Release' }).inputValue()).toBe(
      '#1 Winter event (draft)',
    );
    await add();
    expect(await changes()).toContainEqual(
      expect.objectContaining({ id: 'shop', revision: 1, live: 2 }),
    );
  });

  it('takes a deletion in place of it', async () => {
    await go('contents?q=shop');
    await page.getByRole('button', { name: 'Actions for shop' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().getByRole('button', { name: 'Use a release instead' }).click();
    await add();
    expect(await changes()).toContainEqual(
      expect.objectContaining({ id: 'shop', revision: null, live: 2 }),
    );
    expect((await staging.plain('shop')).status).toBe(200);
  });

  it('takes a segment, whose draft no rule uses yet', async () => {
    await go('segments/vip');
    await page.getByRole('textbox', { name: 'Value of condition 1' }).fill('100');
    await page.getByRole('button', { name: 'Add to release…' }).click();
    await add();
    await page.getByText('a draft: r1 is live').waitFor();
    expect(await changes()).toContainEqual(
      expect.objectContaining({ kind: 'segment', name: 'vip', revision: 2, live: 1 }),
    );
    const value = page.getByRole('textbox', { name: 'Value of condition 1' });
    expect(await value.inputValue()).toBe('100');
  });

  it('is all in the release, whose drafts are offered there as well', async () => {
    await staging.put('event', '{"on":true}', { publish: false });
    const newbies = `${staging.path}/segments/newbies`;
    expectDone(await server.admin('PUT', newbies, { when: { level: 1 }, publish: false }));
    await go('releases/1');
    await page.getByRole('button', { name: 'Add changes…' }).click();
    await dialog().getByRole('checkbox', { name: 'event' }).check();
    await dialog().getByRole('checkbox', { name: 'segment newbies' }).check();
    await dialog().getByRole('button', { name: 'Add 2 changes' }).click();
    await dialog().waitFor({ state: 'detached' });
    const table = page.getByRole('table', { name: 'Changes' });
    await table.getByRole('link', { name: 'event' }).waitFor();
    for (const name of ['offers', 'shop', 'segment vip', 'segment newbies']) {
      await table.getByRole('link', { name, exact: true }).waitFor();
    }
    await table.getByRole('button', { name: 'What changes in segment vip' }).click();
    await table.getByText('100').first().waitFor();
    await table.getByRole('button', { name: 'Drop shop' }).click();
    await table.getByRole('link', { name: 'shop', exact: true }).waitFor({ state: 'detached' });
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('shows a conflict with what was published meanwhile, from three sides, and keeps the revision', async () => {
    await staging.put('offers', '{"gold":3,"gems":1}');
    await go('releases/1');
    await page.getByText('live has changed since').waitFor();
    const start = page.getByRole('button', { name: 'Start ramp…' });
    expect(await start.isDisabled()).toBe(true);
    await page.getByText('rebase or drop offers').waitFor();
    await page.getByRole('button', { name: 'Rebase…' }).click();
    for (const view of [/^Live since: r1 → r3/, /^This change: r1 → r2/, /^Together: r3 → r2/]) {
      await dialog().getByText(view).click();
      await dialog().getByRole('region', { name: 'Differences' }).first().waitFor();
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    // Both sides changed the same value: a person has to put them together.
    await dialog().getByRole('button', { name: 'Merge into a new draft' }).click();
    await dialog()
      .getByText(/^Both changed Version 0.0.0 \/gold\./)
      .waitFor();
    await dialog().getByRole('button', { name: 'Keep r2' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('live has changed since').waitFor({ state: 'detached' });
    expect(await start.isEnabled()).toBe(true);
  });

  it('fits a phone', async () => {
    await page.setViewportSize(narrow);
    await settled(page);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    // The navigation leaves the screen in a moment of its own.
    await expect.poll(() => page.evaluate(beyond)).toBe(0);
    await page.setViewportSize(wide);
    expect(window.complaints).toEqual([]);
  });
});
