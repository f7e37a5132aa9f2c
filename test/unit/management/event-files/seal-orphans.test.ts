/** Event files that ended processes have left: they are sealed with whole lines only. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  prepareEventsFolder,
  sealOrphans,
} from '../../../../src/management/event-files/seal-orphans.js';
import {
  eventFileName,
  openEventsFolder,
  sealedEventsFolder,
} from '../../../../src/published/event-files.js';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'loadout-orphans-')), 'events');
  prepareEventsFolder(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

function leave(name: string, text: string): void {
  writeFileSync(join(openEventsFolder(folder), name), text);
}

function sealed(): Record<string, string> {
  const path = sealedEventsFolder(folder);
  return Object.fromEntries(
    readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]),
  );
}

it('cuts the part of a line, however long it and the lines before it are', () => {
  const long = 'x'.repeat(200_000);
  leave(eventFileName(1, 5, 0), '{"a":1}\n{"a":2}\n{"a"');
  leave(eventFileName(2, 5, 0), `{"a":1}\n${long}`);
  leave(eventFileName(3, 5, 0), `${long}\n${long}\n`);
  leave(eventFileName(4, 5, 0), '{"a":1}\n');
  prepareEventsFolder(folder);
  expect(sealed()).toEqual({
    '1-5-0.ndjson': '{"a":1}\n{"a":2}\n',
    '2-5-0.ndjson': '{"a":1}\n',
    '3-5-0.ndjson': `${long}\n${long}\n`,
    '4-5-0.ndjson': '{"a":1}\n',
  });
  expect(readdirSync(openEventsFolder(folder))).toEqual([]);
});

it('leaves no file without a line', () => {
  leave(eventFileName(1, 5, 0), '');
  leave(eventFileName(2, 5, 0), 'x'.repeat(100_000));
  prepareEventsFolder(folder);
  expect(sealed()).toEqual({});
  expect(readdirSync(openEventsFolder(folder))).toEqual([]);
});

it('touches no file of a process that runs, nor one that is none of its own', () => {
  leave(eventFileName(1, 5, 0), 'a\n');
  leave(eventFileName(11, 5, 0), 'a\n');
  leave('notes.txt', 'a\n');
  mkdirSync(join(openEventsFolder(folder), 'folder'));
  sealOrphans(folder, (pid) => pid === 1);
  expect(Object.keys(sealed())).toEqual(['1-5-0.ndjson']);
  expect(readdirSync(openEventsFolder(folder)).sort()).toEqual([
    '11-5-0.ndjson',
    'folder',
    'notes.txt',
  ]);
});
