/** The event files of a server under test: every line that is on the disk, whatever file it is in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  eventsFolderName,
  openEventsFolder,
  sealedEventsFolder,
} from '../../../src/published/event-files.js';
import { type EventLine, parseEventLine } from '../../../src/published/event-line.js';
import { eventually } from '../eventually.js';
import type { LoadoutServer } from './server-process.js';

type Data = Pick<LoadoutServer, 'data'>;

/** A collector that is away: event files of a server that sends there stay what they are. */
export const keepEventFiles = ['--events-to', 'http://127.0.0.1:9/'] as const;

export function openEventFiles({ data }: Data): string[] {
  return readdirSync(openEventsFolder(join(data, eventsFolderName)));
}

/** Whole lines of all files; what stands behind the last line break of an open one is being written. */
export function eventLines({ data }: Data): EventLine[] {
  const folder = join(data, eventsFolderName);
  // By name, so that a file that is moved meanwhile counts once: it only ever goes on in this order.
  const texts = new Map([
    ...textsIn(openEventsFolder(folder)),
    ...textsIn(sealedEventsFolder(folder)),
    ...textsIn(join(folder, 'pending')),
  ]);
  return [...texts.values()].flatMap((text) => {
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => {
      const parsed = parseEventLine(line);
      if (parsed === null) throw new Error(`no line of an event file: ${line}`);
      return parsed;
    });
  });
}

/** The lines of a user, as soon as there are so many. */
export function linesOfUser(server: Data, u: string, count: number): Promise<EventLine[]> {
  return eventually(`${count} events of ${u} are on the disk`, 10_000, () => {
    const lines = eventLines(server).filter((line) => line.u === u);
    return lines.length >= count ? lines : null;
  });
}

/** Texts of event files by their names; a file may be moved between the two looks. */
function textsIn(folder: string): [name: string, text: string][] {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  const files = names.map(String).filter((name) => name.endsWith('.ndjson'));
  return files.flatMap((name): [string, string][] => {
    try {
      return [[basename(name), readFileSync(join(folder, name), 'utf8')]];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}
