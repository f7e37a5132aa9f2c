/*
 * Goal: the first screen says what is on, what comes, what is wrong and what waits for its reader, and each of it leads to its place.
 * Method: a game with a staging and a live environment on a real server; an owner, an editor and a viewer, each in a window of Chromium.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';
import { type Answer, send } from '../support/wire/exchange.js';

const dayMs = 86_400_000;
/** The overview is read again by itself every 15 seconds. */
const polledMs = 30_000;

let server: LoadoutServer;
let staging: Environment;
let live: Environment;
const windows: Window[] = [];
let nora: Page;

/** @returns a token of theirs */
async function makeUser(name: string, role: string): Promise<string> {
  return (await post('/admin/v1/users', { name, role })).json.token;
}

async function signIn(token: string, path: string): Promise<Page> {
  const window = await Window.open(server.adminUrl);
  windows.push(window);
  return window.signIn(token, path);
}

/** @param token left out: of the owner of the server */
async function ask(
  method: string,
  path: string,
  body: object,
  token = ownerToken,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = { method, headers, body: JSON.stringify(body) };
  return expectDone(await send(server.adminUrl, path, sent));
}

const post = (path: string, body: object = {}, token?: string): Promise<Answer> =>
  ask('POST', path, body, token);

/** Midnight UTC, some days from now. */
const dayFromNow = (days: number): string =>
  new Date(Math.floor(Date.now() / dayMs) * dayMs + days * dayMs).toISOString();

const priceTest = {
  segment: 'price-test',
  when: {},
  salt: 'exp-1',
  variants: [
    { name: 'control', groups: [0, 499] },
    { name: 'cheap', groups: [500, 999], merge: { price: 3 } },
  ],
};

let tokens: { readonly nora: string; readonly mei: string; readonly vera: string };

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ flags: ['--webhooks-to-local'] });
  staging = await makeEnvironment(server, 'staging');
  live = await makeEnvironment(server, 'live');
  await ask('PATCH', live.path, { name: 'Live', protected: true });
  await ask('PATCH', staging.path, { name: 'Staging' });
  tokens = {
    nora: await makeUser('nora', 'owner'),
    mei: await makeUser('mei', 'editor'),
    vera: await makeUser('vera', 'viewer'),
  };
  await fillStaging();
  await fillLive();
  nora = await signIn(tokens.nora, '/');
});
afterAll(async () => {
  for (const window of windows) await window.close();
  await server?.stop();
});

async function fillStaging(): Promise<void> {
  const local = (at: string): string => at.slice(0, 19);
  const weekend = {
    ...{ segment: 'weekend', when: {}, from: local(dayFromNow(-1)), until: local(dayFromNow(2)) },
    merge: { open: true },
  };
  await staging.put('events', '{"open":false}', { mapping: [weekend] });
  await staging.put('shop', '{"price":5}', { mapping: [priceTest] });
  await staging.put('ads', '{"every":3}');
}

async function fillLive(): Promise<void> {
  const { plan } = (await post(`${live.path}/sync`, { from: 'staging', dryRun: true })).json;
  await post(`${live.path}/sync`, { from: 'staging', plan });
  await post(`${live.path}/experiments`, {
    ...{ id: 'prices', name: 'Price of gems', content: 'shop', segment: 'price-test' },
    control: 'control',
  });
  await post(`${live.path}/experiments/prices/start`);
  await live.put('ads', '{"every":9}', { note: 'Too many since noon' });
  await staging.put('events', '{"open":false,"title":"harbour"}', {});
  await post('/admin/v1/webhooks', deadWebhook);
  await live.put('ads', '{"every":8}');
  await eventually('the webhook fails', 15_000, async () => {
    const { webhooks } = (await server.admin('GET', '/admin/v1/webhooks')).json;
    return webhooks[0].failures > 0;
  });
  await scheduleRelease();
  await ask('PATCH', live.path, { review: 1 });
  await submitAsMei();
}

/** No process listens on port 9. */
const deadWebhook = { url: 'http://127.0.0.1:9/hook', description: 'Chat of the team' };

async function scheduleRelease(): Promise<void> {
  await live.put('ads', '{"every":7}', { publish: false });
  const changes = [{ kind: 'content', id: 'ads' }];
  await post(`${live.path}/releases`, { title: 'Calmer ads', changes });
  await post(`${live.path}/releases/1/submit`);
  await post(`${live.path}/releases/1/schedule`, { at: dayFromNow(2) });
}

async function submitAsMei(): Promise<void> {
  const draft = { text: '{"open":false,"title":"winter"}', publish: false };
  const path = `${live.path}/contents/events`;
  await ask('PUT', path, draft, tokens.mei);
  const changes = [{ kind: 'content', id: 'events' }];
  await post(`${live.path}/releases`, { title: 'Winter', changes }, tokens.mei);
  await post(`${live.path}/releases/2/submit`, {}, tokens.mei);
}

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const link = (where: Page | Locator, name: string | RegExp): Locator =>
  where.getByRole('link', { name });
const state = (page: Page, name: string | RegExp): Locator =>
  link(page.getByRole('list', { name: 'State' }), name);
const open = (page: Page, path: string) => page.goto(new URL(path, server.adminUrl).href);

/** Follows a link of the overview, and comes back. */
async function leadsTo(page: Page, from: Locator, place: string, heading: RegExp): Promise<void> {
  await from.click();
  await page.waitForURL((url) => `${url.pathname}${url.search}` === place);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

describe.skipIf(!hasBrowser)('the overview', () => {
  it('is where the console opens, and the first entry of the navigation', async () => {
    await nora.waitForURL('**/env/live');
    await nora.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const entries = nora.getByRole('navigation', { name: 'Environment', exact: true });
    const first = entries.getByRole('link').first();
    expect(await first.textContent()).toBe('Overview');
    expect(await first.getAttribute('aria-current')).toBe('page');
    await link(entries, 'Content').click();
    await nora.getByRole('heading', { level: 1, name: 'Content' }).waitFor();
    expect(await first.getAttribute('aria-current')).toBeNull();
    await first.click();
    await nora.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });

  it('says the state in a row of links', async () => {
    const sync = '/env/live/sync?from=staging';
    await leadsTo(nora, state(nora, '3 content items live'), '/env/live/contents', /^Content$/);
    await leadsTo(nora, state(nora, '1 window open'), '/env/live/calendar', /^Calendar$/);
    const scheduled = '/env/live/releases?state=scheduled';
    await leadsTo(nora, state(nora, '1 release scheduled'), scheduled, /^Releases$/);
    const running = '/env/live/experiments?state=running';
    await leadsTo(nora, state(nora, '1 experiment running'), running, /^Experiments$/);
    await leadsTo(nora, state(nora, '1 webhook failing'), '/webhooks', /^Webhooks$/);
    await leadsTo(nora, state(nora, 'Staging is 2 content items ahead'), sync, /^Sync into Live$/);
  });

  it('shows windows, releases and experiments in time, a local window with the outline of all zones', async () => {
    const timeline = part(nora, 'Timeline');
    const window = timeline.getByRole('listitem').filter({ hasText: 'weekend in events' });
    await window.getByText(/player time$/).waitFor();
    const bar = await window.locator('[title*="player time"]').boundingBox();
    const ghost = await window.locator('[class*="ghost"]').boundingBox();
    if (bar === null || ghost === null) throw new Error('the window has no bar');
    expect(ghost.x).toBeLessThan(bar.x);
    expect(ghost.x + ghost.width).toBeGreaterThan(bar.x + bar.width);
    const rule = '/env/live/contents/events/mapping?rule=0';
    await leadsTo(nora, link(timeline, 'weekend in events'), rule, /^events$/);
    await timeline.getByText(/^Scheduled, /).waitFor();
    await leadsTo(nora, link(timeline, '#1 Calmer ads'), '/env/live/releases/1', /Calmer ads/);
    await timeline.getByText(/^Day 1 of 14/).waitFor();
    const experiment = '/env/live/experiments/prices';
    await leadsTo(nora, link(timeline, 'Price of gems'), experiment, /Price of gems/);
    await leadsTo(nora, link(timeline, 'Changes'), '/activity?environment=live', /^Activity$/);
  });

  it('says what an experiment leads to as of the last time it was computed', async () => {
    await part(nora, 'Timeline')
      .getByText(/as of just now|as of \d+ minutes? ago/)
      .waitFor({
        timeout: polledMs,
      });
  });

  it('lists what waits for its reader', async () => {
    await state(nora, '1 release waiting for you').click();
    const isThere = 'document.activeElement?.id === "needs-you"';
    await eventually('the focus is there', 5_000, () => nora.evaluate(isThere));
    const needs = part(nora, 'Needs you');
    await needs.getByText('waits for your approval: 1 change by mei').waitFor();
    await leadsTo(nora, link(needs, '#2 Winter'), '/env/live/releases/2', /Winter/);
  });

  it('lists what is wrong: the webhook that fails, and the hotfix that a sync would cover', async () => {
    const wrong = part(nora, 'Needs attention');
    await wrong.getByText(/^Chat of the team fails: \d+ attempts? in a row/).waitFor();
    const { webhooks } = (await server.admin('GET', '/admin/v1/webhooks')).json;
    await link(wrong, 'Chat of the team').click();
    await nora.waitForURL(`**/webhooks/${webhooks[0].id}`);
    await nora.goBack();
    await wrong.getByText(/^ads was changed here only, by .*a sync from Staging/).waitFor();
    const sync = '/env/live/sync?from=staging';
    await leadsTo(nora, link(wrong, 'ads'), sync, /^Sync into Live$/);
  });

  it('lists rejected requests by reason, key and content item, and leads to Health', async () => {
    for (let times = 0; times < 30; times += 1) {
      expect((await live.ask('POST', '/api/v1/config/shopp', {})).status).toBe(404);
    }
    const rejected = part(nora, 'Needs attention')
      .getByRole('listitem')
      .filter({ hasText: '404 content_not_found 30 requests for “shopp” with key “test”' });
    await rejected.waitFor({ timeout: polledMs * 2 });
    const share = state(nora, /^100 % of requests rejected$/);
    await leadsTo(nora, share, '/health', /^Health$/);
    await leadsTo(nora, link(rejected, '404 content_not_found'), '/health', /^Health$/);
  });

  it('lists the latest changes with their reasons, and drafts that others have saved', async () => {
    const changes = part(nora, 'Latest changes');
    await changes.getByText('ads r3 went live').first().waitFor();
    await changes.getByText(/: Too many since noon$/).waitFor();
    const history = '/env/live/contents/ads/history';
    await leadsTo(nora, link(changes, 'ads').first(), history, /^ads$/);
    const drafts = part(nora, 'Drafts');
    await drafts.getByText('events draft r2 by mei, in release #2; r1 is live').waitFor();
    await leadsTo(nora, link(drafts, 'events'), '/env/live/contents/events', /^events$/);
  });

  it('has no accessibility fault, wide and light', async () => {
    await settled(nora);
    expect(await accessibilityFaults(nora)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('the overview of an editor', () => {
  let mei: Page;

  it('has drafts and unsaved edits of theirs, and leads back to both', async () => {
    mei = await signIn(tokens.mei, '/env/staging/contents/ads');
    await mei.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
    await mei.keyboard.press('ControlOrMeta+End');
    await mei.keyboard.insertText('\n// later');
    await mei.getByText('Unsaved changes', { exact: true }).waitFor();
    const draft = { text: '{"price":6}', publish: false, note: 'Brief 231' };
    const path = `${staging.path}/contents/shop`;
    await ask('PUT', path, draft, tokens.mei);
    await link(mei, 'Overview').click();
    const needs = part(mei, 'Needs you');
    await needs.getByText('shop draft r2 of yours; r1 is live').waitFor();
    await needs.getByText(/: Brief 231$/).waitFor();
    await state(mei, '1 draft of yours').waitFor();
    await needs.getByText('ads has unsaved edits of yours in this tab, from just now').waitFor();
    await link(needs, 'ads').click();
    await mei.getByText('Unsaved changes', { exact: true }).waitFor();
    await mei.goBack();
  });

  it('says how far the environment is ahead of the next one, and no word of webhooks', async () => {
    const sync = '/env/live/sync?from=staging';
    const ahead = state(mei, '2 content items ahead of Live');
    await leadsTo(mei, ahead, sync, /^Sync into Live$/);
    expect(await mei.getByText(/webhook/i).count()).toBe(1);
    await link(mei.getByRole('navigation', { name: 'Server' }), 'Webhooks').waitFor();
  });

  it('shows what others do without a reload', async () => {
    await staging.put('news', '{}', { publish: false });
    await part(mei, 'Drafts').getByText('news').waitFor({ timeout: polledMs });
  });
});

describe.skipIf(!hasBrowser)('the overview of a viewer', () => {
  it('shows the same, without anything to do', async () => {
    const vera = await signIn(tokens.vera, '/env/live');
    await state(vera, '3 content items live').waitFor();
    await part(vera, 'Needs you').getByText('Nothing waits for you here.').waitFor();
    await link(part(vera, 'Timeline'), 'weekend in events').waitFor();
    expect(await vera.getByText('Chat of the team').count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)('the overview where there is little to show', () => {
  it('says what to do in an empty environment, and leads there', async () => {
    await makeEnvironment(server, 'sandbox');
    await open(nora, '/env/sandbox');
    await nora.getByText('There is no content here yet').waitFor();
    const create = link(nora, 'Create a content item');
    await leadsTo(nora, create, '/env/sandbox/contents', /^Content$/);
    expect(await accessibilityFaults(nora)).toEqual([]);
  });

  it('says that an environment does not exist', async () => {
    await open(nora, '/env/nowhere');
    await nora.getByText('The environment “nowhere” does not exist').waitFor();
  });

  it('leads to the environments on a server without any', async () => {
    const empty = await startServer();
    const window = await Window.open(empty.adminUrl);
    windows.push(window);
    const page = await window.signIn(ownerToken, '/');
    await page.waitForURL('**/environments');
    await page.getByRole('heading', { level: 1, name: 'Environments' }).waitFor();
    await settled(page);
    await empty.stop();
  });

  it('keeps its other parts when one cannot be read', async () => {
    await nora.route('**/calendar*', (route) => route.abort());
    await open(nora, '/env/live');
    await part(nora, 'Timeline').getByRole('alert').waitFor();
    await link(part(nora, 'Needs you'), '#2 Winter').waitFor();
    await link(part(nora, 'Timeline'), 'Price of gems').waitFor();
    await nora.unroute('**/calendar*');
    await part(nora, 'Timeline').getByRole('button', { name: 'Try again' }).click();
    await link(part(nora, 'Timeline'), 'weekend in events').waitFor();
  });
});

describe.skipIf(!hasBrowser)('the overview on a phone', () => {
  it('is as wide as the phone, has no accessibility fault in the dark, and all of it by keyboard', async () => {
    await nora.emulateMedia({ colorScheme: 'dark' });
    await nora.setViewportSize(narrow);
    await open(nora, '/env/live');
    await settled(nora);
    expect(await accessibilityFaults(nora)).toEqual([]);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await nora.evaluate(beyond)).toBe(0);
    const reached = link(part(nora, 'Drafts'), 'events').and(nora.locator(':focus'));
    await eventually('Tab reaches the last link', 20_000, async () => {
      await nora.keyboard.press('Tab');
      return (await reached.count()) > 0;
    });
    await nora.keyboard.press('Enter');
    await nora.waitForURL('**/env/live/contents/events');
    await nora.setViewportSize(wide);
  });

  it('kept to the policy of the page all the way', () => {
    expect(windows.flatMap(({ complaints }) => complaints)).toEqual([]);
  });
});
