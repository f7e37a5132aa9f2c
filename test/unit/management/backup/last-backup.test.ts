/** The note of the last backup, which a server's metrics are made of. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteBackup, readLastBackup } from '../../../../src/management/backup/last-backup.js';

const nowMs = Date.UTC(2026, 10, 25, 3, 30);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the note of the last backup', () => {
  it('is the newest one, and the only file that it leaves', async () => {
    expect(await readLastBackup(folder)).toBeNull();
    noteBackup(folder, { startedMs: performance.now() - 1_500, bytes: 4_096 }, nowMs - 60_000);
    noteBackup(folder, { startedMs: performance.now() - 2_500, bytes: 8_192 }, nowMs);
    const last = await readLastBackup(folder);
    expect(last).toMatchObject({ at: '2026-11-25T03:30:00.000Z', bytes: 8_192 });
    expect(last?.seconds).toBeGreaterThanOrEqual(2.5);
    expect(readdirSync(folder)).toEqual(['last-backup.json']);
  });

  it.each([
    '',
    '{"at":"2026-11-25T03:30:00.000Z","byt',
    '{"at":"soon","bytes":1,"seconds":1}',
    '[]',
  ])('is none where the file says %j', async (text) => {
    writeFileSync(join(folder, 'last-backup.json'), text);
    expect(await readLastBackup(folder)).toBeNull();
  });

  it('leaves the earlier one where it cannot be written', async () => {
    const missing = join(folder, 'gone');
    expect(() => noteBackup(missing, { startedMs: 0, bytes: 1 }, nowMs)).toThrow('ENOENT');
    expect(await readLastBackup(missing)).toBeNull();
  });
});
