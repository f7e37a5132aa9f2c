/** The driver for Node. */
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fetchTransport } from '../src/fetch-transport.js';
import { fileStorage } from '../src/node.js';
import { type Command, Driver } from './commands.js';
import type { Items } from './driver-items.js';

function openItems(folder: string): Items {
  const storage = fileStorage(folder);
  return {
    read: (name) => storage.getItem(name) as string | null,
    write: (name, text) => (text === null ? storage.removeItem(name) : storage.setItem(name, text)),
    names: () =>
      (existsSync(folder) ? readdirSync(folder) : [])
        .filter((file) => file.endsWith('.txt'))
        .map((file) => decodeURIComponent(file.slice(0, -'.txt'.length))),
  };
}

const driver = new Driver({ transport: fetchTransport, openItems });

function respond(response: object): void {
  process.stdout.write(`${JSON.stringify(response)}\n`);
}

respond({ driver: 'typescript', can: ['stream'] });
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const command = JSON.parse(line) as Command;
  const { n } = command;
  driver.obey(command).then(
    (ok) => respond({ n, ok: ok ?? null }),
    (error: unknown) => respond({ n, error: String(error) }),
  );
});
lines.on('close', () => process.exit(0));
