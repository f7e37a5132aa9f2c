/** Somebody builds conditions by keyboard and mouse, the careless way: in Chromium, on a real server. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { settled } from '../support/browser/screens.js';
import { eventually } from '../support/eventually.js';
import { type Environment, expectDone, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let dev: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ listeners: 1, flags: ['--last-used-seconds', '1'] });
  dev = await makeEnvironment(server, 'dev');
  await dev.put('shop', '{"n":0}');
  // Now requests are known to carry these, and no others.
  for (let at = 0; at < 120; at += 1) {
    const p = { country: at % 4 === 0 ? 'FR' : 'DE', level: at % 3 };
    await dev.plain('shop', { u: `player-${at}`, p });
  }
  await eventually('the values are known', 20_000, async () => {
    const { json } = expectDone(await server.admin('GET', `${dev.path}/attributes`));
    return json.attributes.every(({ values }: { values: unknown[] }) => values.length > 1);
  });
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/dev/contents');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

/** Opens a segment that no test has typed into before. */
async function open(segment: string, when: unknown): Promise<void> {
  await dev.putSegment(segment, when);
  await page.goto(new URL(`/env/dev/segments/${segment}`, server.adminUrl).href);
}
const offered = (): Locator =>
  page.getByRole('listbox').filter({ visible: true }).getByRole('option');
const value = (): Locator =>
  page.getByRole('combobox', { name: 'Value of condition 1', exact: true });
const attribute = (rule: number): Locator =>
  page.getByRole('combobox', { name: `Attribute of condition ${rule}` });
const save = (): Locator => page.getByRole('button', { name: 'Save', exact: true });
const rules = (): Locator => page.getByRole('group', { name: 'Condition', exact: true });
const unused =
  'Not used elsewhere, and no request of the last 90 days carried it. Does your game send it?';

async function whenOf(segment: string): Promise<unknown> {
  return expectDone(await server.admin('GET', `${dev.path}/segments/${segment}`)).json.when;
}

describe.skipIf(!hasBrowser)('values of a list', () => {
  it.each([
    ['Tab', 'by-tab', () => page.keyboard.press('Tab')],
    ['a click elsewhere', 'by-click', () => page.getByRole('heading', { level: 1 }).click()],
    ['Enter', 'by-enter', () => page.keyboard.press('Enter')],
  ])('lose their blanks when the field is left with %s', async (_how, name, leave) => {
    await open(name, { country: { $in: ['NL'] } });
    await value().click();
    await page.keyboard.type('DE, FR ');
    await leave();
    await rules().getByText('FR', { exact: true }).waitFor();
    await save().click();
    await page.getByText(`Saved ${name} as r2`).waitFor();
    expect(await whenOf(name)).toEqual({ country: { $in: ['NL', 'DE', 'FR'] } });
  });

  it('lose them when they are pasted', async () => {
    await open('by-paste', { country: { $in: ['NL'] } });
    await value().focus();
    await value().evaluate((input) => {
      // biome-ignore lint/suspicious/noExplicitAny: what a page has is not typed in this process.
      const { DataTransfer, ClipboardEvent } = globalThis as any;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'DE , FR ');
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true });
      (input as unknown as EventTarget).dispatchEvent(paste);
    });
    await rules().getByText('FR', { exact: true }).waitFor();
    await save().click();
    await page.getByText('Saved by-paste as r2').waitFor();
    expect(await whenOf('by-paste')).toEqual({ country: { $in: ['NL', 'DE', 'FR'] } });
  });

  it('are shown quoted where blanks are stored, and kept when another one is added', async () => {
    await open('blanks', { country: { $in: ['DE', ' FR'] } });
    await rules().getByText('" FR"', { exact: true }).waitFor();
    await rules().getByText('DE', { exact: true }).waitFor();
    await value().click();
    await page.keyboard.type('NL');
    await page.keyboard.press('Tab');
    await save().click();
    await page.getByText(/^Saved blanks as r/).waitFor();
    expect(await whenOf('blanks')).toEqual({ country: { $in: ['DE', ' FR', 'NL'] } });
    const told = page.getByRole('status').filter({ hasText: 'Check the condition' });
    await told.getByText('the value " FR" of "country" begins or ends with a blank').waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('an attribute', () => {
  it.each([
    ['app', 'App version'],
    ['version', 'App version'],
    ['app version', 'App version'],
    ['user id', 'User id'],
    ['group', 'Bucket'],
    ['bucket', 'Bucket'],
  ])('is found by "%s"', async (words, name) => {
    await open(`found-${words.replace(' ', '-')}`, { country: 'DE' });
    await page.getByRole('button', { name: 'Add condition', exact: true }).click();
    await attribute(2).waitFor();
    // It is not called wrong before anything was typed.
    expect(await page.getByText('Name an attribute.').count()).toBe(0);
    await page.keyboard.type(words);
    await expect.poll(() => offered().count()).toBe(1);
    await offered().click();
    expect(await attribute(2).inputValue()).toBe(name);
  });

  it('is taken for what it was called in full when the field is left', async () => {
    await open('called', { country: 'DE' });
    await page.getByRole('button', { name: 'Add condition', exact: true }).click();
    await attribute(2).fill('app version');
    await page.keyboard.press('Tab');
    await expect.poll(() => attribute(2).inputValue()).toBe('App version');
    const operator = page.getByRole('combobox', { name: 'Operator of condition 2' });
    expect(await operator.inputValue()).toBe('$vgte');
  });

  it('is marked when nothing else uses it, and offered when requests carry it', async () => {
    await open('mine', { plaform: 'ios' });
    await page.getByText(unused).waitFor();
    expect(await attribute(1).inputValue()).toBe('plaform');
    await attribute(1).fill('lev');
    await offered().filter({ hasText: 'level' }).click();
    await page.getByText(unused).waitFor({ state: 'detached' });
    await attribute(1).fill('levl');
    await page.getByText(unused).waitFor();
    await page.keyboard.press('Escape');
    await save().click();
    await page.getByText(/^Saved mine as r/).waitFor();
    const told = page.getByRole('status').filter({ hasText: 'Check the condition' });
    await told
      .getByText('no other condition and no sample user has the attribute "levl"')
      .waitFor();
    await attribute(1).fill('level');
    await told.waitFor({ state: 'detached' });
  });

  it('has frequent values of requests as completions, with how frequent they are', async () => {
    await open('valued', { country: 'X' });
    const text = page.getByRole('combobox', { name: 'Value of condition 1', exact: true });
    await text.fill('');
    await offered()
      .filter({ hasText: /^DE7\d % of requests$/ })
      .waitFor();
    await offered().filter({ hasText: 'FR' }).click();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const operator = page.getByRole('combobox', { name: 'Operator of condition 1' });
    await operator.selectOption('$in');
    await value().click();
    await offered().filter({ hasText: 'DE' }).click();
    await page.keyboard.press('Escape');
    await save().click();
    await page.getByText('Saved valued as r2').waitFor();
    expect(await whenOf('valued')).toEqual({ country: { $in: ['FR', 'DE'] } });
    await operator.selectOption('$nin');
    await rules().getByText('Players without country match as well.').waitFor();
    await operator.selectOption('$in');
    await rules()
      .getByText('Players without country match as well.')
      .waitFor({ state: 'detached' });
  });

  it('is marked in a rule of a content, whose warnings name it', async () => {
    const mapping = [{ segment: 'ios', when: { platfrom: 'ios' }, merge: { n: 1 } }];
    await dev.put('hats', '{"n":0}', { mapping });
    await page.goto(new URL('/env/dev/contents/hats/mapping', server.adminUrl).href);
    await page.getByRole('button', { name: /ios/ }).first().click();
    await page.getByText(unused).waitFor();
    const rule = page.getByRole('region', { name: /^Rule 1/ });
    await rule.getByText(/^Warning: .*no sample user has the attribute "platfrom"/).waitFor();
  });
});
