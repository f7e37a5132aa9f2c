/** The text fills the window: saving and publishing stay in reach of the mouse and the keyboard, on phones as well. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../../support/browser/accessibility.js';
import { hasBrowser, narrow, Window, wide } from '../../support/browser/browser.js';
import { settled } from '../../support/browser/screens.js';
import { type Environment, makeEnvironment } from '../../support/server/environment.js';
import { makeDataFolder, startServer } from '../../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ data: makeDataFolder() });
  staging = await makeEnvironment(server, 'staging');
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const editor = () => page.getByRole('textbox', { name: 'Text of version 0.0.0' });
const bar = () => page.getByRole('region', { name: 'Save' });
const fill = () => page.getByRole('button', { name: 'Fill the window' });
const dialog = () => page.getByRole('dialog');

async function fillWith(id: string, text: string): Promise<void> {
  await staging.put(id, '{"price":1}');
  await page.goto(`${server.adminUrl}/env/staging/contents/${id}`);
  await fill().click();
  await editor().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await bar().getByText('Unsaved changes').waitFor();
}

describe.skipIf(!hasBrowser).each([
  ['wide', wide],
  ['narrow', narrow],
])('a text that fills the %s window', (name, size) => {
  it('is saved and published with the mouse', async () => {
    await page.setViewportSize(size);
    await fillWith(`mouse-${name}`, '{"price":2}');
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const [text, below] = [await editor().boundingBox(), await bar().boundingBox()];
    expect(text?.height).toBeGreaterThan(100);
    expect((below?.y ?? 0) + (below?.height ?? 0)).toBe(size.height);
    expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    // A click fails if something else is above the button.
    await bar().getByRole('button', { name: 'Save draft' }).click();
    await page.getByText(/^Saved as draft r2/).waitFor();
    await bar().getByRole('button', { name: 'Publish' }).click();
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await bar().getByText('r2 is live').waitFor();
    expect(await fill().getAttribute('aria-pressed')).toBe('true');
  });

  it('is published by keyboard, and left with Escape', async () => {
    await page.setViewportSize(size);
    await fillWith(`keys-${name}`, '{"price":3}');
    await page.keyboard.press('Escape');
    await expect.poll(() => fill().getAttribute('aria-pressed')).toBe('false');
    await fill().focus();
    await page.keyboard.press('Enter');
    await bar().getByRole('textbox', { name: 'Note on this save' }).focus();
    await page.keyboard.press('Tab');
    const save = bar().getByRole('button', { name: 'Save draft' });
    const focused = await page.evaluate<string>('document.activeElement.textContent');
    expect(focused).toBe(await save.textContent());
    await page.keyboard.press('ControlOrMeta+Enter');
    await dialog().getByRole('button', { name: 'Publish', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await bar().getByText('r2 is live').waitFor();
  });
});
