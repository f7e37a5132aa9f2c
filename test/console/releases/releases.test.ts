/*
 * Goal: the life of a release as two people have it: one makes it, the other approves it; it ramps, is paused, resumed
 * and stopped, goes live and is reverted. Each refusal is a sentence that says what to do.
 * Method: an author and a reviewer, each in a window of Chromium, on a real server. The delivery API says what players get.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import type { LoadoutServer } from '../../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let authors: Window;
let reviewers: Window;
/** The page of the author, and that of the reviewer. */
let mei: Page;
let nora: Page;

/** @returns a token of theirs */
async function makeUser(name: string): Promise<string> {
  const { json } = expectDone(
    await server.admin('POST', '/admin/v1/users', { name, role: 'editor' }),
  );
  const path = `/admin/v1/users/${json.id}/tokens`;
  return expectDone(await server.admin('POST', path, { label: 'test' })).json.token;
}

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.putSegment('vip', { spent: { $gte: 10 } });
  await staging.put('shop', '{"price":5}', { mapping: [{ segment: 'vip', merge: { price: 4 } }] });
  await staging.put('offers', '{"gold":1}');
  expectDone(await server.admin('PATCH', staging.path, { review: 1 }));
  const tokens = { mei: await makeUser('mei'), nora: await makeUser('nora') };
  authors = await Window.open(server.adminUrl);
  reviewers = await Window.open(server.adminUrl);
  mei = await authors.signIn(tokens.mei, '/env/staging/contents/offers');
  nora = await reviewers.signIn(tokens.nora, '/env/staging/contents');
});
afterAll(async () => {
  await authors?.close();
  await reviewers?.close();
  await server?.stop();
});

const dialogOf = (page: Page): Locator => page.getByRole('dialog');
const go = (page: Page, path: string) =>
  page.goto(new URL(`/env/staging/${path}`, server.adminUrl).href);
/** Presses a button of the page, and in the dialog that it opens the one that carries it out. */
async function act(page: Page, name: string | RegExp, confirm: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await dialogOf(page).getByRole('button', { name: confirm, exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}
const stage = (page: Page): Locator =>
  page.getByRole('list', { name: 'Stages of this release' }).locator('[aria-current="step"]');
async function expectStage(page: Page, label: string): Promise<void> {
  await stage(page).getByText(label).waitFor();
}
const gold = async (): Promise<string> => (await staging.plain('offers')).text;

describe.skipIf(!hasBrowser)('a release', () => {
  it('takes the place of Publish where the environment asks for an approval', async () => {
    await mei.getByText('staging asks for 1 approval: changes go live in a release.').waitFor();
    expect(await mei.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
    await mei.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
    await mei.keyboard.press('ControlOrMeta+a');
    await mei.keyboard.insertText('{"gold":2}');
    await mei.keyboard.press('ControlOrMeta+Enter');
    await dialogOf(mei).getByRole('textbox', { name: 'Title' }).fill('Winter event');
    await dialogOf(mei).getByRole('button', { name: 'Create release' }).click();
    await mei.getByRole('link', { name: '#1 Winter event' }).click();
    await expectStage(mei, 'Draft');
    expect(await gold()).toBe('{"gold":1}');
  });

  it('keeps a title that someone else has saved meanwhile, and says so', async () => {
    const title = dialogOf(mei).getByRole('textbox', { name: 'Title' });
    const save = dialogOf(mei).getByRole('button', { name: 'Save' });
    await mei.getByRole('button', { name: 'Edit title' }).click();
    const path = `${staging.path}/releases/1`;
    expectDone(await server.admin('PATCH', path, { title: 'Gold rush' }));
    await title.fill('Silver rush');
    await save.click();
    await dialogOf(mei).getByText('Release 1 was changed meanwhile').waitFor();
    expect((await server.admin('GET', path)).json.title).toBe('Gold rush');
    await dialogOf(mei).getByRole('button', { name: 'Cancel' }).click();
    await mei.getByRole('heading', { name: 'Gold rush' }).waitFor();
    await mei.getByRole('button', { name: 'Edit title' }).click();
    await title.fill('Winter event');
    await save.click();
    await mei.getByRole('heading', { name: 'Winter event' }).waitFor();
  });

  it('is submitted with a comment, and waits for someone else', async () => {
    await mei.getByRole('button', { name: 'Submit for review…' }).click();
    await dialogOf(mei)
      .getByRole('textbox', { name: 'Comment for reviewers' })
      .fill('Please look.');
    await dialogOf(mei).getByRole('button', { name: 'Submit' }).click();
    await expectStage(mei, 'In review');
    await mei.getByText('Waits for 1 approval.').waitFor();
    expect(await mei.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true);
    await mei.getByText('You worked on offers: someone else approves it.').waitFor();
    await mei.getByText('“Please look.”').first().waitFor();
    expect(await accessibilityFaults(mei)).toEqual([]);
  });

  it('is previewed as a whole', async () => {
    await mei.getByRole('button', { name: 'Preview for 1,000 made-up users' }).click();
    const row = mei.getByRole('row', { name: /^offers/ });
    await row.getByText('1,000 of 1,000').waitFor();
    await row.getByRole('button', { name: 'Who gets something different from offers' }).click();
    await mei.getByRole('region', { name: 'What changes for them' }).waitFor();
    expect(await accessibilityFaults(mei)).toEqual([]);
  });

  it('rings the bell of the reviewer, and of no one else', async () => {
    await nora.reload();
    const bell = nora.getByRole('button', { name: 'Reviews: 1 release to approve' });
    await bell.click();
    await nora.getByRole('menuitem', { name: /#1 Winter event/ }).waitFor();
    await settled(nora);
    expect(await accessibilityFaults(nora)).toEqual([]);
    await nora.getByRole('menuitem', { name: /#1 Winter event/ }).click();
    await expectStage(nora, 'In review');
    await mei.reload();
    await mei.getByRole('button', { name: 'Reviews: none waits for you' }).waitFor();
  });

  it('is approved for exactly what the reviewer saw', async () => {
    await nora.getByRole('button', { name: 'What changes in offers' }).click();
    await nora.getByRole('region', { name: 'Differences' }).first().waitFor();
    await nora.getByRole('button', { name: 'Approve…' }).click();
    const dialog = dialogOf(nora);
    await dialog.getByRole('list', { name: 'Changes' }).getByText('r1 → r2').waitFor();
    await dialog.getByText(/^1 % for 10 min/).waitFor();
    expect(await accessibilityFaults(nora)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('Good.');
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expectStage(nora, 'Approved');
    await nora.getByText('1 of 1 approvals').waitFor();
    await nora.getByRole('button', { name: 'Reviews: none waits for you' }).waitFor();
  });

  it('loses the approval with an edit, and says so before', async () => {
    await mei.reload();
    await mei.getByRole('button', { name: 'Change: Ramp' }).click();
    await dialogOf(mei)
      .getByText(/This makes it a draft again/)
      .waitFor();
    await dialogOf(mei).getByRole('button', { name: 'Quick' }).click();
    await dialogOf(mei).getByRole('button', { name: 'Save ramp' }).click();
    await expectStage(mei, 'Draft');
    await act(mei, 'Submit for review…', 'Submit');
    await nora.reload();
    await act(nora, 'Approve…', 'Approve');
    await expectStage(nora, 'Approved');
  });

  it('is scheduled in the time zone of the person and in UTC, and taken off the schedule', async () => {
    await mei.reload();
    await mei.getByRole('button', { name: 'Schedule…' }).click();
    await dialogOf(mei).getByLabel('Starts at').fill('2099-11-27T18:00');
    await dialogOf(mei)
      .getByText('Fri 27 Nov, 18:00 Europe/Berlin (17:00 UTC)', { exact: true })
      .waitFor();
    await dialogOf(mei).getByRole('button', { name: 'Schedule', exact: true }).click();
    await expectStage(mei, 'Scheduled');
    await mei.getByRole('button', { name: 'More actions for this release' }).click();
    await mei.getByRole('menuitem', { name: 'Remove schedule' }).click();
    await expectStage(mei, 'Approved');
  });

  it('ramps, and says what comes next and when', async () => {
    await act(mei, 'Start ramp…', 'Start ramp');
    await expectStage(mei, 'Ramping 10');
    await mei.getByText(/^Goes to 50 %/).waitFor();
    await mei.getByText(/in [89] min \d+ s/).waitFor();
    await mei.getByRole('heading', { name: '10 % of players have it' }).waitFor();
    await mei
      .getByRole('table', { name: 'Players of this step' })
      .getByRole('row', { name: /^Healthy start/ })
      .waitFor();
    await mei.getByText('Evidence of a fault', { exact: true }).waitFor();
    await settled(mei);
    expect(await accessibilityFaults(mei)).toEqual([]);
    expect(await gold()).toBe('{"gold":1}');
  });

  it('is named where it reaches, and locks it', async () => {
    const page = await authors.tab('/env/staging/contents/offers');
    await page.getByText(/reaches this item: it cannot be published/).waitFor();
    await page.getByRole('link', { name: '#1 Winter event' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.close();
  });

  it('is paused with one click, and goes on', async () => {
    await mei.getByRole('button', { name: 'Pause' }).click();
    await expectStage(mei, 'Paused 10');
    await mei.getByRole('button', { name: 'Resume' }).click();
    await expectStage(mei, 'Ramping 10');
  });

  it('fits a phone while it ramps, with Pause and Stop in the first screen', async () => {
    await mei.setViewportSize(narrow);
    await settled(mei);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    // The navigation leaves the screen in a moment of its own.
    await expect.poll(() => mei.evaluate(beyond)).toBe(0);
    for (const name of ['Pause', 'Stop…']) {
      const box = await mei.getByRole('button', { name }).boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(narrow.height);
    }
    await mei.setViewportSize(wide);
  });

  it('is stopped with a reason, which the timeline keeps', async () => {
    await mei.getByRole('button', { name: 'Stop…' }).click();
    await dialogOf(mei).getByRole('textbox', { name: 'Reason' }).fill('Wrong price.');
    await dialogOf(mei).getByRole('button', { name: 'Stop', exact: true }).click();
    await expectStage(mei, 'Stopped');
    await mei.getByText('mei stopped the ramp.').waitFor();
    await mei.getByText('“Wrong price.”').waitFor();
    expect(await gold()).toBe('{"gold":1}');
  });

  it('goes live for all players after another approval', async () => {
    await act(mei, 'Submit for review…', 'Submit');
    await nora.reload();
    await act(nora, 'Approve…', 'Approve');
    await act(nora, 'Go live for all…', 'Go live');
    await expectStage(nora, 'Live');
    expect(await gold()).toBe('{"gold":2}');
  });

  it('is reverted by one person: players get what was live before', async () => {
    await mei.reload();
    await mei.getByRole('button', { name: 'Revert…' }).click();
    await dialogOf(mei).getByRole('textbox', { name: 'Reason' }).fill('Too much gold.');
    await dialogOf(mei).getByRole('button', { name: 'Revert', exact: true }).click();
    await expectStage(mei, 'Reverted');
    expect(await gold()).toBe('{"gold":1}');
    await mei.getByText('mei reverted it.').waitFor();
    expect(await accessibilityFaults(mei)).toEqual([]);
  });

  it('stands in the list with its state, which can be filtered by', async () => {
    await go(mei, 'releases?state=reverted');
    const row = mei.getByRole('row', { name: /#1 Winter event/ });
    await row.getByText('Reverted').waitFor();
    await settled(mei);
    expect(await accessibilityFaults(mei)).toEqual([]);
    await go(mei, 'releases?state=live');
    await mei.getByText('No release is in this state').waitFor();
    expect([...authors.complaints, ...reviewers.complaints]).toEqual([]);
  });
});
