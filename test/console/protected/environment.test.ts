/** One knows where one is: a protected environment is marked on every screen, and asks the same before every dangerous act. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { Demo } from '../../support/server/demo.js';

let demo: Demo;
beforeAll(async () => {
  if (hasBrowser) demo = await Demo.start();
});
afterAll(() => demo?.stop());

/** Every kind of screen that an environment has. */
const pathsOf = (env: string): readonly string[] => [
  `/env/${env}/contents`,
  `/env/${env}/contents/shop`,
  `/env/${env}/contents/shop/mapping`,
  `/env/${env}/contents/shop/history`,
  `/env/${env}/contents/no-such-content`,
  `/env/${env}/contents/unsaved?new`,
  `/env/${env}/segments`,
  `/env/${env}/segments/whales`,
  `/env/${env}/groups`,
  `/env/${env}/sync`,
  `/env/${env}/experiments`,
  `/env/${env}/metrics`,
  `/env/${env}/releases`,
  `/env/${env}/calendar`,
  `/environments/${env}`,
];

describe.skipIf(!hasBrowser).each([
  ['light', wide],
  ['dark', narrow],
] as const)('a protected environment in %s', (colorScheme, viewport) => {
  let window: Window;
  let page: Page;
  beforeAll(async () => {
    window = await Window.open(demo.consoleUrl, { colorScheme, viewport });
    page = await window.signIn(demo.token);
  });
  afterAll(() => window?.close());

  const go = async (path: string): Promise<void> => {
    await page.goto(new URL(path, demo.consoleUrl).href);
    await settled(page);
  };
  const chip = (name: string) =>
    page.getByRole('main').locator('[class*="chip"]', { hasText: name });

  it.each(pathsOf('production'))('is named and marked on %s', async (path) => {
    await go(path);
    const named = chip('Production').first();
    await named.waitFor();
    expect(await named.innerText()).toContain('protected');
    expect(await named.locator('svg').count()).toBe(1);
    expect(await page.locator('[data-stripe="production"]').isVisible()).toBe(true);
    expect(await page.title()).toMatch(/ · Production \(protected\) · Loadout$/);
    expect(await accessibilityFaults(page)).toEqual([]);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond)).toBe(0);
  });

  it.each(pathsOf('staging'))(
    'is told from another one, which is named too, on %s',
    async (path) => {
      await go(path);
      const named = chip('Staging').first();
      await named.waitFor();
      expect(await named.innerText()).not.toContain('protected');
      const stripe = page.locator('[data-stripe="staging"]');
      await stripe.waitFor();
      expect(await stripe.getAttribute('data-protected')).toBeNull();
      expect(await page.title()).toMatch(/ · Staging · Loadout$/);
    },
  );

  it('is marked on its own screen as well, and nowhere else', async () => {
    await go('/environments/production');
    await chip('Production').first().waitFor();
    expect(await page.locator('[data-stripe="production"]').isVisible()).toBe(true);
    expect(await page.title()).toContain('Production');
    await go('/health');
    await page.locator('[data-stripe]').waitFor({ state: 'detached' });
  });

  it('has a lock where the environment is chosen', async () => {
    await go('/env/production/contents');
    if (viewport === narrow) await page.getByRole('button', { name: 'Open the menu' }).click();
    const select = page.getByRole('combobox', { name: 'Environment' });
    const field = page.locator('.mantine-Select-root', { has: select });
    expect(await field.getByRole('img', { name: 'protected' }).count()).toBe(1);
    await select.click();
    const option = (name: string) => page.getByRole('option', { name });
    await option('Production').waitFor();
    expect(await option('Production').getByRole('img', { name: 'protected' }).count()).toBe(1);
    expect(await option('Staging').getByRole('img', { name: 'protected' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('is named by the buttons that publish to it, which have another colour', async () => {
    await go('/env/staging/contents/shop');
    const publish = page.getByRole('button', { name: /^Publish/ });
    const ground = (): Promise<string> =>
      page.evaluate(`(() => {
        const buttons = [...document.querySelectorAll('button')];
        const publish = buttons.find(({ textContent }) => textContent.startsWith('Publish'));
        return getComputedStyle(publish).backgroundColor;
      })()`);
    await type('{"a":1}');
    await expectEnabled(publish);
    const usual = await ground();
    expect(usual).toMatch(/^rgb/);
    await go('/env/production/contents/shop');
    await type('{"a":1}');
    await expectEnabled(publish);
    expect(await ground()).not.toBe(usual);
    await publish.click();
    const dialog = page.getByRole('dialog', { name: /^Publish to Production/ });
    await dialog.getByRole('button', { name: 'Publish to Production' }).waitFor();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Discard unsaved changes…' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
  });

  it('is named where a revision is rolled back', async () => {
    await go('/env/production/contents/shop/history');
    await page
      .getByRole('button', { name: /^Roll back to/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Roll back in Production' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('kept to the policy of the page all the way', () => {
    expect(window.complaints).toEqual([]);
  });

  async function type(text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Text of version 0.0.0' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(text);
  }

  async function expectEnabled(button: ReturnType<Page['getByRole']>): Promise<void> {
    await button.and(page.locator(':enabled')).waitFor();
  }
});

describe.skipIf(!hasBrowser)('a dangerous act', () => {
  let window: Window;
  let page: Page;
  const admin = async (method: string, path: string, body?: unknown): Promise<number> => {
    const url = new URL(`/admin/v1/environments/${path}`, demo.consoleUrl);
    const headers = { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    return (await fetch(url, { method, headers, body: sent })).status;
  };

  beforeAll(async () => {
    window = await Window.open(demo.consoleUrl);
    page = await window.signIn(demo.token, '/env/production/contents');
    await settled(page);
    for (const env of ['production', 'staging']) {
      const made = [
        await admin('PUT', `${env}/contents/doomed`, { text: '1' }),
        await admin('PUT', `${env}/contents/drafted`, { text: '1', publish: false }),
        await admin('PUT', `${env}/segments/doomed`, { when: {} }),
        await admin('POST', `${env}/keys`, { label: 'doomed' }),
      ];
      expect(made.every((status) => status < 300)).toBe(true);
    }
  });
  afterAll(() => window?.close());

  const dialog = () => page.getByRole('dialog');
  const go = async (path: string): Promise<void> => {
    await page.goto(new URL(path, demo.consoleUrl).href);
    await settled(page);
  };
  /** The button does nothing before the name is typed, nor for another word. */
  const confirmByName = async (button: string | RegExp): Promise<void> => {
    const confirm = dialog().getByRole('button', { name: button });
    const name = dialog().getByRole('textbox', { name: /Type production to confirm/ });
    await name.waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await name.fill('yes');
    expect(await confirm.isDisabled()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);
    await name.fill('production');
    await confirm.click();
    await dialog().waitFor({ state: 'detached' });
  };
  const deleteFromList = async (env: string, id: string): Promise<void> => {
    await go(`/env/${env}/contents?q=${id}`);
    await page.getByRole('button', { name: `Actions for ${id}` }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog().waitFor();
  };

  it('is the deletion of a live content', async () => {
    await deleteFromList('production', 'doomed');
    await confirmByName('Delete from Production');
    expect(await admin('GET', 'production/contents/doomed')).toBe(404);
  });

  it('is not the deletion of what no player gets', async () => {
    await deleteFromList('production', 'drafted');
    expect(await dialog().getByRole('textbox').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Delete from Production' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await admin('GET', 'production/contents/drafted')).toBe(404);
  });

  it('is the deletion of a segment', async () => {
    await go('/env/production/segments/doomed');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await confirmByName('Delete segment');
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor();
  });

  it('is a roll-back of a segment that live contents use', async () => {
    const when = { country: 'NZ' };
    expect(await admin('PUT', 'production/segments/whales', { when })).toBe(200);
    await go('/env/production/segments/whales/history');
    await page.getByRole('button', { name: 'Roll back to r1' }).click();
    await confirmByName('Roll back to this revision in Production');
    await page.getByRole('row').filter({ hasText: 'r3' }).first().waitFor();
  });

  it('is a change of a segment that live contents use', async () => {
    await go('/env/production/segments/whales');
    await page
      .getByRole('combobox', { name: /^Operator of condition 1/ })
      .selectOption({ index: 1 });
    await page.getByRole('button', { name: /^Save/ }).first().click();
    const confirm = dialog().getByRole('button', { name: 'Save and deliver to Production' });
    await confirm.waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await dialog()
      .getByRole('textbox', { name: /Type production to confirm/ })
      .fill('production');
    expect(await confirm.isDisabled()).toBe(false);
    await dialog().getByRole('button', { name: 'Continue editing' }).click();
  });

  it('is an expiry of a key that has passed', async () => {
    expect(await admin('POST', 'production/keys', { label: 'outdated' })).toBe(201);
    await go('/environments/production');
    await page.getByRole('button', { name: /^Actions for key “outdated”/ }).click();
    await page.getByRole('menuitem', { name: 'Label and expiry' }).click();
    await dialog().getByRole('combobox', { name: 'Expires' }).click();
    await page.getByRole('option', { name: 'At a date and time' }).click();
    expect(await dialog().getByRole('textbox', { name: /^Type/ }).count()).toBe(0);
    await dialog().getByLabel('Date and time').fill('2020-01-01T12:00');
    await confirmByName('Save');
    await page.getByText('Key saved.').waitFor();
  });

  it('is the revocation of a key', async () => {
    await go('/environments/production');
    await page.getByRole('button', { name: /^Actions for key “doomed”/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    await confirmByName('Revoke key');
    await page.getByText('Key revoked.').waitFor();
  });

  it('is the removal of the protection', async () => {
    await go('/environments/production');
    await page.getByRole('button', { name: 'Actions for Production' }).click();
    await page.getByRole('menuitem', { name: 'Unprotect…' }).click();
    await confirmByName('Remove the protection of Production');
    await page.getByText('Production is no longer protected.').waitFor();
    await page.locator('[data-stripe][data-protected]').waitFor({ state: 'detached' });
    expect(await admin('PATCH', 'production', { protected: true })).toBe(200);
  });

  it('asks no more than before in an environment that is not protected', async () => {
    await deleteFromList('staging', 'doomed');
    expect(await dialog().getByRole('textbox').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await go('/env/staging/segments/doomed');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog().getByRole('button', { name: 'Delete segment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Segments' }).waitFor();
    await go('/environments/staging');
    await page.getByRole('button', { name: /^Actions for key “doomed”/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke…' }).click();
    expect(await dialog().getByRole('textbox').count()).toBe(0);
    await dialog().getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('Key revoked.').waitFor();
    expect(window.complaints).toEqual([]);
  });
});
