/**
 * The log of events on a real disk: what is appended is in files, each line once, however the log ends.
 * Method: files in a folder of the test's own, on a small file system of its own where the disk is to be full.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventLog, type EventLogLimits } from '../../../../src/delivery/events/event-log.js';
import { sealOrphans } from '../../../../src/management/event-files/seal-orphans.js';
import { openEventsFolder, sealedEventsFolder } from '../../../../src/published/event-files.js';
import { eventually } from '../../../support/eventually.js';
import { SmallDisk } from '../../../support/server/small-disk.js';

let folder: string;
/** What the log that was opened last has said. */
let notes: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-events-'));
  prepare(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function prepare(path: string): void {
  mkdirSync(openEventsFolder(path), { recursive: true });
  mkdirSync(sealedEventsFolder(path), { recursive: true });
}

function open(limits: EventLogLimits = {}, path = folder): EventLog {
  const said: string[] = [];
  notes = said;
  const parts = {
    ...{ folder: path, pid: 7, epochMs: 1_000 },
    failed: (error: unknown) => said.push(`failed ${(error as NodeJS.ErrnoException).code ?? ''}`),
    resumed: () => said.push('resumed'),
  };
  return new EventLog(parts, { diskReserveBytes: 0, retryMs: 20, ...limits });
}

const line = (n: number): string => `{"n":${n},"text":"${'é'.repeat(n % 50)}"}\n`;

const openNames = (path = folder): string[] => readdirSync(openEventsFolder(path));
const sealed = (path = folder): string[] => readdirSync(sealedEventsFolder(path)).sort();
const textOf = (path = folder): string =>
  sealed(path)
    .map((name) => readFileSync(join(sealedEventsFolder(path), name), 'utf8'))
    .join('');

describe('the log of events', () => {
  it('has every line once, in the order that they were appended in', async () => {
    const log = open();
    let expected = '';
    for (let n = 0; n < 20_000; n += 1) {
      expect(log.append(line(n))).toBe(true);
      expected += line(n);
    }
    expect(await log.close()).toBe(0);
    expect(textOf()).toBe(expected);
    expect(openNames()).toEqual([]);
    expect(sealed()).toEqual(['7-1000-0.ndjson']);
  });

  it('makes no file while there are no events', async () => {
    const log = open();
    expect(await log.close()).toBe(0);
    expect([...openNames(), ...sealed()]).toEqual([]);
  });

  it('hands lines to the kernel soon, and seals a file when it is old', async () => {
    const log = open({ fileMsMax: 400 });
    log.append(line(1));
    const [name] = await eventually('a file', 5_000, () => {
      const names = openNames();
      const text = names.map((one) => readFileSync(join(openEventsFolder(folder), one), 'utf8'));
      return text.join('') === line(1) ? names : null;
    });
    await eventually('it is sealed', 5_000, () => sealed().includes(name as string));
    log.append(line(2));
    await log.close();
    expect(textOf()).toBe(line(1) + line(2));
    expect(sealed()).toHaveLength(2);
  });

  it('seals a file when it is long, while lines go on coming', async () => {
    const log = open({ fileBytesMax: 10_000 });
    let expected = '';
    for (let round = 0; round < 4; round += 1) {
      for (let n = 0; n < 500; n += 1) {
        log.append(line(n));
        expected += line(n);
      }
      await eventually('a file is sealed', 5_000, () => sealed().length > round);
    }
    await log.close();
    expect(textOf()).toBe(expected);
  });

  it('takes no more than its queue holds, and nothing in part', async () => {
    const log = open({ queueBytesMax: 100_000 });
    const large = `${'x'.repeat(39_999)}\n`;
    expect([log.append(large), log.append(large), log.append(large)]).toEqual([true, true, false]);
    expect(log.append(line(0))).toBe(true);
    await eventually('it is written', 5_000, () => log.queuedBytes === 0);
    expect(log.append(large)).toBe(true);
    await log.close();
    expect(textOf()).toBe(large + large + line(0) + large);
    expect(log.append(line(1))).toBe(false);
  });

  it('is complete after an end without a further turn', async () => {
    const log = open();
    log.append(line(1));
    await eventually('it is written', 5_000, () => log.queuedBytes === 0);
    log.append(line(2));
    log.closeNow();
    log.closeNow();
    expect(log.append(line(3))).toBe(false);
    expect(textOf()).toBe(line(1) + line(2));
    expect(openNames()).toEqual([]);
  });

  it('is so as well before there is a file', () => {
    const log = open();
    for (let n = 0; n < 20_000; n += 1) log.append(line(n));
    log.closeNow();
    expect(textOf().split('\n')).toHaveLength(20_001);
    expect(openNames()).toEqual([]);
  });

  it('keeps what it has while the disk takes nothing, refuses more, and goes on when it does', async () => {
    const log = open();
    const away = `${folder}-away`;
    renameSync(openEventsFolder(folder), away);
    log.append(line(1));
    await eventually('it is blocked', 5_000, () => log.isBlocked);
    expect(log.append(line(2))).toBe(false);
    expect(notes).toEqual(['failed ENOENT']);
    renameSync(away, openEventsFolder(folder));
    await eventually('it goes on', 5_000, () => !log.isBlocked);
    expect(notes).toEqual(['failed ENOENT', 'resumed']);
    expect(log.append(line(3))).toBe(true);
    await log.close();
    expect(textOf()).toBe(line(1) + line(3));
  });
});

const probe = SmallDisk.mount(1);
probe?.unmount();
if (probe === null) console.log('no small disk can be mounted here: the full disk is not tried');

describe.skipIf(probe === null)('a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = SmallDisk.mount(4) as SmallDisk;
    prepare(disk.path);
  });
  afterEach(() => disk.unmount());

  async function fillUp(log: EventLog): Promise<string> {
    let expected = '';
    for (let n = 0; !log.isBlocked; n += 1) {
      for (let more = 0; more < 50; more += 1) {
        if (log.append(line(n))) expected += line(n);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return expected;
  }

  it('tears no line: what was taken is there when there is room again', async () => {
    const log = open({}, disk.path);
    disk.fill(100_001);
    const expected = await fillUp(log);
    expect(log.append(line(0))).toBe(false);
    disk.empty();
    await eventually('it goes on', 5_000, () => !log.isBlocked);
    expect(log.append(line(1))).toBe(true);
    await log.close();
    expect(textOf(disk.path)).toBe(expected + line(1));
    expect(notes).toEqual(['failed ENOSPC', 'resumed']);
  });

  it('loses what a process that ends meanwhile cannot write, counts it, and leaves whole lines', async () => {
    const log = open({}, disk.path);
    disk.fill(100_001);
    const expected = await fillUp(log);
    const lost = await log.close();
    expect(lost).toBeGreaterThan(0);
    sealOrphans(disk.path, (pid) => pid === 7);
    const text = textOf(disk.path);
    expect(text.endsWith('\n')).toBe(true);
    expect(expected.startsWith(text)).toBe(true);
    expect(expected.split('\n')).toHaveLength(text.split('\n').length + lost);
  });

  it('is full for events before it is for other files', async () => {
    const log = open({ diskReserveBytes: 1_000_000 }, disk.path);
    disk.fill(900_000);
    log.append(line(1));
    await eventually('it is blocked', 5_000, () => log.isBlocked);
    disk.empty();
    await eventually('it goes on', 5_000, () => !log.isBlocked);
    await log.close();
    expect(textOf(disk.path)).toBe(line(1));
  });
});
