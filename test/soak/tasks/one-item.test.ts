/*
 * Goal: tasks 2 and 8 of the console's study, which happen in one content item, take few steps, and no mistake goes out unseen.
 * Method: an owner in Chromium on the demo. Each task prints its steps with what the console took for each.
 * To run: `npx vitest run --config test/soak/vitest.config.ts test/soak/tasks`; `LOADOUT_SOAK_SHOTS=FOLDER` leaves a picture of each step.
 */
import { describe, expect, it } from 'vitest';
import { PlayedTask } from '../../support/browser/played-task.js';
import { settled } from '../../support/browser/screens.js';
import { OwnersConsole } from '../../support/tasks/owners-console.js';
import {
  agree,
  ask,
  dialogOf,
  editorOf,
  paste,
  publish,
  shots,
} from '../../support/tasks/person.js';

const at = OwnersConsole.before('/env/staging/contents');

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
    const { page } = at;
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
    await task.do(page, 'Publish', () => publish(page, 1));
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
    await task.do(page, 'Publish', () => publish(page, 2));
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
    expect(await at.textOf('season-10-offers')).toBe(whole);
    console.log(task.toString());
  });

  it('8: is warned of a wrong price without a schema, gets a schema, and merges with another person', async () => {
    const { page } = at;
    const task = new PlayedTask('t8-mistakes', shots);
    const shop = (await at.textOf('shop')).replace('// Prices', '// The prices');
    await at.admin('PUT', 'contents/weekend-shop', { text: shop, publish: true });
    await at.go('contents/weekend-shop');
    await task.do(page, 'types 4990000 for 4.99', async () => {
      await paste(page, shop.replace('4.99', '4990000'));
      await page.getByText('Unsaved changes', { exact: true }).waitFor();
    });
    await task.do(page, 'Publish…: warned of more than a factor of 10', async () => {
      await ask(page, /^Publish/);
      await dialogOf(page)
        .getByText(
          '/packs/pearls-pouch/price goes from 4.99 to 4,990,000: more than a factor of 10.',
        )
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
      await at.admin('PUT', 'contents/weekend-shop', {
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
    expect(await at.textOf('weekend-shop')).toBe(
      shop.replace('4.99', '4.49').replace('14.99', '12.99'),
    );
    console.log(task.toString());
  });
});
