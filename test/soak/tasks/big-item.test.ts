/*
 * Goal: task 9 of the console's study: one value among 110 KB is found and changed, and one key changes in several items, in few
 * steps.
 * Method: an owner in Chromium on the demo. The task prints its steps with what the console took for each. To run: as
 * one-item.test.ts says.
 */
import { expect, it } from 'vitest';
import { PlayedTask } from '../../support/browser/played-task.js';
import { settled } from '../../support/browser/screens.js';
import { OwnersConsole } from '../../support/tasks/owners-console.js';
import { shots } from '../../support/tasks/person.js';
import { showChanges, typeForAll } from '../../support/tasks/value-of-several.js';

const at = OwnersConsole.before('/env/staging/contents');

it('9: finds one value in 110 KB, changes it in a table, and one key in several items', async () => {
  const { page } = at;
  const task = new PlayedTask('t9-big', shots);
  const before = await at.textOf('levels');
  await task.do(page, 'Ctrl+K', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Find or do' }).waitFor();
  });
  await task.do(page, 'types 123602491 and searches the texts', async () => {
    await page.keyboard.type('123602491');
    await page.getByRole('option', { name: /^Search texts for/ }).click();
    await page.getByRole('region', { name: 'levels' }).waitFor();
  });
  await task.do(page, 'opens the hit: the cursor is in its line, the path beside it', async () => {
    await page.getByRole('region', { name: 'levels' }).getByRole('link').first().click();
    await page.locator('.cm-activeLine', { hasText: '123602491' }).waitFor();
    await page.getByText('/islands/0/levels/0/seed').first().waitFor();
  });
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
  expect(await at.textOf('levels')).toBe(before.replace('"moves": 22', '"moves": 24'));
  await task.do(page, 'Content', async () => {
    await page.getByRole('link', { name: 'Content', exact: true }).first().click();
    await page.getByRole('checkbox', { name: 'Select heroes' }).waitFor();
  });
  await typeForAll(task, page, {
    ids: ['arena', 'guilds', 'heroes'],
    path: '/owner',
    value: '"balance"',
  });
  await showChanges(task, page, 3);
  console.log(task.toString());
});
