/** The incident tab in a browser: a list is pasted, and who was given the value is found. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window } from '../../support/browser/browser.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let game: Environment;
let window: Window;
let page: Page;

const text = (price: number) => JSON.stringify({ offers: [{ price }] });

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  game = await makeEnvironment(server, 'staging');
  const mapping = [
    { segment: 'german', when: { country: 'DE' }, merge: { offers: [{ price: 0.99 }] } },
  ];
  await game.put('incident', text(4.99));
  await game.putMapping('incident', mapping);
  await game.putMapping('incident', []);
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/players/incident');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
const choice = (label: string) => page.getByRole('combobox', { name: label, exact: true });
const find = () => page.getByRole('button', { name: 'Find players' });

describe.skipIf(!hasBrowser)('the incident tab', () => {
  it('says what is missing, and which lines of the list it cannot read', async () => {
    await find().click();
    await page.getByText('Enter the id of a content item.').waitFor();
    await field('Players').fill('a\n{"u":');
    await page.getByText('Line 2: is not JSON.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('finds with the keyboard alone who was given the value, and when first', async () => {
    await choice('Content item').focus();
    await page.keyboard.type('incident');
    await page.keyboard.press('Tab');
    await page.keyboard.type('price');
    await page.getByRole('option', { name: '/offers/0/price' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await choice('Place').inputValue()).toBe('/offers/0/price');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0.99');
    await field('Players').fill('id;version;country\nanna;1.4.0;DE\nben;1.4.0;FR\ncleo;;DE\n');
    await field('Value').focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 3 players were given this value.').waitFor();
    const rows = page.getByRole('table', { name: 'Players' }).getByRole('row');
    expect(await rows.count()).toBe(3);
    const anna = page.getByRole('link', { name: 'anna' });
    const address = new URL((await anna.getAttribute('href')) ?? '', server.adminUrl);
    expect(address.pathname).toBe('/env/staging/players');
    const named = new URLSearchParams(address.hash.slice(1));
    expect([named.get('u'), named.get('v'), named.get('p')]).toEqual([
      ...['anna', '1.4.0', '{"country":"DE"}'],
    ]);
    expect(Date.now() - Date.parse(named.get('at') ?? '')).toBeLessThan(3_600_000);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('lists all, and hands out a CSV', async () => {
    await page.getByText('All', { exact: true }).click();
    await page.getByRole('link', { name: 'ben' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('incident-players.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^anna,given,2/);
    expect(lines[2]).toMatch(/^ben,not_given,,/);
  });

  it('shows the problem of the server, and can ask again', async () => {
    await choice('Content item').fill('nothing');
    await find().click();
    await page
      .getByRole('alert')
      .getByText(/has no content "nothing"/)
      .waitFor();
    await choice('Content item').fill('incident');
    await find().click();
    await page.getByText('2 of 3 players were given this value.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('fits a phone', async () => {
    await page.setViewportSize(narrow);
    await page.getByRole('link', { name: 'anna' }).waitFor();
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => page.evaluate<number>(beyond)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
