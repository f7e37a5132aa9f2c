/** One value that is set in several content items at once, as a part of played tasks. It begins on the list of content items. */
import type { Page } from 'playwright-core';
import type { PlayedTask } from '../browser/played-task.js';
import { ask, dialogOf } from './person.js';

export interface ValueOfSeveral {
  readonly ids: readonly string[];
  /** JSON Pointer. */
  readonly path: string;
  /** JSON. */
  readonly value: string;
}

/** Selects the items, and types the value, to be added where it is missing. The dialog stays open. */
export async function typeForAll(
  task: PlayedTask,
  page: Page,
  { ids, path, value }: ValueOfSeveral,
): Promise<void> {
  for (const id of ids) {
    await task.do(page, `selects ${id}`, () =>
      page.getByRole('checkbox', { name: `Select ${id}` }).check(),
    );
  }
  await task.do(page, 'Set value…', () => ask(page, 'Set value…'));
  const field = (name: string) => dialogOf(page).getByRole('textbox', { name });
  await task.do(page, 'the path', () => field('Path').fill(path));
  await task.do(page, 'the value', () => field('Value').fill(value));
  await task.do(page, 'adds it where it is missing', () =>
    dialogOf(page)
      .getByRole('checkbox', { name: /^Add it where only/ })
      .check(),
  );
}

/** @param count of items that change */
export async function showChanges(task: PlayedTask, page: Page, count: number): Promise<void> {
  await task.do(page, `Show changes: all ${count}, before and after`, async () => {
    await dialogOf(page).getByRole('button', { name: 'Show changes' }).click();
    await dialogOf(page).getByText(`${count} items change`).waitFor();
  });
}
