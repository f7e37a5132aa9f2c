/** Steps about what a kit has stored: read, written and damaged through the driver. */
import { crc32 } from 'node:zlib';
import { difference, expectSame, NotAsExpected } from './expectation.js';
import type { Run } from './run.js';
import type { StepOf } from './step.js';

const framing = /^(?<head>loadout 1 (?<crc>[0-9a-f]{8}) (?<bytes>\d+)\n)/;

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
    const text = await textOf(run, run.itemName(step.readItem, step.user));
    if (text === null) throw new NotAsExpected(`there is no item ${step.readItem}`);
    const { as, contains, lacks } = step;
    expectFraming(step.readItem, text);
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
  async corruptItem(run: Run, step: StepOf<'corruptItem'>): Promise<void> {
    const { corruptItem, holding = '', user, at, xor = 1, length } = step;
    const damage = length === undefined ? { at, xor } : { length };
    for (const item of [corruptItem].flat()) {
      const name = run.itemName(item, user);
      if (!(await textOf(run, name))?.includes(holding)) continue;
      await run.send('corruptItem', { name, ...damage });
      return;
    }
    throw new NotAsExpected(`no item ${corruptItem} holds "${holding}"`);
  },
};

async function textOf(run: Run, name: string): Promise<string | null> {
  return (await run.send('readItem', { name })) as string | null;
}

/** `loadout 1 C N`, a line feed, and N bytes of JSON whose CRC-32 is C. */
function expectFraming(item: string, text: string): void {
  const { head = '', crc = '', bytes = '' } = framing.exec(text)?.groups ?? {};
  const body = text.slice(head.length);
  const isWhole =
    crc === crc32(body).toString(16).padStart(8, '0') && Number(bytes) === Buffer.byteLength(body);
  if (!isWhole) throw new NotAsExpected(`${item} is not as it should begin: ${text.slice(0, 60)}`);
  JSON.parse(body);
}
