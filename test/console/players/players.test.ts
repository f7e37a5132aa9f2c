/**
 * Goal: the console shows what a player was given of every content item at a moment or at two, and why; a link shows the same in
 * another window; the role support can do this and nothing else.
 * Method: an owner and a support user in Chromium, on a real server; the delivery port says what players got between the edits.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { eventually } from '../../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

const player = { u: 'ada', p: { spent: 50, big: 1.1 } };
const manyItems = 510;

let server: LoadoutServer;
let game: Environment;
let supportToken: string;
let window: Window;
let page: Page;
/** Strictly between the edits. */
let [early, late] = ['', ''];
/** What the delivery port responded at both. */
const served: string[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  game = await makeEnvironment(server, 'staging');
  await makeEnvironment(server, 'other');
  await game.putSegment('vip', { spent: { $gte: 10 } });
  await game.put('news', '{"title":"Harbour"}');
  await game.put('shop', '{"price":5.00,"gems":1}', {
    mapping: [
      { segment: 'vip', merge: { price: 4 } },
      {
        ...{ segment: 'test', when: {} },
        variants: [{ name: 'all', groups: [0, 999], merge: { gems: 2 } }],
      },
    ],
  });
  early = await look();
  await game.put('shop', '{"price":5.00,"gems":1,"gold":3}');
  await game.putSegment('vip', { spent: { $gte: 100 } });
  await game.put('added', '{"is":"new"}');
  late = await look();
  const made = await server.admin('POST', '/admin/v1/users', {
    ...{ name: 'desk', role: 'support', environments: ['staging'] },
  });
  supportToken = expectDone(made).json.token;
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/players');
}, 120_000);
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

/** @returns a moment at which what was served counts */
async function look(): Promise<string> {
  const after = Date.now();
  await eventually('the clock goes on', 5_000, async () => Date.now() > after + 1);
  served.push((await game.wrapped('shop', player)).text);
  const at = new Date().toISOString();
  await eventually('the clock goes on', 5_000, async () => Date.now() > Date.parse(at) + 1);
  return at;
}

const hash = (fields: Readonly<Record<string, string>>): string =>
  `#${new URLSearchParams({ u: player.u, p: '{ "spent": 50, "big": 1.1 }', ...fields })}`;
const rowOf = (of: Page, id: string): Locator =>
  of.getByRole('row', { name: new RegExp(`^${id} `) });
const faults = async (of: Page): Promise<string[]> => {
  await settled(of);
  return accessibilityFaults(of);
};
const opened = async (of: Page, id: string): Promise<Locator> => {
  await of.getByRole('button', { name: `Details of ${id}` }).click();
  const data = of.getByRole('region', { name: `Delivered data of ${id}` });
  await data.waitFor();
  return data;
};

describe.skipIf(!hasBrowser)('players', () => {
  it('are looked up by keyboard, with what decided', async () => {
    const hint = page.getByText('No attributes were entered');
    await page.getByRole('textbox', { name: 'User id' }).fill(player.u);
    await page.getByRole('textbox', { name: 'User id' }).press('Enter');
    await hint.waitFor();
    await page.getByText('JSON', { exact: true }).first().click();
    await page.getByRole('textbox', { name: /^Attributes/ }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(JSON.stringify(player.p));
    await page.getByRole('textbox', { name: 'User id' }).press('Enter');
    await hint.waitFor({ state: 'detached' });
    await page.getByText('3 content items.').waitFor();
    await rowOf(page, 'shop').getByRole('link', { name: 'r2', exact: true }).waitFor();
    expect(await rowOf(page, 'shop').innerText()).toMatch(/test\s+→\s+all/);
    const data = await opened(page, 'shop');
    expect(await data.innerText()).toContain('"gold": 3');
    await page.getByText('condition false').waitFor();
    // Attributes stay out of the requests of the page itself: they are in the fragment.
    const { search, hash: kept } = new URL(page.url());
    expect([search, kept.includes('spent')]).toEqual(['', true]);
    expect(await faults(page)).toEqual([]);
  });

  it('are filtered by id and by outcome', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('ne');
    await page.getByText('1 of 3 content items.').waitFor();
    expect(await rowOf(page, 'shop').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search content items' }).fill('');
    await page.getByRole('combobox', { name: 'Show' }).click();
    await page.getByRole('option', { name: 'not found (404) (0)' }).click();
    await page.getByText('0 of 3 content items.').waitFor();
  });

  it('are compared at two moments: what differs, where, and what changed in between', async () => {
    await page.goto(`${server.adminUrl}/env/other/players`);
    await page.goto(`${server.adminUrl}/env/staging/players${hash({ at: early, with: late })}`);
    await page.getByText('2 of 3 content items at both moments.').waitFor();
    const shop = rowOf(page, 'shop');
    for (const change of [
      'revision r1 → r2',
      'segment vip r1 → r2',
      'rule vip applied → did not apply',
    ]) {
      await shop.getByText(change).waitFor();
    }
    await rowOf(page, 'added').getByText('outcome not found (404) → delivered').waitFor();
    expect(await rowOf(page, 'news').count()).toBe(0);
    await opened(page, 'shop');
    await page.getByText('/gold', { exact: true }).waitFor();
    const changed = await page.locator('li', { hasText: '/price' }).innerText();
    expect(changed).toMatch(/4\s*→\s*5\.00/);
    const copies = page.getByRole('button', { name: 'Wrapped response, byte for byte' });
    for (const [at, response] of served.entries()) {
      await copies.nth(at).click();
      await page.locator('pre', { hasText: response }).waitFor();
    }
    expect(await faults(page)).toEqual([]);
    const link = page.getByRole('link', { name: 'What changed from r1 to r2' });
    expect(await link.getAttribute('href')).toBe('/env/staging/contents/shop/history?from=1&to=2');
  });

  it('come back with the link that was copied', async () => {
    await window.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    const fresh = await Window.open(server.adminUrl);
    try {
      const tab = await fresh.signIn(ownerToken, link.slice(server.adminUrl.length));
      await tab.getByText('2 of 3 content items at both moments.').waitFor();
      expect(await tab.getByRole('textbox', { name: 'User id' }).inputValue()).toBe(player.u);
      expect(await tab.getByRole('textbox', { name: 'Value of big' }).inputValue()).toBe('1.1');
      expect(fresh.complaints).toEqual([]);
    } finally {
      await fresh.close();
    }
  });

  it('have no link where it would be too long', async () => {
    await page.goto(`${server.adminUrl}/env/staging/players`);
    await page.getByText('JSON', { exact: true }).first().click();
    await page.getByRole('textbox', { name: /^Attributes/ }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(JSON.stringify({ tags: 'x'.repeat(7_000) }));
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('3 content items.').waitFor();
    await page.getByText(/^Too long for a link/).waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });

  it('say where a moment is not possible', async () => {
    await page.getByRole('textbox', { name: 'User id' }).waitFor();
    await page.getByLabel('Moment', { exact: true }).fill('2999-01-01T00:00');
    await page.getByText(/^This moment is in the future/).waitFor();
    expect(await page.getByRole('button', { name: 'Look up' }).isDisabled()).toBe(true);
  });

  it(`are looked up in an environment of ${manyItems} content items`, async () => {
    const large = await makeEnvironment(server, 'large');
    const ids = Array.from({ length: manyItems }, (_, at) => `item-${at}`);
    while (ids.length > 0) await Promise.all(ids.splice(0, 10).map((id) => large.put(id, '{}')));
    await page.goto(`${server.adminUrl}/env/large/players#u=ada&at=now`);
    await page.getByText(`${manyItems} content items.`).waitFor({ timeout: 60_000 });
    await page.getByRole('searchbox', { name: 'Search content items' }).fill('item-509');
    await page.getByText(`1 of ${manyItems} content items.`).waitFor();
    await rowOf(page, 'item-509').getByText('delivered').waitFor();
  }, 120_000);

  it('are found from the preview of a content item', async () => {
    await page.goto(`${server.adminUrl}/env/staging/contents/shop/preview`);
    await page.getByRole('textbox', { name: 'User id' }).fill('grace');
    const link = page.getByRole('link', { name: 'All content of this player' });
    await eventually('the link names the player', 10_000, async () =>
      ((await link.getAttribute('href')) ?? '').includes('u=grace'),
    );
    await link.click();
    await page.getByRole('heading', { name: 'grace' }).waitFor();
    await page.getByText('3 content items.').waitFor();
  });

  it('cause no complaints of the page', () => expect(window.complaints).toEqual([]));
});

describe.skipIf(!hasBrowser)('the role support', () => {
  it('sees players, and nothing else', async () => {
    const desk = await Window.open(server.adminUrl, { viewport: narrow });
    const failed: string[] = [];
    try {
      const tab = await desk.signIn(supportToken);
      tab.on('response', (response) => {
        if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
      });
      await tab.waitForURL('**/env/staging/players');
      await tab.getByRole('textbox', { name: 'User id' }).fill(player.u);
      await tab.getByRole('button', { name: 'Look up' }).click();
      await tab.getByText('3 content items.').waitFor();
      await opened(tab, 'shop');
      const table = tab.getByRole('table', { name: 'Content items' });
      expect(await table.getByRole('link').count()).toBe(0);
      expect(await faults(tab)).toEqual([]);
      const isWider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await tab.evaluate(isWider)).toBe(false);
      await tab.getByRole('button', { name: 'Find or do…' }).click();
      const options = tab.getByRole('dialog').getByRole('option');
      await options.first().waitFor();
      const names = await options.allInnerTexts();
      expect(names.some((name) => name.startsWith('Players'))).toBe(true);
      expect(names.filter((name) => /^(Overview|Content|Releases|People)/.test(name))).toEqual([]);
      await tab.keyboard.press('Escape');
      await tab.getByRole('button', { name: 'Open the menu' }).click();
      const screens = tab.getByRole('navigation', { name: 'Environment' }).getByRole('link');
      expect(await screens.allInnerTexts()).toEqual(['Players']);
      for (const path of ['/env/staging', '/env/staging/contents/shop', '/people', '/no/such']) {
        await tab.goto(new URL(path, server.adminUrl).href);
        await tab.getByRole('heading', { name: 'The role support sees Players only' }).waitFor();
        expect(await faults(tab)).toEqual([]);
      }
      await tab.getByRole('link', { name: 'Go to Players' }).click();
      await tab.waitForURL('**/env/staging/players');
      expect(failed).toEqual([]);
      expect(desk.complaints).toEqual([]);
    } finally {
      await desk.close();
    }
  });

  it('is offered where a user is made', async () => {
    await page.goto(`${server.adminUrl}/people`);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByRole('radio', { name: 'Support' }).check();
    await page.getByText(/on the screen Players, by command or API/).waitFor();
  });
});
