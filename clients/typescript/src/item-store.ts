/** Stored items, each with a checksum. What reads and writes them runs one after the other, in the order of the calls. */
import { checksum } from './checksum.js';
import { log, type Run } from './run.js';

const headPattern = /^loadout 1 ([0-9a-f]{8}) (\d+)\n/;

export type ItemStore = ReturnType<typeof createItemStore>;

export function createItemStore(run: Run) {
  let last: Promise<unknown> = Promise.resolve();
  let hasFailed = false;

  const guard = async <T>(act: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch {
      if (!hasFailed) log(run, 'storage_failed');
      hasFailed = true;
      return undefined;
    }
  };

  return {
    /** Runs a job that reads and writes. @returns its result; undefined: it threw */
    inOrder<T>(job: () => T | Promise<T>): Promise<T | undefined> {
      const result = last.then(job).catch(() => undefined);
      last = result;
      return result;
    },

    /** @returns the JSON of the item; undefined: there is none, or it is damaged */
    // biome-ignore lint/suspicious/noExplicitAny: its checksum says that the kit wrote it.
    async read(name: string): Promise<any> {
      const text = await guard(() => run.storage?.getItem(`loadout-${name}`));
      if (!text) return undefined;
      const [head = '', crc, bytes] = headPattern.exec(text) ?? [];
      const body = text.slice(head.length);
      const actual = checksum(body);
      if (actual.crc === crc && actual.bytes === Number(bytes)) return JSON.parse(body);
      log(run, 'item_damaged');
      return undefined;
    },

    /** Without a value it removes the item. @returns whether it is stored so */
    async write(name: string, value?: unknown): Promise<boolean> {
      const result = await guard(async () => {
        const item = `loadout-${name}`;
        if (value === undefined) await run.storage?.removeItem(item);
        else {
          const body = JSON.stringify(value);
          const { crc, bytes } = checksum(body);
          await run.storage?.setItem(item, `loadout 1 ${crc} ${bytes}\n${body}`);
        }
        return true;
      });
      return result ?? false;
    },
  };
}
