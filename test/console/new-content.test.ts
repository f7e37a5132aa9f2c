/** How a content begins: an id, then the real editor, in which nothing is on the server before the first save. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/accessibility.js';
import { hasBrowser, Window } from '../support/browser/browser.js';
import { type Environment, makeEnvironment } from '../support/server/environment.js';
import { startServer } from '../support/server/server.js';
import { type LoadoutServer, ownerToken } from '../support/server/server-process.js';

let server: LoadoutServer;
let staging: Environment;
let window: Window;
let page: Page;

const schema = {
  type: 'object',
  properties: { price: { type: 'number', maximum: 100 } },
  required: ['price'],
};

beforeAll(async () => {
  if (!hasBrowser) return;
  server = await startServer({ listeners: 1 });
  staging = await makeEnvironment(server, 'staging');
  await server.admin('PATCH', '/admin/v1/environments/staging', { name: 'Staging area' });
  await staging.put('shop', '{"n":1}');
  await staging.put('gone', '{"old":true}');
  await server.admin('DELETE', `${staging.path}/contents/gone`);
  window = await Window.open(server.adminUrl);
  page = await window.signIn(ownerToken, '/env/staging/contents');
});
afterAll(async () => {
  await window?.close();
  await server?.stop();
});

const dialog = () => page.getByRole('dialog', { name: 'New content' });
const id = () => dialog().getByRole('textbox', { name: 'Id' });
const text = () => page.getByRole('textbox', { name: 'Text of line 0.0.0' });
const open = () => dialog().getByRole('button', { name: 'Open the editor' });

async function list(): Promise<void> {
  await page.goto(new URL('/env/staging/contents', server.adminUrl).href);
  await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
}

async function ask(): Promise<void> {
  await list();
  await page.getByRole('button', { name: 'New content' }).click();
  await dialog().waitFor();
}

async function type(words: string): Promise<void> {
  await text().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(words);
}

const statusOf = async (content: string): Promise<number> =>
  (await server.admin('GET', `${staging.path}/contents/${content}`)).status;

/** Files from outside, held over the page and let go of there. */
async function drop(...files: readonly (readonly [name: string, text: string])[]): Promise<void> {
  const data = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const [name, words] of ${JSON.stringify(files)}) transfer.items.add(new File([words], name));
    return transfer;
  })()`);
  const at = { dataTransfer: data };
  await page.dispatchEvent('main', 'dragenter', at);
  await page.getByText('Drop a .json or .jsonc file').waitFor();
  await page.dispatchEvent('main', 'drop', at);
  await page.getByText('Drop a .json or .jsonc file').waitFor({ state: 'detached' });
}

describe.skipIf(!hasBrowser)('a new content', () => {
  it('gets an id made of what is typed, and the dialog says where it goes', async () => {
    await ask();
    await dialog().getByText('Staging area').waitFor();
    await id().fill('season 10 offers');
    await dialog().getByText('It will be season-10-offers').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'season-10-offers' }).waitFor();
    await page.getByText('Not saved yet.').first().waitFor();
    expect(await statusOf('season-10-offers')).toBe(404);
  });

  it('tells an error with its place, and no more once it is mended', async () => {
    await type('{\n  "a": 1\n  "b": 12OO\n}\n');
    const fault = page.getByRole('button', { name: /^Error 3:3 / });
    await fault.waitFor();
    await type('{\n  "a": 1,\n  "b": 1200\n}\n');
    await page.getByText('No errors').waitFor();
    expect(await page.getByRole('list', { name: 'Errors and warnings' }).count()).toBe(0);
  });

  it('keeps what was typed over a reload, and is on the server with the first save only', async () => {
    // A reload asks the person, as it does for any unsaved edit.
    page.once('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByText(/^Unsaved changes from .* were kept/).waitFor();
    await text().getByText('1200').waitFor();
    expect(await statusOf('season-10-offers')).toBe(404);
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r1').first().waitFor();
    expect(page.url()).toMatch(/\/contents\/season-10-offers$/);
    const saved = await server.admin('GET', `${staging.path}/contents/season-10-offers`);
    expect(saved.json).toMatchObject({ newest: 1, live: null });
    expect(saved.json.lines[0].text).toBe('{\n  "a": 1,\n  "b": 1200\n}\n');
  });

  it('leaves nothing behind when nothing was typed', async () => {
    await ask();
    await id().fill('untouched');
    await open().click();
    await page.getByRole('heading', { level: 1, name: 'untouched' }).waitFor();
    await text().waitFor();
    await page.getByRole('link', { name: 'Contents', exact: true }).click();
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'untouched' }).count()).toBe(0);
    expect(await statusOf('untouched')).toBe(404);
  });

  it('is told at once that its id is taken, or was deleted', async () => {
    await ask();
    await id().fill('SHOP');
    await dialog().getByText('There is a content with this id; case does not matter.').waitFor();
    await dialog().getByRole('link', { name: 'Open SHOP' }).waitFor();
    await open().click();
    await dialog().waitFor();
    await id().fill('Gone');
    await dialog().getByText('A deleted content has this id.').waitFor();
    await dialog().getByRole('link', { name: 'restore the deleted one' }).click();
    await page.getByRole('heading', { level: 2, name: 'gone was deleted' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
  });

  it('begins with a file that is dropped onto the list', async () => {
    await list();
    await drop(['Daily shop.jsonc', '{\n  // of a file\n  "gems": 5\n}\n']);
    await page.getByRole('heading', { level: 1, name: 'Daily-shop' }).waitFor();
    await text().getByText('// of a file').waitFor();
    await page.getByText('No errors').waitFor();
    expect(await statusOf('Daily-shop')).toBe(404);
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('Draft r1').first().waitFor();
    const saved = await server.admin('GET', `${staging.path}/contents/daily-shop`);
    expect(saved.json.lines[0].text).toBe('{\n  // of a file\n  "gems": 5\n}\n');
  });

  it('shows unsaved edits of its id instead of a file that is dropped', async () => {
    await page.goto(new URL('/env/staging/contents/season-11?new', server.adminUrl).href);
    await text().waitFor();
    await type('{"typed":11}');
    await text().getByText('"typed"').waitFor();
    await page.getByRole('link', { name: 'Contents', exact: true }).first().click();
    await page.getByRole('link', { name: 'shop', exact: true }).waitFor();
    await drop(['season-11.json', '{"dropped":11}']);
    await text().getByText('"typed"').waitFor();
    await page.getByText('The file was not taken').waitFor();
    expect(await text().innerText()).not.toContain('dropped');
  });

  it('begins with the file where its id was deleted a moment ago', async () => {
    await staging.put('brief', '{"old":true}');
    await list();
    await page.getByRole('link', { name: 'brief', exact: true }).click();
    await text().getByText('"old"').waitFor();
    await page.getByRole('link', { name: 'Contents', exact: true }).first().click();
    await page.getByRole('button', { name: 'Actions for brief' }).click();
    await page.getByRole('menuitem', { name: /Delete/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('brief is deleted').waitFor();
    await drop(['brief.json', '{"dropped":12}']);
    await open().click();
    await text().getByText('"dropped"').waitFor();
    expect(await text().innerText()).not.toContain('old');
  });

  it('asks for another id where that of a dropped file is taken', async () => {
    await list();
    await drop(['shop.json', '{"dropped":1}']);
    await dialog().getByText('There is a content with this id').waitFor();
    await dialog().getByText('The text is that of shop.json.').waitFor();
    await id().fill('shop two');
    await open().click();
    await page.getByRole('heading', { level: 1, name: 'shop-two' }).waitFor();
    await text().getByText('"dropped"').waitFor();
  });

  it('begins with a file that is chosen in the dialog', async () => {
    await ask();
    const chosen = { name: 'Arena 1.json', mimeType: 'application/json' };
    await page
      .locator('input[type=file]')
      .setInputFiles({ ...chosen, buffer: Buffer.from('{"arena":1}') });
    await dialog().getByText('It will be Arena-1').waitFor();
    await open().click();
    await page.getByRole('heading', { level: 1, name: 'Arena-1' }).waitFor();
    await text().getByText('"arena"').waitFor();
  });

  it('takes no file that is not JSON by its name, nor two at once', async () => {
    await list();
    await drop(['shop.xlsx', 'x']);
    await page.getByText('shop.xlsx is neither a .json nor a .jsonc file.').waitFor();
    await drop(['a.json', '1'], ['b.json', '2']);
    await page.getByText('Drop one file at a time.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Contents' }).waitFor();
  });

  it('is proposed for what a search did not find', async () => {
    await list();
    await page.getByRole('searchbox', { name: 'Search contents' }).fill('winter fair');
    await page.getByRole('button', { name: 'Create winter-fair' }).click();
    await dialog().getByText('It will be winter-fair').waitFor();
    await page.keyboard.press('Escape');
  });
});

describe.skipIf(!hasBrowser)('a draft that breaks its schema', () => {
  const saveDraft = () => page.getByRole('button', { name: /^Save draft/ });
  const publish = () => page.getByRole('button', { name: /^Publish/ });

  it('can be saved, with its errors in sight, and not published', async () => {
    await server.admin('PUT', `${staging.path}/contents/prices`, { text: '{"price":1}', schema });
    await page.goto(new URL('/env/staging/contents/prices', server.adminUrl).href);
    await type('{\n  "price": 4990000\n}');
    await page.getByRole('button', { name: /^Error 2:12 .*must be <= 100/ }).waitFor();
    await page.getByRole('button', { name: 'Fix 1 error to publish.' }).waitFor();
    expect(await publish().isDisabled()).toBe(true);
    expect(await saveDraft().isDisabled()).toBe(false);
    await saveDraft().click();
    await page.getByText('Fix 1 error to publish.').first().waitFor();
    await page.getByText('Draft r2').first().waitFor();
    expect((await staging.plain('prices')).text).toBe('{"price":1}');
  });

  it('shows its errors to whoever opens it next, and is published once they are fixed', async () => {
    await page.reload();
    await page.getByRole('button', { name: /^Error 2:12 / }).waitFor();
    expect(await publish().isDisabled()).toBe(true);
    await type('{"price": 5}');
    await page.getByText('No errors').waitFor();
    await publish().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Live r3').first().waitFor();
    expect((await staging.plain('prices')).text).toBe('{"price":5}');
  });

  it('is no draft where its text is no JSON', async () => {
    await type('{"price": }');
    await page.getByRole('button', { name: 'Fix 1 error first.' }).waitFor();
    expect(await saveDraft().isDisabled()).toBe(true);
    expect(window.complaints).toEqual([]);
  });
});
