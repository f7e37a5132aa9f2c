/** Storage in files, for Node. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Storage } from './platform.js';

/** Keeps each item in a file of a folder, which is made if it is not there. */
export function fileStorage(folder: string): Storage {
  const fileOf = (name: string) => join(folder, `${encodeURIComponent(name)}.txt`);
  return {
    getItem(name) {
      try {
        return readFileSync(fileOf(name), 'utf8');
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return null;
        throw error;
      }
    },
    setItem(name, text) {
      mkdirSync(folder, { recursive: true });
      const file = fileOf(name);
      const made = `${file}.${process.pid}.new`;
      const descriptor = openSync(made, 'w');
      try {
        writeSync(descriptor, text);
        // Else a loss of power could leave the new name with nothing in it.
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(made, file);
    },
    removeItem(name) {
      rmSync(fileOf(name), { force: true });
    },
  };
}
