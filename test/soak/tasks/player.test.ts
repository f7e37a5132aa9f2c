/*
 * Goal: task 6 of the console's study: a player asks about eight days ago, and support says what she was given then, why, and what
 * is different now, for all content items at once, with a link to send.
 * Method: an owner in Chromium on the demo. The task prints its steps with what the console took for each. To run: as
 * one-item.test.ts says.
 */
import { expect, it } from 'vitest';
import { PlayedTask } from '../../support/browser/played-task.js';
import { OwnersConsole } from '../../support/tasks/owners-console.js';
import { open, shots } from '../../support/tasks/person.js';

const dayMs = 86_400_000;

const at = OwnersConsole.before('/env/staging');

it('6: says what Grace was given eight days ago, and what is different now', async () => {
  const { page } = at;
  const task = new PlayedTask('t6-player', shots);
  await task.do(page, 'Players', () => open(page, 'Players'));
  await task.do(page, 'chooses Grace', async () => {
    await page.getByRole('combobox', { name: 'Sample user' }).click();
    await page.getByRole('option', { name: /^Grace/ }).click();
  });
  await task.do(page, 'the moment', () =>
    page
      .getByLabel('Moment', { exact: true })
      .fill(new Date(Date.now() - 8 * dayMs).toISOString().slice(0, 16)),
  );
  await task.do(page, 'compared with now', () =>
    page.getByRole('checkbox', { name: 'Compare with another moment' }).check(),
  );
  const shop = page.getByRole('row', { name: /^shop / });
  await task.do(page, 'Look up: all content items at both moments', async () => {
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText(/content items at both moments\.$/).waitFor();
    await shop.waitFor();
  });
  // The harbour banner came four days ago.
  expect(await shop.innerText()).toMatch(/r5[\s\S]*r6/);
  await task.do(
    page,
    'Details of shop: her banner is the same, by the rule for whales',
    async () => {
      await page.getByRole('button', { name: 'Details of shop' }).click();
      await page.getByText('The data is the same at both moments.').waitFor();
    },
  );
  // Each moment is explained with the segment of that moment.
  for (const spent of [100, 80]) {
    await page
      .getByText(`The saved segment matches: totalSpend is 340.5, which is at least ${spent}.`)
      .first()
      .waitFor();
  }
  await task.do(page, 'Details of economy: day 7 gives more pearls', async () => {
    await page.getByRole('button', { name: 'Details of economy' }).click();
    await page.getByText('Different values (1)').waitFor();
  });
  await task.do(page, 'a link to send', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
  });
  const link = String(await page.evaluate('navigator.clipboard.readText()'));
  const other = await at.tab(link);
  await other.getByText(/content items at both moments\.$/).waitFor();
  await other.getByRole('row', { name: /^shop / }).waitFor();
  console.log(task.toString());
});
