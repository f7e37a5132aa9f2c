/** Health says when requests are refused, how many and why; and its charts begin now. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let game: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server, 'game');
  await game.put('shop', '{"n":1}');
  window = await Window.open(server.adminUrl);
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

/** Runs in the page before any of its scripts: charts are drawn on canvases, whose texts nobody could read else. */
const noteDrawnTexts = `
  globalThis.drawn = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    globalThis.drawn.push(String(text));
    return draw.call(this, text, ...more);
  };
`;

const clock = /^(\d\d):(\d\d):(\d\d)$/;
const minutesOfDay = 24 * 60;

/** Minutes between a clock time of the page, whose zone is Berlin, and now. */
function minutesFromNow(time: string): number {
  const [, hours = '', minutes = ''] = clock.exec(time) ?? [];
  const zone = { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' } as const;
  const now = new Intl.DateTimeFormat('en-GB', zone).format(new Date());
  const [nowHours = '', nowMinutes = ''] = now.split(':');
  const apart = Number(hours) * 60 + Number(minutes) - Number(nowHours) * 60 - Number(nowMinutes);
  return Math.min(Math.abs(apart), minutesOfDay - Math.abs(apart));
}

describe.skipIf(!hasBrowser)('Health', () => {
  /** Waits until the fact of that name says so. */
  const says = (name: string | RegExp, words: string | RegExp): Promise<void> =>
    page
      .getByRole('region', { name: 'This server' })
      .locator('div', { has: page.locator('dt').getByText(name) })
      .locator('dd', { hasText: words })
      .waitFor();

  it('draws charts that begin now, before anything was measured', async () => {
    await window.context.addInitScript(noteDrawnTexts);
    page = await window.signIn(ownerToken, '/health');
    await page
      .getByRole('img', { name: /^Requests, / })
      .locator('canvas')
      .waitFor();
    const drawn = async (): Promise<string[]> =>
      ((await page.evaluate('globalThis.drawn')) as string[]).filter((text) => clock.test(text));
    await page.waitForFunction(
      'globalThis.drawn.some((text) => /^\\d\\d:\\d\\d:\\d\\d$/.test(text))',
    );
    const times = await drawn();
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((time) => minutesFromNow(time) > 2)).toEqual([]);
  });

  it('is ready and green while requests are answered', async () => {
    await says('State', 'ReadyPlayers are served, edits reach them');
    // From the second look on there is a moment between two.
    await says('Requests', /connections$/);
    for (let n = 0; n < 30; n += 1) await game.wrapped('shop', { u: String(n) });
    await says(/^Refused/, '0 %none of 30');
    await says('State', 'ReadyPlayers are served, edits reach them');
    expect(await page.getByRole('heading', { name: 'Refused requests' }).count()).toBe(0);
  });

  it('warns in words when a share of them is refused, with the reasons and where to look', async () => {
    for (let n = 0; n < 6; n += 1) await game.wrapped('nothing', { u: String(n) });
    for (let n = 0; n < 2; n += 1) {
      await fetch(new URL('/api/v1/config/shop', server.deliveryUrl), { method: 'POST' });
    }
    await says(/^Refused/, '21.1 %8 of 38: content_not_found 6, invalid_api_key 2');
    await says(
      'State',
      'Ready, but refusing21.1 % of the requests were refused, most of them with content_not_found',
    );
    const reasons = page.getByRole('table', { name: 'Reasons for refusal' });
    const row = (code: string) => reasons.getByRole('row', { name: new RegExp(`^${code}`) });
    expect(await row('content_not_found').innerText()).toContain('never published');
    expect(await row('invalid_api_key').innerText()).toContain('Environments');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(window.complaints).toEqual([]);
  });
});
