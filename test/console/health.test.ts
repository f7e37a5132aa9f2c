/** Health says when requests are rejected, how many and why; how streams fare; and its charts begin now. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { OpenStreams } from '../support/stream/open-stream.js';

let server: LoadoutServer;
let game: Environment;
let window: Window;
let page: Page;
const streams = new OpenStreams();

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ listeners: 1 });
  game = await makeEnvironment(server, 'game');
  await game.put('shop', '{"n":1}');
  window = await Window.open(server.adminUrl);
});
afterAll(async () => {
  streams.closeAll();
  await window?.close();
  await server?.stop();
});

/** Runs in the page before any of its scripts: charts are drawn on canvases, whose texts could not be read otherwise. */
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
  /** Waits until the fact with that name shows the text. */
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
    // A point takes two samples.
    await says('Requests', /connections$/);
    for (let n = 0; n < 30; n += 1) await game.wrapped('shop', { u: String(n) });
    await says(/^Rejected/, '0 %none of 30');
    await says('State', 'ReadyPlayers are served, edits reach them');
    expect(await page.getByRole('heading', { name: 'Rejected requests' }).count()).toBe(0);
  });

  it('warns in words when a share of them is rejected, with the reasons and where to look', async () => {
    for (let n = 0; n < 6; n += 1) await game.wrapped('nothing', { u: String(n) });
    for (let n = 0; n < 2; n += 1) {
      await fetch(new URL('/api/v1/config/shop', server.deliveryUrl), { method: 'POST' });
    }
    await says(/^Rejected/, '21.1 %8 of 38: content_not_found 6, invalid_api_key 2');
    await says(
      'State',
      'Ready, but rejecting21.1 % of the requests were rejected, most of them with content_not_found',
    );
    const reasons = page.getByRole('table', { name: 'Reasons' });
    const row = (code: string) => reasons.getByRole('row', { name: new RegExp(`^${code}`) });
    expect(await row('content_not_found').innerText()).toContain('never published');
    expect(await row('invalid_api_key').innerText()).toContain('Environments');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(window.complaints).toEqual([]);
  });

  it('says how many streams are open of how many, what was sent, and why streams ended', async () => {
    await says('Open streams', /^0of [\d,]+ at most$/);
    expect(await page.getByRole('heading', { name: 'Ended streams' }).count()).toBe(0);
    const [first] = await Promise.all([streams.first(game), streams.first(game)]);
    await game.put('shop', '{"n":2}');
    await first.next();
    await says('Open streams', /^2of [\d,]+ at most$/);
    await says('Streams waiting', '0for the event of a change');
    await says('Stream events', '4sent since the processes started');
    await page.getByRole('img', { name: /^Streams, .* open: 2 now/ }).waitFor();
    first.close();
    const ended = page.getByRole('table', { name: 'Ended streams' });
    await ended
      .getByRole('row', { name: /^client 1 The client closed the connection, or read too slowly/ })
      .waitFor();
    await says('Open streams', /^1of [\d,]+ at most$/);
    await says('Clock', '–compared only with a shared database');
  });

  it('draws the kinds of requests that there are, by names that people know', async () => {
    await game.refresh({});
    await game.flag('shop', { context: { targetingKey: 'ada' } });
    const requests = page.getByRole('region', { name: 'Requests', exact: true });
    await requests.getByText('OpenFeature, one flag').waitFor();
    const labels = await requests.getByRole('listitem').allInnerTexts();
    expect(labels.map((label) => label.split('\n')[0])).toEqual([
      ...['all', 'dynamic', 'content', 'refresh', 'stream', 'OpenFeature, one flag'],
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(window.complaints).toEqual([]);
  });
});
