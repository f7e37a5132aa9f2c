/** What people at the console see of several servers on one PostgreSQL, and of that being away. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { startNode, TestFleet } from '../support/fleet/fleet.js';
import type { PostgresCluster } from '../support/postgres/cluster.js';
import { hasPostgres, startPostgres } from '../support/postgres/postgres.js';
import { ownerToken } from '../support/server/server-process.js';

const isPossible = hasBrowser && hasPostgres;

let postgres: PostgresCluster;
let url: string;
let fleet: TestFleet;
let window: Window;

beforeAll(async () => {
  if (!isPossible) return;
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  fleet = await TestFleet.start({ url, names: ['paris', 'tokyo'] });
  window = await Window.open(fleet.node(0).adminUrl);
});
afterAll(async () => {
  await window?.close();
  await fleet?.stop();
});

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Nodes' }).getByRole('row', { name: new RegExp(`^${name}\\b`) });

describe.skipIf(!isPossible)('a fleet, at the console', () => {
  it('is listed on the health screen with what each node serves, this one marked', async () => {
    const page = await window.signIn(ownerToken, '/health');
    await rowOf(page, 'paris').getByText('this server').waitFor();
    await rowOf(page, 'paris').getByText('up to date').waitFor();
    await rowOf(page, 'tokyo').getByText('up to date').waitFor();
    expect(await rowOf(page, 'tokyo').textContent()).toContain(fleet.node(1).deliveryUrl);
    expect(await rowOf(page, 'tokyo').getByText('this server').count()).toBe(0);
    await page.close();
  });

  it('keeps what is typed while the database is away, says so, and goes on when it is back', async () => {
    const page = await window.tab(`/env/${fleet.game.id}/contents/counter`);
    const editor = page.getByRole('textbox', { name: 'Text of version 0.0.0' });
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"number": 77}');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    const health = await window.tab('/health');
    await rowOf(health, 'tokyo').waitFor();
    await page.bringToFront();
    await postgres.stop();
    await page.keyboard.press('ControlOrMeta+s');
    const banner = page.getByText('The database is away', { exact: true });
    await banner.waitFor();
    expect(await editor.textContent()).toBe('{"number": 77}');
    await health.bringToFront();
    await health.getByText(/Players are served; edits are rejected/).waitFor();
    await rowOf(health, 'tokyo').getByText('not known').waitFor();
    // Who is signed in stands in the database, so a page that is opened now waits for it.
    const late = await window.tab('/health');
    await late.getByText(/^The database does not respond/).waitFor();
    await postgres.start();
    await rowOf(late, 'tokyo').getByText('up to date').waitFor();
    await Promise.all([late.close(), health.close()]);
    await page.bringToFront();
    await banner.waitFor({ state: 'detached' });
    expect(await editor.textContent()).toBe('{"number": 77}');
    await page.getByRole('button', { name: /^Save draft/ }).click();
    await page
      .getByText(/^Draft r\d+/)
      .first()
      .waitFor();
    await page.close();
  });

  it('warns of a clock that is more than a second off', async () => {
    const node = await startNode({ name: 'slow', url, clockAheadMs: -4_000 });
    const other = await Window.open(node.adminUrl);
    const page = await other.signIn(ownerToken, '/health');
    const clock = (on: Page) => on.locator('dl > div', { hasText: /^Clock/ });
    await clock(page)
      .getByText(/^(4(\.\d+)?|3\.9\d*) s behind/)
      .waitFor();
    await clock(page).getByText('windows open at another time here: check NTP').waitFor();
    const right = await window.tab('/health');
    await clock(right).getByText('compared with the database').waitFor();
    await Promise.all([right.close(), other.close(), node.stop()]);
  });

  it('says which node is away, in words', async () => {
    const page = await window.tab('/health');
    await rowOf(page, 'tokyo').getByText('up to date').waitFor();
    await fleet.kill(1);
    await page.getByText(/^tokyo has not been seen lately/).waitFor();
    await rowOf(page, 'tokyo').getByText('away').waitFor();
    await rowOf(page, 'paris').getByText('up to date').waitFor();
  });
});
