/*
 * Goal: task 3 of the console's study: an A/B test of three prices in two countries, for app version 2.0 and later, looked at for
 * five players and published, in few steps and without its traps.
 * Method: an owner in Chromium on the demo, whose game asks with an app version first. The task prints its steps with what the
 * console took for each; `LOADOUT_SOAK_SHOTS=FOLDER` leaves a picture of each. To run: as one-item.test.ts says.
 */
import { expect, it } from 'vitest';
import { PlayedTask } from '../../support/browser/played-task.js';
import { OwnersConsole } from '../../support/tasks/owners-console.js';
import { ask, dialogOf, publish, shots } from '../../support/tasks/person.js';

const at = OwnersConsole.before('/env/staging/contents/shop/mapping');

const rule = () => at.page.getByRole('region', { name: /^Rule 5/ });
const attribute = (place: number) =>
  rule().getByRole('combobox', { name: `Attribute of condition ${place}` });
const cell = (variant: string) =>
  rule().getByRole('gridcell', {
    name: new RegExp(`^/packs/pearls-pouch/price of ${variant}: `),
  });

const five = ['DE 2.1.0', 'FR 2.0.0', 'US 2.1.0', 'DE 1.9.0', 'FR 2.2.0'].map((words, index) => {
  const [country, v] = words.split(' ');
  return JSON.stringify({ u: `player-${index}`, p: { country }, v });
});

it('3: tests three prices in two countries from version 2.0 on', async () => {
  const { page } = at;
  const task = new PlayedTask('t3-three-prices', shots);
  await task.do(page, 'Add rule', () =>
    page.getByRole('button', { name: 'Add rule' }).first().click(),
  );
  await task.do(page, 'A/B test', async () => {
    await page.getByRole('menuitem', { name: 'A/B test' }).click();
    await rule().waitFor();
  });
  await task.do(page, 'a name', async () => {
    await rule().getByRole('textbox', { name: 'Name', exact: true }).fill('pouch-price');
    await page.keyboard.press('Tab');
  });
  await task.do(page, 'Add condition', async () => {
    await rule().getByRole('button', { name: 'Add condition', exact: true }).click();
    await attribute(2).waitFor();
  });
  await task.do(page, 'types app: App version is offered, and taken', async () => {
    await page.keyboard.type('app');
    await page.getByRole('option', { name: /App version/ }).click();
    expect(await attribute(2).inputValue()).toBe('App version');
  });
  await task.do(page, 'types 2.0.0', () =>
    rule().getByRole('textbox', { name: 'Value of condition 2' }).fill('2.0.0'),
  );
  await task.do(page, 'Add condition', async () => {
    await rule().getByRole('button', { name: 'Add condition', exact: true }).click();
    await attribute(3).waitFor();
  });
  await task.do(page, 'types country', async () => {
    await page.keyboard.type('country');
    await page
      .getByRole('option', { name: /^country/i })
      .first()
      .click();
  });
  await task.do(page, 'is one of', async () => {
    await rule().getByRole('combobox', { name: 'Operator of condition 3' }).selectOption('$in');
  });
  await task.do(page, 'types DE, FR and leaves the field', async () => {
    await rule().getByRole('combobox', { name: 'Value of condition 3', exact: true }).click();
    await page.keyboard.type('DE, FR');
    await page.keyboard.press('Tab');
    await rule().getByText('FR', { exact: true }).first().waitFor();
  });
  await task.do(page, 'Add variant: thirds', async () => {
    await rule().getByRole('button', { name: 'Add variant' }).click();
    await rule().getByText('33.4 %').first().waitFor();
  });
  await task.do(page, 'searches the place', async () => {
    await rule().getByRole('combobox', { name: 'Add a place' }).fill('pouch price');
    await page.getByRole('option', { name: /^\/packs\/pearls-pouch\/price/ }).waitFor();
    await page.keyboard.press('Enter');
    await cell('variant-b').waitFor();
  });
  await task.do(page, 'types 3.99', async () => {
    await cell('variant-b').click();
    await page.keyboard.type('3.99');
    await page.keyboard.press('Tab');
    await cell('variant-b').getByText('3.99').waitFor();
  });
  await task.do(page, 'types 5.99', async () => {
    await cell('variant-c').click();
    await page.keyboard.type('5.99');
    await page.keyboard.press('Enter');
    await cell('variant-c').getByText('5.99').waitFor();
  });
  await task.do(page, 'Preview of many users', async () => {
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByText('Many users', { exact: true }).click();
    await page.getByRole('textbox', { name: 'User contexts' }).waitFor();
  });
  await task.do(page, 'pastes five players', async () => {
    await page.getByRole('textbox', { name: 'User contexts' }).click();
    await page.keyboard.insertText(five.join('\n'));
    await page.getByRole('button', { name: 'Count 5' }).waitFor();
  });
  await task.do(page, 'Count: the share of each variant', async () => {
    await page.getByRole('button', { name: 'Count 5' }).click();
    await page.getByRole('row', { name: /pouch-price.*60.00 %/ }).waitFor();
  });
  await task.do(page, 'Publish…: the effect on 10,000', async () => {
    await ask(page, /^Publish/);
    await dialogOf(page)
      .getByText(/% of 10,000 made-up users would get/)
      .waitFor();
  });
  await task.do(page, 'Publish', () => publish(page, 7));
  const { mapping } = await at.content('shop');
  expect(JSON.stringify(mapping[4]?.when)).toContain('["DE","FR"]');
  expect(JSON.stringify(mapping[4])).toContain('3.99');
  console.log(task.toString());
});
