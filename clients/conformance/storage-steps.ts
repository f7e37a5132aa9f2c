/** Steps about what a kit has stored: read, written and damaged through the driver. */
import { difference, expectSame, NotAsExpected } from './expectation.js';
import type { Run } from './run.js';
import type { StepOf } from './step.js';

export const storageSteps = {
  async items(run: Run, step: StepOf<'items'>): Promise<void> {
    const expected = step.items.map((item) => {
      const [name = '', user] = item.split(' of ');
      return run.itemName(name, user);
    });
    expectSame('stored items', expected.sort(), await run.send('items'));
  },
  async hasItem(run: Run, step: StepOf<'hasItem'>): Promise<void> {
    const names = (await run.send('items')) as readonly string[];
    const name = run.itemName(step.hasItem, step.user);
    if (names.includes(name) !== step.expect) {
      throw difference(`whether ${step.hasItem} is stored`, step.expect, names);
    }
  },
  async readItem(run: Run, step: StepOf<'readItem'>): Promise<void> {
    const text = (await run.send('readItem', { name: run.itemName(step.readItem, step.user) })) as
      | string
      | null;
    if (text === null) throw new NotAsExpected(`there is no item ${step.readItem}`);
    const { as, contains, lacks } = step;
    if (as !== undefined) run.values.keep(as, text);
    if (contains !== undefined && !text.includes(String(run.values.fill(contains)))) {
      throw difference(`text of ${step.readItem}`, contains, text);
    }
    if (lacks !== undefined && text.includes(String(run.values.fill(lacks)))) {
      throw difference(`text of ${step.readItem}`, `none of ${lacks}`, text);
    }
  },
  writeItem: (run: Run, step: StepOf<'writeItem'>) =>
    run.send('writeItem', {
      name: run.itemName(step.writeItem, step.user),
      text: run.values.fill(step.text),
    }),
  corruptItem(run: Run, step: StepOf<'corruptItem'>): Promise<unknown> {
    const { corruptItem, user, at, xor = 1, length } = step;
    const damage = length === undefined ? { at, xor } : { length };
    return run.send('corruptItem', { name: run.itemName(corruptItem, user), ...damage });
  },
};
