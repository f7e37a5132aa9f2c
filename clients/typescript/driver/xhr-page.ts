/** The driver for a page, with the transport of React Native: `obey` takes a command, and the items are those of `localStorage`. */
import { xhrTransport } from '../src/xhr.js';
import { type Command, Driver } from './commands.js';
import type { Items } from './driver-items.js';

const items: Items = {
  read: (name) => localStorage.getItem(name),
  write: (name, text) =>
    text === null ? localStorage.removeItem(name) : localStorage.setItem(name, text),
  names: () => Object.keys(localStorage),
};

const driver = new Driver({ transport: xhrTransport, openItems: () => items });

Object.assign(globalThis, { obey: (command: Command) => driver.obey(command) });
