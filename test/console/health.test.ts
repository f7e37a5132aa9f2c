/** Health says what is wrong, why requests are rejected and what was published; its charts show an hour, which survives a reload. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
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
  server = await startServer({ listeners: 1, flags: ['--webhooks-to-local'] });
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

  const findings = () => page.getByRole('list', { name: 'Findings' });

  it('draws charts that end now, before anything was measured', async () => {
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
    expect(times.filter((time) => minutesFromNow(time) > 11)).toEqual([]);
    await page
      .getByText(/^This server started .* ago\. It has no figures of the time before\.$/)
      .waitFor();
  });

  it('is ready and green while requests are answered', async () => {
    await page.getByText('Nothing that this server knows of.').waitFor();
    await says('State', 'ReadyPlayers are served, edits reach them');
    // A point takes two samples.
    await says('Requests', /connections$/);
    for (let n = 0; n < 30; n += 1) await game.wrapped('shop', { u: String(n) });
    await says(/^Rejected/, '0 %none of 30');
    await says('State', 'ReadyPlayers are served, edits reach them');
    expect(await page.getByRole('heading', { name: 'Rejected requests' }).count()).toBe(0);
  });

  it('needs attention in words when a share of them is rejected, and says why and where to look', async () => {
    for (let n = 0; n < 5; n += 1) await game.wrapped('shops', { u: String(n) });
    await fetch(new URL('/api/v1/config/shop', server.deliveryUrl), { method: 'POST' });
    await says(/^Rejected/, '16.7 %6 of 36: content_not_found 5, invalid_api_key 1');
    await says('State', 'Needs attentionSee What is wrong');
    const wrong = findings().getByRole('listitem');
    await wrong
      .filter({
        hasText:
          /^Attention16\.7 % of the requests of the last 10 minutes were rejected, most of them with content_not_found\./,
      })
      .waitFor();
    const reasons = page.getByRole('table', { name: 'Reasons' });
    const row = reasons.getByRole('row', { name: /^content_not_found/ });
    expect(await row.innerText()).toContain('never published');
    expect(await row.getByRole('cell').nth(3).innerText()).toBe('shops');
    await row.getByRole('link', { name: 'test' }).waitFor();
    const unkeyed = reasons.getByRole('row', { name: /^invalid_api_key/ });
    expect(await unkeyed.innerText()).toContain('missing or unknown');
    await wrong.getByRole('link', { name: 'Rejected requests' }).click();
    expect(new URL(page.url()).hash).toBe('#rejected');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(window.complaints).toEqual([]);
  });

  it('links a rejected request to the content item that it asked for', async () => {
    await game.wrapped('shop', '{');
    const row = page.getByRole('row', { name: /^invalid_body/ });
    const link = row.getByRole('link', { name: 'shop' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('/env/game/contents/shop');
  });

  it('still has the minutes before after a reload, and an hour of them', async () => {
    const points = async (): Promise<{ rejected: number }[]> =>
      (await server.admin('GET', '/admin/v1/health/history')).json.points;
    const content = new URL('/api/v1/config/shop', server.deliveryUrl);
    for (let n = 0; n < 6; n += 1) await fetch(content, { method: 'POST' });
    await eventually('the server keeps a point with rejected requests', 40_000, async () =>
      (await points()).some(({ rejected }) => rejected > 0),
    );
    await page.reload();
    const chart = (label: RegExp) => page.getByRole('img', { name: label }).waitFor();
    await page.getByRole('radiogroup', { name: 'Requests by' }).getByText('By status').click();
    // More than the page itself has seen since: no request was rejected in its time.
    await chart(/^Requests, .* 4xx: .*, between [\d.]+\/s and (?:0\.)?[1-9]/);
    await page
      .getByRole('radiogroup', { name: 'Time that the charts show' })
      .getByText('1 h')
      .click();
    await page.getByRole('heading', { name: 'The last hour' }).waitFor();
    await chart(/^Requests, .* 4xx: .*, between [\d.]+\/s and (?:0\.)?[1-9]/);
  });

  it('marks what was published, by number, in charts, tables and a list with links', async () => {
    await game.put('banner', '{"n":1}');
    const list = page.getByRole('table', { name: 'Published in this time' });
    const row = list.getByRole('row', { name: /published banner game owner$/ });
    await row.waitFor();
    const number = await row.getByRole('cell').first().innerText();
    expect(await row.getByRole('link').getAttribute('href')).toBe(
      '/env/game/contents/banner/history',
    );
    await page
      .getByRole('img', { name: new RegExp(`${number}: published banner`) })
      .first()
      .waitFor();
    await page.waitForFunction(
      (mark) =>
        (globalThis as unknown as { drawn: string[] }).drawn.some((text) => text.endsWith(mark)),
      number,
    );
    await page.getByRole('switch', { name: 'Tables instead of charts' }).click();
    const requests = page.getByRole('region', { name: 'Requests, as a table' });
    await requests.getByRole('columnheader', { name: 'Published until then' }).waitFor();
    await requests.getByRole('cell', { name: new RegExp(`${number}: published banner`) }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('switch', { name: 'Tables instead of charts' }).click();
    await page
      .getByRole('radiogroup', { name: 'Time that the charts show' })
      .getByText('10 min')
      .click();
    await page.getByRole('radiogroup', { name: 'Requests by' }).getByText('By kind').click();
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

  it('has a tile and a line for failing webhooks, for owners only', async () => {
    // Nothing listens there.
    const webhook = { url: 'http://127.0.0.1:9/', description: 'Build server' };
    expectDone(await server.admin('POST', '/admin/v1/webhooks', webhook));
    await game.put('shop', '{"n":3}');
    await says('Webhooks', /^1 failing/);
    const line = findings()
      .getByRole('listitem')
      .filter({ hasText: /^Attention1 webhook fails/ });
    await line.getByRole('link', { name: 'Webhooks' }).waitFor();
    const made = await server.admin('POST', '/admin/v1/users', { name: 'vera', role: 'viewer' });
    const other = await Window.open(server.adminUrl);
    try {
      page = await other.signIn(made.json.token, '/health');
      await says('State', 'Needs attentionSee What is wrong');
      expect(await page.locator('dt').getByText('Webhooks').count()).toBe(0);
      expect(await findings().innerText()).not.toContain('webhook');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(other.complaints).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
