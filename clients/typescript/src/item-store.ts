/** Stored items, each with a checksum. They are read and written one after the other, in the order of the calls. */
import { checksum } from './checksum.js';
import type { Run } from './run.js';

const header = /^loadout 1 ([0-9a-f]{8}) (\d+)\n/;

export class ItemStore {
  private readonly run: Run;
  private last: Promise<unknown> = Promise.resolve();
  private hasFailed = false;
  /** As it is stored, by name: what is the same is not written. */
  private readonly texts = new Map<string, string | null>();

  constructor(run: Run) {
    this.run = run;
  }

  /** Runs jobs, which read and write, one after the other. A job does not throw. */
  inOrder<T>(job: () => Promise<T>): Promise<T> {
    const result = this.last.then(job);
    this.last = result;
    return result;
  }

  /** @returns the JSON of the item; undefined: there is none, or it is damaged */
  // biome-ignore lint/suspicious/noExplicitAny: its checksum says that the kit wrote it.
  async read(name: string): Promise<any> {
    const text = await this.guard(() => this.run.storage.getItem(`loadout-${name}`));
    this.texts.set(name, text ?? null);
    if (!text) return undefined;
    const [head = '', crc, bytes] = header.exec(text) ?? [];
    const body = text.slice(head.length);
    const actual = checksum(body);
    if (actual.crc === crc && actual.bytes === Number(bytes)) return JSON.parse(body);
    this.run.log('item_damaged', `The stored item ${name} is damaged, and does not count.`);
    return undefined;
  }

  /** undefined removes the item. @returns whether it is stored so */
  async write(name: string, value: unknown): Promise<boolean> {
    const body = JSON.stringify(value);
    const { crc, bytes } = checksum(body ?? '');
    const text = body === undefined ? null : `loadout 1 ${crc} ${bytes}\n${body}`;
    if (this.texts.get(name) === text) return true;
    await this.guard(async () => {
      const { storage } = this.run;
      const item = `loadout-${name}`;
      await (text === null ? storage.removeItem(item) : storage.setItem(item, text));
      this.texts.set(name, text);
    });
    return this.texts.get(name) === text;
  }

  private async guard<T>(act: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!this.hasFailed) this.run.log('storage_failed', `Nothing is stored: ${error}`);
      this.hasFailed = true;
      return undefined;
    }
  }
}
