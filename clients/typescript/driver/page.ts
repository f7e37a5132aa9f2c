/** The driver for a page: `obey` takes a command, and the items are those of `localStorage`. */
import { fetchTransport } from '../src/fetch-transport.js';
import { type Command, Driver } from './commands.js';
import type { Items } from './driver-items.js';

const items: Items = {
  read: (name) => localStorage.getItem(name),
  write: (name, text) =>
    text === null ? localStorage.removeItem(name) : localStorage.setItem(name, text),
  names: () => Object.keys(localStorage),
};

const driver = new Driver({ transport: fetchTransport, openItems: () => items });

Object.assign(globalThis, { obey: (command: Command) => driver.obey(command) });
