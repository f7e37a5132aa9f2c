/*
 * Goal: six tasks that live-ops people have (tasks 1, 4, 5, 7, 10 and 11 of the console's study) take few steps, and the console
 * says what they need to know. Method: an owner and an editor in Chromium on the demo. Each task prints its steps with what the
 * console took for each. `LOADOUT_SOAK_SHOTS` names a folder for a picture of each step.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Window } from '../../support/browser/browser.js';
import { PlayedTask } from '../../support/browser/played-task.js';
import { settled } from '../../support/browser/screens.js';
import { Demo } from '../../support/server/demo.js';
import { makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { ownerToken } from '../../support/server/server-process.js';
import { agree, ask, dialogOf, open, shots } from '../../support/tasks/person.js';
import { showChanges, typeForAll } from '../../support/tasks/value-of-several.js';

const production = '/env/production';

let demo: Demo;
let owners: Window;
let editors: Window;
/** The page of Nora, an owner, and that of Mei, an editor. */
let nora: Page;
let mei: Page;

beforeAll(async () => {
  demo = await Demo.start();
  owners = await Window.open(demo.consoleUrl);
  editors = await Window.open(demo.consoleUrl);
  nora = await owners.tab('/');
});
afterAll(async () => {
  await owners?.close();
  await editors?.close();
  await demo?.stop();
});

/** Asks the delivery port as a game does, one time in six for something that is not there. */
async function askAsGame(times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    const id = at % 6 === 0 ? 'no-such-item' : 'features';
    await fetch(new URL(`/api/v1/config/${id}`, demo.deliveryUrl), {
      method: 'POST',
      headers: { 'X-Api-Key': demo.productionKey, 'Content-Type': 'application/json' },
      body: '{"u":"ada","p":{}}',
    });
  }
}

describe('a person at the console', () => {
  it('1: knows after one look what is on, what comes, what is wrong and what waits', async () => {
    const task = new PlayedTask('t1-first-look', shots);
    await task.do(nora, 'the token', () =>
      nora.getByRole('textbox', { name: 'Token' }).fill(demo.token),
    );
    await task.do(nora, 'Sign in', async () => {
      await nora.getByRole('button', { name: 'Sign in' }).click();
      await nora.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await settled(nora);
    });
    const seen = await nora.locator('main').innerText();
    for (const fact of [
      /13 content items live/,
      /window open/,
      /lantern-festival in events/,
      /player time/,
      /3 experiments running/,
      /webhooks? failing/,
      /Analytics: marks edits on the charts\s+fails/,
      /Staging is \d+ content items ahead/,
      /matchmaking\s+was changed here only, by Nora Lindqvist/,
    ]) {
      expect(seen).toMatch(fact);
    }
    console.log(task.toString());
  });

  it('4: has four items change together at a moment to come', async () => {
    const task = new PlayedTask('t4-weekend', shots);
    await nora.goto(new URL('/env/staging/contents', demo.consoleUrl).href);
    await settled(nora);
    await typeForAll(task, nora, {
      ids: ['battle-pass', 'features', 'levels', 'shop'],
      path: '/event',
      value: '"harbour"',
    });
    await task.do(nora, 'into a release', () =>
      dialogOf(nora).getByText('Add to a release', { exact: true }).click(),
    );
    await showChanges(task, nora, 4);
    await task.do(nora, 'a title', () =>
      dialogOf(nora).getByRole('textbox', { name: 'Title' }).fill('Harbour weekend'),
    );
    await task.do(nora, 'Create release', () => agree(nora, 'Create release'));
    await task.do(nora, 'opens the release', () => open(nora, /Harbour weekend/));
    await task.do(nora, 'Schedule…', () => ask(nora, 'Schedule…'));
    const friday = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16);
    await task.do(nora, 'the moment', () => dialogOf(nora).getByLabel('Starts at').fill(friday));
    await task.do(nora, 'Schedule', () => agree(nora, 'Schedule'));
    console.log(task.toString());
  });

  it('5: finds who changed a value of production, and why', async () => {
    const task = new PlayedTask('t5-who-changed', shots);
    await nora.goto(new URL('/activity?environment=production', demo.consoleUrl).href);
    await settled(nora);
    const change = nora.getByRole('row', { name: /\/(packs|bundles).*price.*became/ }).first();
    await task.do(nora, 'types path:price', async () => {
      await nora.getByRole('textbox', { name: 'Search' }).fill('path:price');
      await nora.getByRole('button', { name: 'Path contains price: remove' }).waitFor();
      await change.waitFor();
    });
    console.log(await change.innerText());
    console.log(task.toString());
  });

  it('10: is told that a sixth of the requests is rejected, and why, before and after a reload', async () => {
    await askAsGame(3_000);
    const task = new PlayedTask('t10-health', shots);
    await task.do(nora, 'Health', () => open(nora, 'Health'));
    const reason = nora.getByRole('row', {
      name: /content_not_found.*production.*Live clients.*no-such-item/,
    });
    await reason.waitFor();
    expect(await nora.getByText('Ready', { exact: true }).count()).toBe(0);
    await task.do(nora, 'reloads the page', async () => {
      await nora.reload();
      await settled(nora);
      await reason.waitFor();
    });
    console.log(task.toString());
  });

  it('7: brings what is in staging to production with a second person', async () => {
    const task = new PlayedTask('t7-second-person', shots);
    // Production asks for the approval of a second person.
    const environment = new URL('/admin/v1/environments/production', demo.consoleUrl);
    const asked = await fetch(environment, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' },
      body: '{"review":1}',
    });
    expect(asked.status).toBe(200);
    mei = await editors.signIn(demo.editorToken, `${production}/sync`);
    await task.do(mei, 'Mei opens Sync: a hotfix of production is left out', async () => {
      await mei.getByText('was edited in Production itself').waitFor();
      expect(await mei.getByRole('checkbox', { name: 'Select matchmaking' }).isChecked()).toBe(
        false,
      );
    });
    await task.do(mei, 'Review and make a release…: shows the differences', async () => {
      await ask(mei, 'Review and make a release…');
      await dialogOf(mei).getByText('1 added:').waitFor();
    });
    await task.do(mei, 'a title', () =>
      dialogOf(mei).getByRole('textbox', { name: 'Title of the release' }).fill('Season 9'),
    );
    await task.do(mei, 'Make a release of 4 items', async () => {
      await dialogOf(mei)
        .getByRole('button', { name: /^Make a release of/ })
        .click();
      await mei.getByRole('heading', { level: 1, name: /Season 9/ }).waitFor();
    });
    await task.do(mei, 'Submit for review…', () => ask(mei, 'Submit for review…'));
    await task.do(mei, 'Submit', () => agree(mei, 'Submit'));
    await task.do(nora, 'Nora opens the overview: the release waits for her', async () => {
      await nora.goto(new URL('/env/production', demo.consoleUrl).href);
      const waits = nora.getByRole('region', { name: 'Needs you' });
      await waits.getByRole('link', { name: /Season 9/ }).waitFor();
    });
    await task.do(nora, 'opens it', () => open(nora, /Season 9/));
    await task.do(nora, 'Approve…', () => ask(nora, 'Approve…'));
    await task.do(nora, 'Approve', () => agree(nora, 'Approve'));
    await task.do(nora, 'Go live…', () => ask(nora, 'Go live…'));
    await task.do(nora, 'types the name of the environment', () =>
      dialogOf(nora)
        .getByRole('textbox', { name: /Type production/ })
        .fill('production'),
    );
    await task.do(nora, 'Go live', () => agree(nora, /^Go live/));
    console.log(task.toString());
  });

  it('11: is told what went wrong, loses nothing, and goes on', async () => {
    const task = new PlayedTask('t11-errors', shots);
    const data = makeDataFolder();
    let server = await startServer({ data });
    const staging = await makeEnvironment(server, 'staging');
    await staging.put('shop', '{"price": 1}');
    const window = await Window.open(server.adminUrl);
    const page = await window.tab('/env/staging/contents/shop');
    await task.do(page, 'a wrong token', async () => {
      await page.getByRole('textbox', { name: 'Token' }).fill('lot_wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Unknown or revoked token.').waitFor();
    });
    await task.do(page, 'the right one', async () => {
      await page.getByRole('textbox', { name: 'Token' }).fill(ownerToken);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await settled(page);
    });
    await task.do(page, 'types, and the server stops', async () => {
      await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{"price": 2}');
      const { adminPort } = server;
      await server.stop();
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('Can’t reach the server', { exact: true }).waitFor();
      server = await startServer({ data, adminPort });
    });
    await task.do(page, 'the page goes on by itself, and saves', async () => {
      await page
        .getByText('Can’t reach the server', { exact: true })
        .waitFor({ state: 'detached' });
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('Draft r2').first().waitFor();
    });
    await task.do(page, 'opens an item that is not there', async () => {
      await page.goto(new URL('/env/staging/contents/nope', server.adminUrl).href);
      await settled(page);
      await page.getByText('nope', { exact: false }).first().waitFor();
    });
    console.log(task.toString());
    await window.close();
    await server.stop();
  });
});
