/*
 * Goal: an experiment from the rule to the release of its winner, as a product manager has it: each step says what it does and
 * what is missing, the health comes before the result, and nothing is decided before the data are clear.
 * Method: an owner in a window of Chromium, on a real server. Players send their exposures and purchases to its delivery port.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let live: Environment;
let window: Window;
let page: Page;

const priceTest = {
  ...{ segment: 'price-test', when: { '@u': { $ne: '' } }, salt: 'price-test-1' },
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'cheap', groups: [500, 999], merge: { price: 4 } },
  ],
};

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  live = await makeEnvironment(server, 'live');
  await live.put('shop', '{"price":5}', { mapping: [priceTest] });
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/live/experiments');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const go = (path: string) => page.goto(new URL(`/env/live/${path}`, server.adminUrl).href);
const status = (): Locator => page.getByRole('region', { name: 'Status' });

async function faultless(): Promise<void> {
  await settled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
}

/** A player who sees the shop, and buys as a share of the players of each variant does. */
async function play(number: number): Promise<void> {
  const u = `player-${number}`;
  const { json } = expectDone(await live.wrapped('shop', { u }));
  const { seg } = json.meta;
  const buys = number % 100 < (seg[0].v === 'cheap' ? 60 : 25);
  const sent = (kind: string) => ({ at: new Date().toISOString(), eid: `${kind}-${number}` });
  const events = [
    { t: 'exposure', id: 'shop', seg, ...sent('exposure') },
    ...(buys ? [{ t: 'metric', n: 'purchase', x: json.data.price, ...sent('purchase') }] : []),
  ];
  const answer = expectDone(await live.ask('POST', '/api/v1/events', { u, events }));
  expect(answer.json).toEqual({ taken: events.length, rejected: [] });
}

describe.skipIf(!hasBrowser)('an experiment', () => {
  it('begins with a list that says what experiments are for', async () => {
    await page.getByRole('heading', { name: 'No experiments yet' }).waitFor();
    await faultless();
  });

  it('needs a metric, which is defined once', async () => {
    await page.getByRole('navigation', { name: 'Experiments' }).getByText('Metrics').click();
    await page.getByRole('heading', { name: 'No metrics yet' }).waitFor();
    await page.getByRole('button', { name: 'New metric' }).first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('buyers');
    await dialog().getByRole('combobox', { name: 'Event' }).fill('purchase');
    await dialog().getByText('Share of players with at least one purchase event.').waitFor();
    await faultless();
    await dialog().getByRole('button', { name: 'Create metric' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /buyers.*Client-reported/ }).waitFor();
  });

  it('is not made of a rule that is not saved, and says so', async () => {
    await go('new-experiment?content=shop&rule=typed-only');
    await page.getByText('The rule cannot be measured yet').waitFor();
    await faultless();
    await page.getByRole('link', { name: 'Go to the rule' }).click();
    await page.waitForURL(/contents\/shop\/mapping/);
  });

  it('is made from its rule, in three steps', async () => {
    await live.put('menu', '{"size":1}', { mapping: [priceTest] });
    const taken = { id: 'shop-price-test', content: 'menu', segment: 'price-test' };
    const body = { ...taken, control: 'control' };
    expectDone(await server.admin('POST', `${live.path}/experiments`, body));
    await go('contents/shop/mapping?rule=0');
    await page.getByRole('link', { name: 'Measure it' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Cheaper shop');
    await page.getByRole('textbox', { name: 'Hypothesis' }).fill('More players buy at 4.');
    await faultless();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Define a metric…' }).click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('spent');
    await dialog().getByRole('combobox', { name: 'Event' }).fill('purchase');
    await dialog().getByRole('button', { name: 'Create metric' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Guard metrics' }).click();
    await page.getByRole('option', { name: 'spent' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Primary metric' }).click();
    await page.getByRole('option', { name: 'buyers' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByText('No experiment has measured buyers lately').waitFor();
    await page.getByRole('textbox', { name: 'buyers today' }).fill('25');
    await page.getByRole('textbox', { name: 'New players a day' }).fill('1000');
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByText(/players per variant/).waitFor();
    await page.getByRole('button', { name: /^Plan \d+ days$/ }).click();
    await faultless();
    await page.getByRole('button', { name: 'Create experiment' }).click();
    // The id is taken: the step that has it is shown, and stays while another is typed.
    await page.getByText('There is an experiment', { exact: false }).first().waitFor();
    await page.getByRole('textbox', { name: 'Id' }).fill('cheaper-shop');
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Create experiment' }).click();
    await page.getByRole('heading', { name: 'Cheaper shop' }).waitFor();
    await status()
      .getByText(/^Not started/)
      .waitFor();
    await page.getByText('More players buy at 4.').waitFor();
    await faultless();
  });

  it('starts after it has said what that freezes', async () => {
    await page.getByRole('button', { name: 'Start…' }).click();
    await dialog().getByText('Players get what they already get.').waitFor();
    await faultless();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await status()
      .getByText(/^Day 1 of/)
      .waitFor();
    await status()
      .getByText(/^No exposures have arrived yet/)
      .waitFor();
  });

  it('asks before a publish changes what assigns its players', async () => {
    const mapping = [{ segment: 'price-test', when: { '@u': { $ne: '' } }, salt: 'other' }];
    const answer = await live.tryPut('shop', { mapping });
    expect(answer.status).toBe(409);
    expect(answer.json.code).toBe('confirmation_required');
    const salted = [{ ...priceTest, salt: 'price-test-2' }];
    await live.put('shop', '{"price":5}', { mapping: salted, publish: false });
    await go('contents/shop/mapping');
    await page.getByRole('button', { name: /^Publish…/ }).click();
    await dialog().getByText('This changes a running experiment').waitFor();
    await dialog().getByRole('button', { name: 'Publish with this experiment change' }).waitFor();
    await faultless();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    expectDone(await live.tryPut('shop', { mapping: [priceTest], publish: false }));
    await go('experiments/cheaper-shop');
  });

  // An event file is sealed after a minute, and only then read.
  it('shows who was in, that it is fair, and what changed', { timeout: 300_000 }, async () => {
    const players = Array.from({ length: 1_200 }, (_, number) => number);
    while (players.length > 0) await Promise.all(players.splice(0, 20).map(play));
    await eventually('the events are in the result', 240_000, async () => {
      await page.reload();
      await settled(page);
      return (
        (await status()
          .getByText(/^“cheap” is better than “control”/)
          .count()) > 0
      );
    });
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Split of the players who saw a variant').waitFor();
    expect(await health.getByRole('img', { name: 'Broken' }).count()).toBe(0);
    const users = page.getByRole('region', { name: 'Players by variant' });
    const shares = await users.getByRole('row', { name: /^cheap/ }).innerText();
    expect(shares).toMatch(/50\.0 %/);
    const metrics = page.getByRole('region', { name: 'Metrics by variant' });
    await metrics.getByRole('row', { name: /^cheap.*Better/ }).waitFor();
    await metrics.getByText('Client-reported').first().waitFor();
    await faultless();
    await page.setViewportSize(narrow);
    await page.emulateMedia({ colorScheme: 'dark' });
    await faultless();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(wide);
  });

  it('is in the list with its health and its lead', async () => {
    await go('experiments');
    const row = page.getByRole('row', { name: /Cheaper shop/ });
    // A narrow window has them at other places of the row.
    const shown = (text: string | RegExp): Locator => row.getByText(text).filter({ visible: true });
    await shown('Healthy').waitFor();
    await shown(/^cheap is better/).waitFor();
    await faultless();
    await row.getByRole('link', { name: 'Cheaper shop' }).click();
  });

  it('is decided with a reason, and makes a release that players get when it goes live', async () => {
    await page.getByRole('button', { name: 'Decide…' }).click();
    await dialog()
      .getByText(/^“cheap” is better than “control”/)
      .waitFor();
    const confirm = dialog().getByRole('button', { name: 'Decide and make the release' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog().getByRole('radio', { name: 'cheap' }).check();
    await dialog().getByRole('textbox', { name: 'Why' }).fill('More buy.');
    await faultless();
    await confirm.click();
    await dialog().waitFor({ state: 'detached' });
    await status()
      .getByText('Decided: “cheap” won. Players get it once release #1 is live.')
      .waitFor();
    await page.getByText('“More buy.”').waitFor();
    expect((await live.wrapped('shop', { u: 'player-0' })).json.meta.seg[0].v).not.toBeNull();
    await page.getByRole('region', { name: 'Decision' }).getByRole('link', { name: '#1' }).click();
    await page.getByRole('button', { name: 'Go live…' }).click();
    await dialog().getByRole('button', { name: 'Go live' }).click();
    await dialog().waitFor({ state: 'detached' });
    for (const u of ['player-0', 'player-1', 'player-2']) {
      expect((await live.wrapped('shop', { u })).json.data).toEqual({ price: 4 });
    }
    await go('experiments');
    const row = page.getByRole('row', { name: /Cheaper shop/ });
    await row.getByText('Winner: cheap').filter({ visible: true }).waitFor();
    await row.getByRole('link', { name: 'Cheaper shop' }).click();
    await status().getByText('Decided: all its players get “cheap”.').waitFor();
    expect(window.complaints).toEqual([]);
  });
});
