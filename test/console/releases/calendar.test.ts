/*
 * Goal: a sale in the player's local time, every second weekend, is made by clicks, seen in the calendar, dragged by a week, and
 * previewed for players in Tokyo and Los Angeles. Method: an owner in Chromium, in the zone of Berlin, on a real server.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { type Environment, expectDone, makeEnvironment } from '../../support/server/environment.js';
import { startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

const dayMs = 86_400_000;

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer();
  staging = await makeEnvironment(server, 'staging');
  await staging.put('shop', '{"price":5}');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents/shop/mapping');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const bars = (): Locator => page.locator('[title*="player time"]');
const go = (path: string) => page.goto(new URL(`/env/staging/${path}`, server.adminUrl).href);

/** The clicks of a person, to say how many a task takes. */
let clicks = 0;
async function click(target: Locator): Promise<void> {
  clicks++;
  await target.click();
}

async function saved(): Promise<Record<string, unknown>> {
  return expectDone(await server.admin('GET', `${staging.path}/contents/shop`)).json;
}

/** The text of the mapping as the server has it. */
async function mappingText(): Promise<string> {
  const { text } = await server.admin('GET', `${staging.path}/contents/shop`);
  return /"mapping":(\[.*?\]),"/s.exec(text)?.[1] ?? text;
}

/** The Fridays with a bar of what is live, their midnight read as UTC. */
async function fridays(): Promise<number[]> {
  const found = await bars().all();
  const titles = await Promise.all(found.map((bar) => bar.getAttribute('title')));
  return titles.flatMap((title) => {
    const day = /^Fri (\d+ \w+(?: \d+)?), 18:00 – Mon[\s\S]*\nlive r/.exec(title ?? '')?.[1];
    if (day === undefined) return [];
    const year = new Date().getUTCFullYear();
    const ofYear = day.length > '30 Nov'.length ? day : `${day} ${year}`;
    return [Date.parse(`${ofYear} 00:00Z`)];
  });
}

describe.skipIf(!hasBrowser)('a sale every second weekend, in the player’s time', () => {
  it('is made by clicks, and says what it will do', async () => {
    await click(button('Change for some players'));
    await page.getByRole('textbox', { name: 'Name' }).fill('weekend-sale');
    await click(page.getByRole('radio', { name: "Player's local time" }));
    await click(page.getByRole('switch', { name: 'Repeat on days of the week' }));
    await click(page.getByRole('textbox', { name: 'Every … weeks' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('2');
    await page
      .getByText("Every second Friday 18:00 to Monday 10:00, player's local time.")
      .waitFor();
    await page.getByText(/worldwide it lasts up to 26 hours longer/).waitFor();
    await page.getByText(/limit rewards on your game server/).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('is published with its price', async () => {
    await click(page.getByText('Source', { exact: true }).last());
    await click(page.getByRole('textbox', { name: /values/i }).last());
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"price":4}');
    await click(button('Publish…'));
    await click(dialog().getByRole('button', { name: 'Publish', exact: true }));
    await page.getByText('is live for all players.').waitFor();
    expect((await saved())['mapping']).toMatchObject([
      {
        segment: 'weekend-sale',
        repeat: { days: ['fri'], from: '18:00', until: '10:00', plusDays: 3, everyWeeks: 2 },
        merge: { price: 4 },
      },
    ]);
    console.info(`From the empty targeting to the live sale: ${clicks} clicks.`);
  });

  it('is in the calendar, with the outline of the whole world', async () => {
    await click(page.getByRole('link', { name: 'Calendar' }));
    await bars().first().waitFor();
    const [first = 0, second = 0] = (await fridays()).slice(-2);
    expect(second - first).toBe(14 * dayMs);
    const name = /^weekend-sale, live r2: Every second Friday 18:00 to Monday 10:00/;
    await button(name).waitFor();
    await page.getByText('Nothing touches the same values').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('is dragged by a week, and nothing but its beginning changes', async () => {
    const before = await mappingText();
    const old = await fridays();
    const bar = bars().last();
    const box = await bar.boundingBox();
    const track = await bar.locator('..').boundingBox();
    if (box === null || track === null) throw new Error('The bar is not visible.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - track.width / 10, y, { steps: 4 });
    await page.mouse.move(x - (track.width * 7) / 35, y, { steps: 4 });
    await page.mouse.up();
    await dialog().getByText('Move weekend-sale: 1 week earlier').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Moved. Revision 3 of shop is live for all players.').waitFor();
    const after = await mappingText();
    const from = /"from":\s*"[\dT:-]+"/;
    expect(after).not.toBe(before);
    expect(after.replace(from, '')).toBe(before.replace(from, ''));
    await expect.poll(async () => (await fridays()).at(-1)).toBe((old.at(-1) ?? 0) - 7 * dayMs);
  });

  it('is moved with the arrow keys, and back by Escape', async () => {
    const name = button(/^weekend-sale/);
    await name.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('1 week later. Press Enter to review the move').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await dialog().getByText('Move weekend-sale: 1 week later').waitFor();
  });

  it('says that another user has saved meanwhile, and shows what is saved now', async () => {
    await staging.put('shop', '{"price":6}');
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog().getByText('Another user saved it').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await button(/^weekend-sale, live r4/).waitFor();
    await button(/^weekend-sale/).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Moved in draft r5 of shop.').waitFor();
    await button(/^weekend-sale, draft r5/).waitFor();
  });

  it('cannot be moved live under a draft', async () => {
    await button(/^weekend-sale, live r4/).focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await dialog().getByText('Draft r5 is on top of what is live.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('is shown as it will be: open for a player in Tokyo, and not yet in Los Angeles', async () => {
    const friday = (await fridays()).at(-1) ?? 0;
    // Noon in Berlin: 20:00 in Tokyo, 03:00 in Los Angeles; of a summer, an hour earlier in Tokyo.
    await page.getByLabel('Moment').fill(`${new Date(friday).toISOString().slice(0, 10)}T12:00`);
    await page.getByRole('combobox', { name: "Player's clock" }).click();
    await page.getByRole('option', { name: 'UTC+09:00, Tokyo' }).click();
    await button('Preview').click();
    await page.getByText('What is live now, with the scheduled releases').waitFor();
    const data = page
      .getByRole('region', { name: 'Delivered data' })
      .or(page.locator('pre'))
      .first();
    await expect.poll(() => data.textContent()).toContain('4');
    await page.getByText(/The player's clock shows Fri .*, (?:19|20):00 \(UTC\+09:00\)/).waitFor();
    await page.getByRole('combobox', { name: "Player's clock" }).click();
    await page.getByRole('option', { name: 'UTC-08:00, Los Angeles' }).click();
    await expect.poll(() => data.textContent()).toContain('6');
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('the calendar', () => {
  it('marks what conflicts, and says why in a list', async () => {
    // It has begun: the week of today shows it on each day of the week.
    const window = { from: new Date(Date.now() - dayMs), until: new Date(Date.now() + 9 * dayMs) };
    await staging.put('banner', '{"image":"a"}', {
      mapping: ['spring', 'autumn'].map((segment) => ({
        ...{ segment, when: {}, merge: { image: segment } },
        ...window,
      })),
    });
    await go('calendar');
    const list = page.getByRole('region', { name: 'Conflicts' });
    await list
      .getByText(/banner/)
      .first()
      .waitFor();
    const name = button(/^spring, live r1: .*Conflict: /);
    await list.getByRole('button', { name: 'Show spring' }).first().click();
    await name.and(page.locator(':focus')).waitFor();
    await name.hover();
    await page.getByRole('tooltip').waitFor();
  });

  it('shows a scheduled release where it goes live, on the line of what it changes', async () => {
    await staging.put('banner', '{"image":"b"}', { publish: false });
    const { json } = expectDone(
      await server.admin('POST', `${staging.path}/releases`, {
        title: 'Winter',
        changes: [{ kind: 'content', id: 'banner', revision: 2 }],
        steps: [{ percent: 5, holdMinutes: 60 }],
      }),
    );
    const release = `${staging.path}/releases/${json.release}`;
    const at = new Date(Date.now() + 2 * dayMs).toISOString();
    expectDone(await server.admin('POST', `${release}/submit`, {}));
    expectDone(await server.admin('POST', `${release}/schedule`, { at }));
    await go('calendar');
    const name = /^#1 Winter, scheduled, /;
    await page.getByRole('link', { name }).waitFor();
    await page.locator('[title^="5 % from"]').waitFor();
  });

  it('shows a window in detail, from where it is moved without dragging', async () => {
    await button(/^spring/).click();
    await dialog().getByText('spring in banner').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: '1 day later' }).click();
    await dialog().getByText('Move spring: 1 day later').waitFor();
    await page.keyboard.press('Escape');
  });

  it('asks before values go live that a guard does not allow', async () => {
    const day = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
    await staging.put('lobby', '{"seats":9}', {
      mapping: [{ segment: 'party', when: {}, from: day(2), until: day(4), merge: { seats: 8 } }],
    });
    const guards = [{ path: '/seats', max: 5, severity: 'block' }];
    expectDone(await server.admin('PUT', `${staging.path}/contents/lobby`, { guards }));
    await go('calendar');
    await button(/^party/).click();
    await dialog().getByRole('button', { name: '1 day later' }).click();
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog()
      .getByText(/^Check \d values? before players get/)
      .waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Publish with these values' }).click();
    await page.getByText(/^Moved\. Revision \d+ of lobby is live/).waitFor();
  });

  it.each(['Week', 'Quarter'])('shows a %s, on a phone too', async (zoom) => {
    await page.setViewportSize(narrow);
    await page.getByText(zoom, { exact: true }).click();
    await button('Later').click();
    await button('Today').click();
    await button(/^spring/).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
    await page.setViewportSize(wide);
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });
});
