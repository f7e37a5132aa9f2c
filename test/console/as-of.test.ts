/**
 * Goal: the console answers what a player was served at a time in the past, before and after edits of the text, of the
 * mapping and of a segment. Method: a real server answers a player at each stage; between the stages it is stopped, and
 * what its store has recorded is moved into the past.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BetterSqlite3 } from '../../src/published/sqlite-driver.js';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { makeDataFolder, startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

const dayMs = 86_400_000;
const player = { u: 'ada', p: { spent: 50 } };
const mapping = (price: number) => [{ segment: 'vip', merge: { price } }];

/** Each is saved two days after the one before; the last, two days ago. */
const stages: readonly {
  readonly what: string;
  readonly edit: (env: Environment) => Promise<unknown>;
  readonly held: string;
}[] = [
  {
    what: 'before the edits',
    edit: async (env) => {
      await env.putSegment('vip', { spent: { $gte: 10 } });
      await env.put('shop', '{"price":5}', { mapping: mapping(4) });
    },
    held: 'revision 1, which was live then; segment vip, revision 1.',
  },
  {
    what: 'after the edit of the text',
    edit: (env) => env.put('shop', '{"price":5,"gems":100}'),
    held: 'revision 2, which was live then; segment vip, revision 1.',
  },
  {
    what: 'after the edit of the mapping',
    edit: (env) => env.putMapping('shop', mapping(3)),
    held: 'revision 3, which was live then; segment vip, revision 1.',
  },
  {
    what: 'after the edit of the segment',
    edit: (env) => env.putSegment('vip', { spent: { $gte: 100 } }),
    held: 'revision 3, which was live then; segment vip, revision 2.',
  },
];

let server: LoadoutServer;
let env: Environment;
let window: Window;
let page: Page;
/** What endpoint 1 answered the player at each stage, byte for byte. */
const served: string[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  const data = makeDataFolder();
  server = await startServer({ data, listeners: 1 });
  env = await makeEnvironment(server, 'staging');
  for (const { edit } of stages) {
    await edit(env);
    served.push((await env.wrapped('shop', player)).text);
    await server.stop();
    moveBack(data, 2 * dayMs);
    server = await startServer({ data, listeners: 1 });
    env = env.on(server);
  }
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/shop/preview');
  await page.getByRole('textbox', { name: 'User id' }).fill(player.u);
  await page.getByText('JSON', { exact: true }).first().click();
  await page.getByRole('textbox', { name: /^Attributes/ }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(JSON.stringify(player.p));
}, 180_000);
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

/** All that tells the store when something was saved or live. */
function moveBack(data: string, byMs: number): void {
  const store = new BetterSqlite3(join(data, 'store.db'));
  for (const [table, ...columns] of [
    ['publications', 'at'],
    ['contents', 'created_at', 'updated_at'],
    ['revisions', 'created_at'],
    ['segments', 'created_at', 'updated_at'],
    ['segment_revisions', 'created_at'],
  ] as const) {
    const moved = columns.map((column) => `${column} = ${column} - ${byMs}`);
    store.exec(`update ${table} set ${moved.join(', ')}`);
  }
  store.close();
}

/** Chooses a time in the picker, as a person does. */
async function askAsOf(daysAgo: number): Promise<void> {
  const clear = page.getByRole('button', { name: 'Clear As of' });
  if (await clear.isVisible()) await clear.click();
  const wanted = new Date(Date.now() - daysAgo * dayMs);
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', dateStyle: 'long' });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', timeStyle: 'short' });
  const picker = page.getByRole('button', { name: 'As of', exact: true });
  await picker.click();
  const cell = page.getByRole('button', { name: day.format(wanted), exact: true });
  const hours = page.getByRole('spinbutton', { name: 'Hours' });
  await hours.waitFor();
  if (!(await cell.isVisible())) await page.getByRole('button', { name: 'Previous month' }).click();
  await cell.click();
  const [hour = '', minute = ''] = clock.format(wanted).split(':');
  await hours.fill(hour);
  await page.getByRole('spinbutton', { name: 'Minutes' }).fill(minute);
  await page.getByRole('button', { name: 'Done' }).click();
  await picker.filter({ hasText: `${hour}:${minute}` }).waitFor();
}

async function shownAnswer(): Promise<string> {
  const open = page.getByRole('button', { name: 'Wrapped answer, byte for byte' });
  if ((await open.getAttribute('aria-expanded')) === 'false') await open.click();
  return (await page.locator('pre').last().textContent()) ?? '';
}

describe.skipIf(!hasBrowser)('what a player was served', () => {
  it('is another thing after each edit', () => {
    expect(new Set(served).size).toBe(stages.length);
  });

  it.each(stages.map(({ what, held }, index) => ({ what, held, index })))(
    'is shown as it was $what',
    async ({ held, index }) => {
      await askAsOf(2 * (stages.length - index) - 1);
      await page.getByText(new RegExp(`^As of .*: ${held.replaceAll('.', '\\.')}$`)).waitFor();
      await expect.poll(shownAnswer).toBe(served[index]);
    },
  );

  it('is marked against what the draft gives by the segments of then', async () => {
    await askAsOf(7);
    await page.getByText('As typed', { exact: true }).click();
    await page.getByText(/^As of .*: revision 3; segment vip, revision 1\.$/).waitFor();
    await page.getByText(/^Against what was live then/).waitFor();
    await page.getByText('Live then', { exact: true }).click();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('was nothing before it was live', async () => {
    await askAsOf(9);
    await page.getByText('Nothing was live then').waitFor();
  });

  it('is said to be no longer known, once it is not kept', async () => {
    const kept = { revisionsKept: 1 };
    expectDone(await server.admin('POST', '/admin/v1/retention', kept));
    // The answer of a moment ago is still at hand.
    await page.reload();
    await askAsOf(7);
    await page.getByText('That is no longer known').waitFor();
    await page
      .getByText(/It is not known what was live of "shop" at .* The record begins at /)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await askAsOf(1);
    await page.getByText(/revision 3, which was live then/).waitFor();
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
