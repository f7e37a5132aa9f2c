/**
 * The demo's browser game beside the console: whoever edits sees the market follow, by the kit's stream and without a reload.
 * Method: `loadout demo`, the game and the console in one Chromium.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../support/browser/browser.js';
import { Demo } from '../support/server/demo.js';

/** What the server promises for a wake at its default pace, and the kit's part in it. */
const updateMsMax = 10_000;

let demo: Demo;
let window: Window;
let consoleWindow: Window;
let game: Page;
let editor: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  demo = await Demo.start();
  window = await Window.open(demo.gameUrl, { viewport: wide });
  game = await window.tab();
  consoleWindow = await Window.open(demo.consoleUrl, { viewport: wide });
  editor = await consoleWindow.signIn(demo.token, '/env/staging/contents/shop');
});
afterAll(async () => {
  await window?.close();
  await consoleWindow?.close();
  await demo?.stop();
});

const offer = (name: RegExp) => game.getByRole('button', { name });

/** Changes a price in the console: by keys and buttons, as an editor does. */
async function edit(before: string, after: string): Promise<void> {
  const text = await liveText();
  expect(text.split(before)).toHaveLength(2);
  await editor.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
  await editor.keyboard.press('ControlOrMeta+a');
  await editor.keyboard.insertText(text.replace(before, after));
  await editor.getByRole('button', { name: /^Publish/ }).click();
  const dialog = editor.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function liveText(): Promise<string> {
  const url = new URL('/admin/v1/environments/staging/contents/shop', demo.consoleUrl);
  const response = await fetch(url, { headers: { authorization: `Bearer ${demo.token}` } });
  const { lines } = (await response.json()) as { lines: { text: string }[] };
  return lines[0]?.text ?? '';
}

describe.skipIf(!hasBrowser)('the browser game of the demo', () => {
  it('shows the shop of the player', async () => {
    await game.getByText('Welcome!').waitFor();
    await offer(/^Chest of pearls, 1,200 pearls: \$9\.99$/).waitFor();
    await game.getByRole('img', { name: /^Harbour market: Fresh from the ships\./ }).waitFor();
  });

  it('follows an edit in the console, by its stream', async () => {
    const loads: string[] = [];
    game.on('framenavigated', () => loads.push(game.url()));
    await edit('"price": 9.99', '"price": 7.77');
    await offer(/^Chest of pearls, 1,200 pearls: \$7\.77, before \$9\.99$/).waitFor({
      timeout: updateMsMax,
    });
    await game
      .getByRole('status')
      .getByText('The market has changed. Chest of pearls now costs $7.77.')
      .waitFor();
    expect(loads).toEqual([]);
  });

  it('keeps a price from its display to the purchase, and takes in the new one afterwards', async () => {
    await offer(/^Chest of pearls/).click();
    const counter = game.getByRole('dialog', { name: 'Chest of pearls for $7.77?' });
    await counter.waitFor();
    await edit('"price": 7.77', '"price": 6.66');
    await counter
      .getByText('New goods have come in, and wait until you are done.')
      .waitFor({ timeout: updateMsMax });
    expect(await counter.getByRole('heading').textContent()).toBe('Chest of pearls for $7.77?');
    // From "Not now", where the dialog begins.
    await game.keyboard.press('Tab');
    await game.keyboard.press('Enter');
    await offer(/^Chest of pearls, 1,200 pearls: \$6\.66, before \$7\.77$/).waitFor();
    await game.getByRole('img', { name: /1225 pearls/ }).waitFor();
  });

  it('changes nothing during a voyage', async () => {
    await game.getByRole('button', { name: 'Sail out for 4 embers' }).click();
    expect(await game.getByRole('combobox', { name: 'Player' }).isDisabled()).toBe(true);
    await edit('"price": 6.66', '"price": 5.55');
    await offer(/^Chest of pearls, 1,200 pearls: \$5\.55/).waitFor({ timeout: updateMsMax });
    // The coins of the voyage are there: it was over.
    const harbour = await game.getByRole('img').getAttribute('aria-label');
    expect(harbour).toMatch(/ 620 coins.* 16 of 30 embers/);
  });

  it('shows each player their own variants and segments', async () => {
    for (const [player, price, banner] of [
      [/^Ada/, '$5.99', 'Welcome aboard!'],
      [/^Grace/, '$3.99', 'For friends of the observatory'],
      [/^Alan/, '$7.99', 'Fresh from the ships'],
    ] as const) {
      const name = await game.getByRole('option', { name: player }).textContent();
      await game.getByRole('combobox', { name: 'Player' }).selectOption({ label: name ?? '' });
      await game.getByRole('img', { name: new RegExp(`^Harbour market: ${banner}`) }).waitFor();
      await offer(new RegExp(`^Navigator’s bundle.*: \\${price}$`)).waitFor();
    }
  });

  it('has values without a server, and sells none that may have ended', async () => {
    const { origin } = new URL(demo.gameUrl);
    await window.context.route(
      (url) => url.origin !== origin,
      (route) => route.abort(),
    );
    // Beyond the festival, with which the configuration changes.
    await game.clock.setFixedTime(Date.now() + 30 * 86_400_000);
    await game.reload();
    await offer(/^Chest of pearls, 1,200 pearls: \$5\.55$/).click();
    await game.getByRole('button', { name: 'Buy' }).click();
    await game.getByText('Chest of pearls has just ended, and was not sold.').waitFor();
    await game.clock.setFixedTime(Date.now());
    await window.context.unrouteAll();
    await game.reload();
    await game.getByText('Welcome!').waitFor();
  });

  it.each([
    ['light', wide],
    ['dark', narrow],
  ] as const)('has no serious fault in %s, and fits the window', async (colorScheme, viewport) => {
    await game.emulateMedia({ colorScheme });
    await game.setViewportSize(viewport);
    expect(await accessibilityFaults(game)).toEqual([]);
    await offer(/^Pouch/).click();
    expect(await accessibilityFaults(game)).toEqual([]);
    await game.keyboard.press('Escape');
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await game.evaluate(beyond)).toBe(0);
  });

  it('complained of nothing', () => {
    expect(window.complaints).toEqual([]);
  });
});
