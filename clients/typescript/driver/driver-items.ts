/** The stored items of a driver: the kit uses them as its storage, commands read and damage them. */
import type { Storage } from '../src/platform.js';
import type { Command } from './commands.js';

/** Items as they are stored. */
export interface Items {
  read(name: string): string | null;
  /** null removes. */
  write(name: string, text: string | null): void;
  names(): string[];
}

export class DriverItems implements Storage {
  readonly #items: Items;
  #isFailing = false;

  constructor(items: Items) {
    this.#items = items;
  }

  getItem(name: string): string | null {
    this.#failIfWanted();
    return this.#items.read(name);
  }

  setItem(name: string, text: string): void {
    this.#failIfWanted();
    this.#items.write(name, text);
  }

  removeItem(name: string): void {
    this.#failIfWanted();
    this.#items.write(name, null);
  }

  names(): string[] {
    return this.#items.names().sort();
  }

  /** @returns undefined: it is no command of items */
  obey(command: Command): unknown {
    const { name } = command;
    switch (command.command) {
      case 'failStorage':
        this.#isFailing = command['isOn'];
        return null;
      case 'readItem':
        return this.#items.read(name);
      case 'writeItem':
        this.#items.write(name, command['text']);
        return null;
      case 'corruptItem':
        this.#items.write(name, corrupted(this.#items.read(name) ?? '', command));
        return null;
      default:
        return undefined;
    }
  }

  #failIfWanted(): void {
    if (this.#isFailing) throw new Error('The storage fails.');
  }
}

function corrupted(text: string, { at, xor, length }: Command): string {
  const bytes = new TextEncoder().encode(text);
  if (at !== undefined) {
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ xor;
  }
  return new TextDecoder().decode(length === undefined ? bytes : bytes.slice(0, length));
}
