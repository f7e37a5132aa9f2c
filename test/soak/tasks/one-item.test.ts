/*
 * Goal: tasks 2, 8 and 9 of the console's study, which happen in one content item, take few steps, and no mistake goes out unseen.
 * Method: an owner in Chromium on the demo. Each task prints its steps with what the console took for each.
 * To run: `npx vitest run --config test/soak/vitest.config.ts test/soak/tasks`; `LOADOUT_SOAK_SHOTS=FOLDER` leaves a picture of each step.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Window } from '../../support/browser/browser.js';
import { PlayedTask } from '../../support/browser/played-task.js';
import { settled } from '../../support/browser/screens.js';
import { Demo } from '../../support/server/demo.js';
import { agree, ask, dialogOf, editorOf, paste, shots } from '../../support/tasks/person.js';

let demo: Demo;
let window: Window;
let page: Page;

beforeAll(async () => {
  demo = await Demo.start();
  window = await Window.open(demo.consoleUrl);
  page = await window.signIn(demo.token, '/env/staging/contents');
  await settled(page);
});
afterAll(async () => {
  await window?.close();
  await demo?.stop();
});

const go = async (path: string): Promise<void> => {
  await page.goto(new URL(`/env/staging/${path}`, demo.consoleUrl).href);
  await settled(page);
};

async function admin(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(new URL(`/admin/v1/environments/staging/${path}`, demo.consoleUrl), {
    method,
    headers: { authorization: `Bearer ${demo.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response;
}

const textOf = async (id: string): Promise<string> =>
  ((await (await admin('GET', `contents/${id}`)).json()) as { lines: { text: string }[] }).lines[0]
    ?.text ?? '';

/** 150 lines; two of them with the errors of the study. */
const offers = Array.from(
  { length: 148 },
  (_, at) => `  "offer-${at}": { "price": ${100 + at} }${at === 147 ? '' : ','}`,
);
const whole = `{\n${offers.join('\n')}\n}`;
const broken = whole
  .replace('"price": 156 },', '"price": 156 }')
  .replace('"price": 184', '"price": 12OO');

describe('a person with one content item', () => {
  it('2: makes it from a text with two errors, publishes, edits, compares and rolls back', async () => {
    const task = new PlayedTask('t2-new-content', shots);
    await task.do(page, 'New content item', () => ask(page, 'New content item'));
    await task.do(page, 'types a name, which becomes an id', async () => {
      await dialogOf(page).getByRole('textbox', { name: 'Id' }).fill('season 10 offers');
      await dialogOf(page).getByText('It will be season-10-offers').waitFor();
    });
    await task.do(page, 'Enter: the editor opens', async () => {
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'season-10-offers' }).waitFor();
      await editorOf(page).waitFor();
    });
    const first = page.getByRole('button', {
      name: /^Error 59:3 A comma is missing before "offer-57"/,
    });
    await task.do(page, 'pastes 150 lines: the first error is named with its line', async () => {
      await paste(page, broken);
      await first.waitFor();
      await page.getByText('The outline appears once the error is fixed.').waitFor();
    });
    await task.do(page, 'a click leads to it', async () => {
      await first.click();
      await page.locator('.cm-activeLine', { hasText: '"offer-57"' }).waitFor();
    });
    await task.do(page, 'types the comma: the next error is named', async () => {
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('End');
      await page.keyboard.type(',');
      await page.getByRole('button', { name: /^Error 86:\d+ 12OO is not a number/ }).waitFor();
    });
    await task.do(page, 'F8 leads to it', async () => {
      await page.keyboard.press('F8');
      await page.locator('.cm-activeLine', { hasText: '12OO' }).waitFor();
    });
    await task.do(page, 'replaces 12OO', async () => {
      await page.keyboard.press('End');
      await page.keyboard.press('Shift+Home');
      await page.keyboard.insertText('"offer-84": { "price": 184 },');
      await page.getByText('No errors').waitFor();
    });
    await task.do(page, 'Publish…', () => ask(page, /^Publish/));
    await task.do(page, 'Publish', async () => {
      await agree(page, 'Publish');
      await page.getByText('Live r1').first().waitFor();
    });
    await task.do(page, 'edits', async () => {
      await paste(page, whole.replace('"price": 100', '"price": 1000'));
      await page.getByText('Unsaved changes', { exact: true }).waitFor();
    });
    await task.do(page, 'Publish…: the difference', async () => {
      await ask(page, /^Publish/);
      await dialogOf(page).getByText('/offer-0/price').first().waitFor();
    });
    await task.do(page, 'a reason', () =>
      dialogOf(page)
        .getByRole('textbox', { name: /reason|note/i })
        .fill('Dearer'),
    );
    await task.do(page, 'Publish', async () => {
      await agree(page, 'Publish');
      await page.getByText('Live r2').first().waitFor();
    });
    await task.do(page, 'History: both revisions compared', async () => {
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('heading', { level: 2, name: 'From r1 to r2' }).waitFor();
      await settled(page);
    });
    await task.do(page, 'Roll back…: its effect', () => ask(page, 'Roll back to r1'));
    await task.do(page, 'Roll back', async () => {
      await agree(page, 'Roll back');
      await page.getByText('Live r3').first().waitFor();
    });
    expect(await textOf('season-10-offers')).toBe(whole);
    console.log(task.toString());
  });

  it('8: is warned of a wrong price without a schema, gets a schema, and merges with another person', async () => {
    const task = new PlayedTask('t8-mistakes', shots);
    const shop = (await textOf('shop')).replace('// Prices', '// The prices');
    await admin('PUT', 'contents/weekend-shop', { text: shop, publish: true });
    await go('contents/weekend-shop');
    await task.do(page, 'types 4990000 for 4.99', async () => {
      await paste(page, shop.replace('4.99', '4990000'));
      await page.getByText('Unsaved changes', { exact: true }).waitFor();
    });
    await task.do(page, 'Publish…: warned that it is a million times as much', async () => {
      await ask(page, /^Publish/);
      await dialogOf(page)
        .getByText(/pearls-pouch\/price.*(times|4990000)/)
        .first()
        .waitFor();
    });
    await task.do(page, 'Cancel', () => agree(page, 'Cancel'));
    await task.do(page, 'Content: the list marks the edit', async () => {
      await page.getByRole('link', { name: 'Content', exact: true }).first().click();
      await page
        .getByRole('row', { name: /^Select weekend-shop / })
        .getByText('unsaved here')
        .waitFor();
    });
    await task.do(page, 'opens the item again: the edit is there', async () => {
      await page.getByRole('link', { name: 'weekend-shop', exact: true }).click();
      await editorOf(page).getByText('4990000').waitFor();
    });
    await task.do(page, 'takes it back', async () => {
      await paste(page, shop);
      await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'detached' });
    });
    await task.do(page, 'Settings', async () => {
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: /^Make a schema/ }).waitFor();
    });
    await task.do(page, 'Make a schema from the text', async () => {
      await page.getByRole('button', { name: /^Make a schema/ }).click();
      await page.getByText('Unsaved changes', { exact: true }).waitFor();
    });
    await task.do(page, 'saves it', async () => {
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('No unpublished changes (r1 is live).').waitFor();
    });
    await task.do(page, 'types 4990000 again: an error at its place', async () => {
      await page.getByRole('tab', { name: 'Text', exact: true }).click();
      await paste(page, shop.replace('4.99', '4990000'));
      await page
        .getByRole('button', { name: /^Error \d+:\d+ .*must be <=/ })
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: /^Publish/ }).isDisabled()).toBe(true);
    });
    await task.do(page, 'types another price instead', async () => {
      await paste(page, shop.replace('4.99', '4.49'));
      await page.getByText('No errors').waitFor();
    });
    await task.do(page, 'another person saved meanwhile: a notice', async () => {
      await admin('PUT', 'contents/weekend-shop', {
        text: shop.replace('14.99', '12.99'),
        publish: false,
      });
      await page.getByRole('button', { name: 'Compare and merge', exact: true }).waitFor();
    });
    await task.do(page, 'Compare and merge: both prices are kept', async () => {
      await page.getByRole('button', { name: 'Compare and merge', exact: true }).click();
      await dialogOf(page)
        .getByText('You changed different values, so both edits are kept.')
        .waitFor();
    });
    await task.do(page, 'Use merged', () => agree(page, 'Use merged'));
    await task.do(page, 'saves', async () => {
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('Draft r3').first().waitFor();
    });
    expect(await textOf('weekend-shop')).toBe(
      shop.replace('4.99', '4.49').replace('14.99', '12.99'),
    );
    console.log(task.toString());
  });

  it('9: finds one value in 110 KB, changes it in a table, and one key in several items', async () => {
    const task = new PlayedTask('t9-big', shots);
    const before = await textOf('levels');
    await go('contents');
    await task.do(page, 'Ctrl+K', async () => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: 'Find or do' }).waitFor();
    });
    await task.do(page, 'types 123602491 and searches the texts', async () => {
      await page.keyboard.type('123602491');
      await page.getByRole('option', { name: /^Search texts for/ }).click();
      await page.getByRole('region', { name: 'levels' }).waitFor();
    });
    await task.do(
      page,
      'opens the hit: the cursor is in its line, the path beside it',
      async () => {
        await page.getByRole('region', { name: 'levels' }).getByRole('link').first().click();
        await page.locator('.cm-activeLine', { hasText: '123602491' }).waitFor();
        await page.getByText('/islands/0/levels/0/seed').first().waitFor();
      },
    );
    await task.do(page, 'Table of the levels', async () => {
      await page
        .getByRole('radiogroup', { name: 'Show the text as' })
        .getByText('Table', { exact: true })
        .click();
      await page.getByRole('grid').waitFor();
      await settled(page);
    });
    await task.do(page, 'types another number of moves', async () => {
      const grid = page.getByRole('grid');
      await grid.locator('[data-row="0"] [data-column="2"]').click();
      await page.keyboard.type('24');
      await page.keyboard.press('Enter');
      await page.getByText('Unsaved changes', { exact: true }).waitFor();
    });
    await task.do(page, 'saves', async () => {
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByText('Draft r5').first().waitFor();
    });
    expect(await textOf('levels')).toBe(before.replace('"moves": 22', '"moves": 24'));
    await task.do(page, 'Content', async () => {
      await page.getByRole('link', { name: 'Content', exact: true }).first().click();
      await page.getByRole('checkbox', { name: 'Select heroes' }).waitFor();
    });
    for (const id of ['arena', 'guilds', 'heroes']) {
      await task.do(page, `selects ${id}`, () =>
        page.getByRole('checkbox', { name: `Select ${id}` }).check(),
      );
    }
    await task.do(page, 'Set value…', () => ask(page, 'Set value…'));
    const field = (name: string) => dialogOf(page).getByRole('textbox', { name });
    await task.do(page, 'the path', () => field('Path').fill('/owner'));
    await task.do(page, 'the value', () => field('Value').fill('"balance"'));
    await task.do(page, 'adds it where it is missing', () =>
      dialogOf(page)
        .getByRole('checkbox', { name: /^Add it where only/ })
        .check(),
    );
    await task.do(page, 'Show changes: all three, before and after', async () => {
      await dialogOf(page).getByRole('button', { name: 'Show changes' }).click();
      await dialogOf(page).getByText('3 items change').waitFor();
    });
    console.log(task.toString());
  });
});
