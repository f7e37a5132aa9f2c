/** A segment is changed, somebody asks who changed what, and takes it back: in Chromium, on a real server. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

const spender = { u: 'ada', p: { spent: 50 } };

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await makeEnvironment(server, 'production');
  await staging.putSegment('vip', { spent: { $gte: 10 } });
  await staging.put('shop', '{"price":5}', {
    mapping: [{ segment: 'vip', merge: { price: 4 } }],
  });
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/segments/vip');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = () => page.getByRole('dialog');
const revisions = () => page.getByRole('region', { name: 'Revisions' });
const row = (number: number) =>
  revisions().getByRole('row', { name: new RegExp(`\\br${number}\\b`) });

describe.skipIf(!hasBrowser)('a segment', () => {
  it('is changed with a note, after the contents that it reaches were named', async () => {
    await page.getByRole('textbox', { name: 'Value of rule 1' }).fill('100');
    await page.getByRole('textbox', { name: 'Note on this save' }).fill('Only the big ones.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByText('Reaches 1 live content').waitFor();
    const note = dialog().getByRole('textbox', { name: 'Note' });
    expect(await note.inputValue()).toBe('Only the big ones.');
    await dialog().getByRole('button', { name: 'Save and deliver' }).click();
    await page.getByText(/^Saved vip as r2: 1 content is delivered with it/).waitFor();
    expect(await page.getByRole('textbox', { name: 'Note on this save' }).inputValue()).toBe('');
    expect(await staging.segments('shop', spender)).toEqual([]);
  });

  it('says who changed it, when, why and what', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    await row(2).getByText('current').waitFor();
    await row(2).getByText('Only the big ones.').waitFor();
    await row(2).getByText('owner').waitFor();
    expect(
      await row(2)
        .getByRole('button', { name: /^Roll back/ })
        .count(),
    ).toBe(0);
    const changed = page.getByRole('region', { name: 'Changed values' });
    expect(await changed.getByRole('row').nth(1).innerText()).toMatch(
      /\/spent\/\$gte\s+changed\s+10\s+100/i,
    );
    await page.getByRole('region', { name: 'Differences' }).getByText('"$gte": 100').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('is rolled back, after the contents that it reaches were named', async () => {
    await page.getByRole('button', { name: 'Roll back to r1' }).click();
    await dialog().getByText('Reaches 1 live content').waitFor();
    await dialog().getByText('shop', { exact: true }).waitFor();
    await dialog().getByText('saved again, as r3').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Roll back to this revision' }).click();
    await page.getByText(/^Rolled back vip: r3 has the condition of r1/).waitFor();
    await row(3).getByText('current').waitFor();
    await row(3).getByText('Rolled back to revision 1.').waitFor();
    await page.getByText(/^r3, saved/).waitFor();
    expect(await staging.segments('shop', spender)).toEqual(['vip']);
    await page.getByRole('tab', { name: 'Condition' }).click();
    const value = page.getByRole('textbox', { name: 'Value of rule 1' });
    await expect.poll(() => value.inputValue()).toBe('10');
  });

  it('is not rolled back to what it is already', async () => {
    await page.goto(new URL('/env/staging/segments/vip/history', server.adminUrl).href);
    await page.getByRole('button', { name: 'Roll back to r1' }).click();
    await dialog().getByText('there is nothing to roll back').waitFor();
    const confirm = dialog().getByRole('button', { name: 'Roll back to this revision' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('has its story in the activity, which leads to the history', async () => {
    await page.goto(new URL('/activity', server.adminUrl).href);
    const story = page.getByRole('table', { name: /^Activity/ });
    await story.getByText('owner changed segment vip as r2').waitFor();
    await page.getByRole('button', { name: 'Details: owner changed segment vip as r2' }).click();
    await page.getByRole('region', { name: 'Differences' }).getByText('"$gte": 100').waitFor();
    await page.getByRole('link', { name: 'The whole history of vip' }).waitFor();
    const told = story.getByRole('row').filter({ hasText: 'owner rolled back segment vip as r3' });
    await told.getByRole('link', { name: 'vip' }).click();
    await row(3).waitFor();
  });

  it('says from where a sync brought it', async () => {
    const sync = { from: 'staging' };
    expectDone(await server.admin('POST', '/admin/v1/environments/production/sync', sync));
    await page.goto(new URL('/env/production/segments/vip/history', server.adminUrl).href);
    await row(1).getByText('synced from staging r3').waitFor();
    await page.getByText('It is the only revision.').waitFor();
    await page.getByRole('region', { name: 'Condition of r1' }).getByText('"$gte": 10').waitFor();
  });

  it('comes back from its history when it was deleted', async () => {
    await staging.putSegment('old', { a: 1 });
    expectDone(await server.admin('DELETE', `${staging.path}/segments/old`));
    await page.goto(new URL('/env/staging/segments/old/history', server.adminUrl).href);
    await page.getByText('There is no such segment').waitFor();
    await page.getByRole('button', { name: 'Roll back to r1' }).click();
    await dialog().getByText('brings the deleted segment back').waitFor();
    await dialog().getByRole('button', { name: 'Roll back to this revision' }).click();
    await page.getByText(/^r2, saved/).waitFor();
    const back = await server.admin('GET', `${staging.path}/segments/old`);
    expect(back.json).toMatchObject({ revision: 2, when: { a: 1 } });
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
