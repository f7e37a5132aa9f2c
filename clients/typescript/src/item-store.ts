/** Stored items, each with a checksum. What reads and writes them runs one after the other, in the order of the calls. */
import { checksum } from './checksum.js';
import { log, type Run } from './run.js';

function withHead(body: string): string {
  const { crc, bytes } = checksum(body);
  return `loadout 1 ${crc} ${bytes}\n${body}`;
}

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
      last = last.then(job).catch(() => undefined);
      return last as Promise<T | undefined>;
    },

    /** @returns the JSON of the item; undefined: there is none, or it is damaged */
    // biome-ignore lint/suspicious/noExplicitAny: its checksum says that the kit wrote it.
    async load(name: string): Promise<any> {
      const text = await guard(() => run.storage?.getItem(`loadout-${name}`));
      if (!text) return undefined;
      const body = text.slice(text.indexOf('\n') + 1);
      if (text === withHead(body)) return JSON.parse(body);
      log(run, 'item_damaged');
      return undefined;
    },

    /** Without a value it removes the item. @returns whether it is stored so */
    save: (name: string, value?: unknown) =>
      guard(async () => {
        const item = `loadout-${name}`;
        const body = JSON.stringify(value);
        await (body ? run.storage?.setItem(item, withHead(body)) : run.storage?.removeItem(item));
        return true;
      }),
  };
}
