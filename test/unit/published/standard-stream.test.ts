/** Real descriptors: a device that is always full, pipes that are full or broken, a small disk. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StandardStream } from '../../../src/published/standard-stream.js';
import { eventually } from '../../support/eventually.js';
import { SmallDisk } from '../../support/server/small-disk.js';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
const lineOf = (n: number): string => `${String(n).padStart(6, '0')} ${'x'.repeat(193)}\n`;

describe('a stream that can never be written', () => {
  it('counts each line, by whose it was, and throws nothing', () => {
    const fd = openSync('/dev/full', 'w');
    const stream = new StandardStream(fd);
    const others = { count: 0 };
    for (let n = 0; n < 3; n += 1) stream.write(lineOf(n));
    stream.write(lineOf(3), others);
    expect([stream.dropped.count, others.count]).toEqual([3, 1]);
    closeSync(fd);
  });
});

describe('a pipe', () => {
  let folder: string;
  let reader: number;
  let writer: number;
  let stream: StandardStream;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loadout-pipe-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    reader = openSync(join(folder, 'pipe'), O_RDONLY | O_NONBLOCK);
    writer = openSync(join(folder, 'pipe'), O_WRONLY | O_NONBLOCK);
    stream = new StandardStream(writer);
  });
  afterEach(() => {
    closeSync(writer);
    rmSync(folder, { recursive: true });
  });

  function read(): string {
    const bytes = Buffer.alloc(1024 * 1024);
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      return '';
    }
  }

  it('that nobody empties holds up nobody; its reader gets whole lines in order, and later ones', async () => {
    const count = 5_000;
    for (let n = 0; n < count; n += 1) stream.write(lineOf(n));
    expect(stream.dropped.count).toBeGreaterThan(0);

    const kept = count - stream.dropped.count;
    let text = '';
    await eventually('all that was kept is read', 5_000, () => {
      text += read();
      return text.length >= kept * 200;
    });
    expect(text).toBe(Array.from({ length: kept }, (_, n) => lineOf(n)).join(''));

    stream.write(lineOf(count));
    expect(read()).toBe(lineOf(count));
    expect(stream.dropped.count).toBe(count - kept);
    closeSync(reader);
  });

  it('whose reader is gone takes no line, and harms nobody', () => {
    stream.write(lineOf(0));
    closeSync(reader);
    stream.write(lineOf(1));
    stream.write(lineOf(2));
    expect(stream.dropped.count).toBe(2);
  });
});

const probe = SmallDisk.mount(1);
probe?.unmount();

describe.skipIf(probe === null)('a file on a full disk', () => {
  it('has no torn line when there is room again, and takes lines again', () => {
    const disk = SmallDisk.mount(1) as SmallDisk;
    const path = join(disk.path, 'log');
    const fd = openSync(path, 'a');
    const stream = new StandardStream(fd);
    stream.write(lineOf(0));
    disk.fill();
    // What is left of the file's last page takes 20 lines, and part of another.
    for (let n = 1; n < 100; n += 1) stream.write(lineOf(n));
    expect(stream.dropped.count).toBeGreaterThan(0);
    expect(readFileSync(path, 'utf8').at(-1)).toBe('x');
    disk.empty();
    stream.write(lineOf(100));
    const lines = readFileSync(path, 'utf8').split(/(?<=\n)/);
    expect(lines.slice(0, -1)).toEqual(lines.slice(0, -1).map((_, n) => lineOf(n)));
    expect(lines.at(-1)).toBe(lineOf(100));
    expect(lines.length + stream.dropped.count).toBe(101);
    closeSync(fd);
    disk.unmount();
  });
});
