/**
 * Goal: one rule for every act that the players of a protected environment notice (D68), whichever screen it is on.
 * Method: opens the dialog of each act of `protectedActs` in the demo's production, and looks at what it asks. Nothing is confirmed.
 */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ActName,
  type ProtectedAct,
  protectedActs,
} from '../../../src/console/parts/acts/protected-acts.js';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, Window } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { Demo } from '../../support/server/demo.js';

let demo: Demo;
let window: Window;
let page: Page;

async function admin(method: string, path: string, body?: unknown) {
  const url = new URL(`/admin/v1/environments/production${path}`, demo.consoleUrl);
  const headers = { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' };
  const sent = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(url, { method, headers, body: sent });
  const text = await response.text();
  expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return text === '' ? null : JSON.parse(text);
}

/** A release of a draft of its own. @returns its number */
async function makeRelease(id: string, steps: readonly object[] = []): Promise<number> {
  await admin('PUT', `/contents/${id}`, { text: '1' });
  const { revision } = await admin('PUT', `/contents/${id}`, { text: '2', publish: false });
  const changes = [{ kind: 'content', id, revision }];
  return (await admin('POST', '/releases', { title: id, changes, steps })).release;
}

const ramp = [{ percent: 10, holdMinutes: 60 }];
const releases: Record<string, number> = {};

beforeAll(async () => {
  if (!hasBrowser) return;
  demo = await Demo.start();
  await admin('PUT', '/contents/live-item', { text: '1' });
  await admin('PUT', '/contents/live-item', { text: '2' });
  await admin('PUT', '/contents/priced', { text: '{"price":1}' });
  await admin('PUT', '/contents/drafted', { text: '1', publish: false });
  await admin('PUT', '/contents/gone', { text: '1' });
  await admin('DELETE', '/contents/gone');
  await admin('PUT', '/segments/unused', { when: {} });
  await admin('PUT', '/segments/whales', { when: { country: 'NZ' } });
  await admin('POST', '/keys', { label: 'unused' });
  await admin('PATCH', '', { confirm: true });
  releases['draft'] = await makeRelease('item-a', ramp);
  releases['ramping'] = await makeRelease('item-b', ramp);
  await admin('POST', `/releases/${releases['ramping']}/start`, {});
  releases['paused'] = await makeRelease('item-c', ramp);
  await admin('POST', `/releases/${releases['paused']}/start`, {});
  await admin('POST', `/releases/${releases['paused']}/pause`, {});
  releases['live'] = await makeRelease('item-d');
  await admin('POST', `/releases/${releases['live']}/live`, {});
  window = await Window.open(demo.consoleUrl);
  page = await window.signIn(demo.token);
});
afterAll(async () => {
  await window?.close();
  await demo?.stop();
});

const dialog = (): Locator => page.getByRole('dialog');
const press = (name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();
const choose = async (menu: string | RegExp, item: string): Promise<void> => {
  await press(menu);
  await page.getByRole('menuitem', { name: item }).click();
};
async function go(path: string): Promise<void> {
  await page.goto(new URL(path, demo.consoleUrl).href);
  await settled(page);
}
const inRelease = (state: string, button: string) => async (): Promise<void> => {
  await go(`/env/production/releases/${releases[state]}`);
  await press(button);
};
const inExperiment = (id: string, button: string) => async (): Promise<void> => {
  await go(`/env/production/experiments/${id}`);
  await press(button);
};

/** Selects one item in the list, and presses a button of the bar that appears. */
async function withSelected(id: string, button: string | RegExp): Promise<void> {
  await go(`/env/production/contents?q=${id}`);
  await page.getByRole('checkbox', { name: `Select ${id}` }).click();
  await press(button);
}

/** How a person comes to the dialog of each act. */
const openers: Readonly<Record<ActName, () => Promise<void>>> = {
  'content.publish': async () => {
    await go('/env/production/contents/drafted');
    await press(/^Publish/);
  },
  'content.rollback': async () => {
    await go('/env/production/contents/live-item/history');
    await press('Roll back to r1');
  },
  'content.restore': async () => {
    await go('/env/production/contents/gone');
    await press('Restore');
  },
  'content.delete': async () => {
    await go('/env/production/contents?q=live-item');
    await choose('Actions for live-item', 'Delete…');
  },
  'contents.set': async () => {
    await withSelected('priced', /^Set value/);
    await dialog().getByRole('textbox', { name: 'Path' }).fill('/price');
    await dialog().getByRole('textbox', { name: 'Value' }).fill('2');
    await press('Show changes');
  },
  'contents.publish': () => withSelected('drafted', /^Publish or add/),
  'contents.delete': () => withSelected('live-item', 'Delete…'),
  'segment.save': async () => {
    await go('/env/production/segments/whales');
    const operator = page.getByRole('combobox', { name: /^Operator of condition 1/ });
    await operator.selectOption({ index: 1 });
    await press(/^Save/);
  },
  'segment.rollback': async () => {
    await go('/env/production/segments/whales/history');
    await press('Roll back to r1');
  },
  'segment.delete': async () => {
    await go('/env/production/segments/unused');
    await press('Delete');
  },
  sync: async () => {
    await go('/env/production/sync');
    await press(/^Review and sync/);
  },
  'release.start': inRelease('draft', 'Start ramp…'),
  'release.live': inRelease('draft', 'Go live for all…'),
  'release.schedule': inRelease('draft', 'Schedule…'),
  'release.stop': inRelease('ramping', 'Stop…'),
  'release.resume': inRelease('paused', 'Resume…'),
  'release.revert': inRelease('live', 'Revert…'),
  'experiment.start': inExperiment('hero-first', 'Start…'),
  'experiment.stop': inExperiment('navigator-price', 'Stop…'),
  'experiment.decide': inExperiment('level-12-moves', 'Decide…'),
  'key.revoke': async () => {
    await go('/environments/production');
    await choose(/^Actions for key “unused”/, 'Revoke…');
  },
  'key.expire': async () => {
    await go('/environments/production');
    await choose(/^Actions for key “unused”/, 'Label and expiry');
    await dialog().getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'At a date and time' }).click();
    await dialog().getByLabel('Date and time').fill('2020-01-01T12:00');
  },
  'environment.unprotect': async () => {
    await go('/environments/production');
    await choose('Actions for Production', 'Unprotect…');
  },
  'environment.confirm': async () => {
    await go('/environments/production');
    await choose('Actions for Production', 'Confirmation…');
    await dialog().getByRole('checkbox').uncheck();
  },
  'environment.layers': async () => {
    await go('/environments/production');
    await press('Edit layers');
  },
  // Only where approvals are asked for, which no request alone can take back: therefore the last.
  'release.emergency': async () => {
    await admin('PATCH', '', { review: 1 });
    await go(`/env/production/releases/${releases['draft']}`);
    await choose('More actions for this release', 'Emergency: go live without approval…');
  },
};

describe.skipIf(!hasBrowser)('in a protected environment', () => {
  it.each(Object.keys(openers) as ActName[])('%s follows the one rule', async (name) => {
    const { care, preposition }: ProtectedAct = protectedActs[name];
    await openers[name]();
    const asked = dialog().locator(`[data-act="${name}"]`);
    await asked.waitFor();
    await settled(page);
    // The dialog covers the title of the screen, and names the environment itself.
    await dialog().locator('[data-environment="production"]').first().waitFor();
    const place = new RegExp(` ${preposition} Production( with these values)?$`);
    const confirm = dialog().getByRole('button', { name: place });
    await confirm.waitFor();
    const field = dialog().getByRole('textbox', { name: /Type production to confirm$/ });
    if (care === 'typed') {
      expect(await confirm.isDisabled()).toBe(true);
      await field.fill('staging');
      expect(await confirm.isDisabled()).toBe(true);
      await field.fill('production');
    } else {
      expect(await field.count()).toBe(0);
      await asked.getByText('Production is protected: it serves real players.').waitFor();
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('no script of the page failed, and its policy was kept', () => {
    expect(window.complaints).toEqual([]);
  });
});
