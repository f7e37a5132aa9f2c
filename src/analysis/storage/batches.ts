/**
 * Batches of event files: what one compaction stores. A batch is a folder; its name, which is also that of the files that are
 * made of it, stays the same until all of it is stored. A process that was killed in the middle therefore writes the same files
 * again instead of others beside them (D97).
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sealedEventsFolder } from '../../published/event-files.js';
import { damagedFolder, namesIn, pendingFolder } from './event-folder.js';

export interface BatchLimits {
  readonly filesMax: number;
  /** A batch has one file at least, whatever its size. */
  readonly bytesMax: number;
}

/** Event files are 16 MiB at most: a batch takes a second or two, and some 100 MB of memory. */
export const defaultBatchLimits: BatchLimits = { filesMax: 64, bytesMax: 64 * 1024 * 1024 };

/** So often a batch may end the process before its files are taken one by one, and a single file is set aside. */
const triesMax = 3;

export class Batch {
  readonly id: string;
  readonly #events: string;
  #tries: number;

  constructor(events: string, id: string, tries: number) {
    this.#events = events;
    this.id = id;
    this.#tries = tries;
  }

  get folder(): string {
    return join(pendingFolder(this.#events), `${this.id}.${this.#tries}`);
  }

  /** Paths of its event files, oldest first. */
  get files(): readonly string[] {
    return readdirSync(this.folder)
      .sort(byAge)
      .map((name) => join(this.folder, name));
  }

  get isHopeless(): boolean {
    return this.#tries >= triesMax;
  }

  /** From now until `ended`, an end of the process is held against the batch. */
  begin(): void {
    this.#rename(this.#tries + 1);
  }

  /** The process is alive: what went wrong was not the batch. */
  ended(): void {
    this.#rename(this.#tries - 1);
  }

  /** All of it is stored. */
  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Each file becomes a batch of its own; a single one is set aside. @returns how many were set aside */
  split(): number {
    const { files } = this;
    for (const [number, path] of files.entries()) {
      if (files.length === 1) setAside(this.#events, path);
      else {
        const single = new Batch(this.#events, `${this.id}-${number}`, 0);
        mkdirSync(single.folder, { recursive: true });
        renameSync(path, join(single.folder, basename(path)));
      }
    }
    this.remove();
    return files.length === 1 ? 1 : 0;
  }

  #rename(tries: number): void {
    const from = this.folder;
    this.#tries = tries;
    renameSync(from, this.folder);
  }
}

/**
 * The oldest batch that was begun, or a new one of the oldest sealed files.
 * @param nowMs names a new batch
 * @returns null: there is nothing to store
 */
export function nextBatch(
  events: string,
  nowMs: number,
  limits: BatchLimits = defaultBatchLimits,
): Batch | null {
  const begun = pendingBatches(events)[0];
  if (begun !== undefined) return begun;
  const names = filesOfBatch(sealedEventsFolder(events), limits);
  if (names.length === 0) return null;
  const batch = new Batch(events, `${nowMs}-${process.pid}`, 0);
  mkdirSync(batch.folder, { recursive: true });
  for (const name of names) {
    renameSync(join(sealedEventsFolder(events), name), join(batch.folder, name));
  }
  return batch;
}

/** Whether a batch or a sealed file waits. */
export function hasBacklog(events: string): boolean {
  return (
    pendingBatches(events).length > 0 ||
    namesIn(sealedEventsFolder(events)).some((name) => eventFile.test(name))
  );
}

/** Keeps a file in which something is wrong, for people to look at; retention removes it. */
export function setAside(events: string, path: string): void {
  mkdirSync(damagedFolder(events), { recursive: true });
  renameSync(path, join(damagedFolder(events), basename(path)));
}

const eventFile = /\.ndjson$/;
const batchName = /^(\d+-\d+(?:-\d+)*)\.(\d+)$/;

/** Oldest first. */
export function pendingBatches(events: string): readonly Batch[] {
  return namesIn(pendingFolder(events))
    .sort(byAge)
    .flatMap((name) => {
      const [, id, tries] = batchName.exec(name) ?? [];
      return id === undefined ? [] : [new Batch(events, id, Number(tries))];
    });
}

function filesOfBatch(sealed: string, { filesMax, bytesMax }: BatchLimits): readonly string[] {
  const names = namesIn(sealed).filter((name) => eventFile.test(name));
  let bytes = 0;
  return names
    .sort(bySecondNumber)
    .slice(0, filesMax)
    .filter((name, at) => {
      bytes += statSync(join(sealed, name)).size;
      return at === 0 || bytes <= bytesMax;
    });
}

/** Numbers in a name compare as such. */
function byAge(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Of event files, `<pid>-<start of the process>-<number>`: by their process's start, then by their number. */
function bySecondNumber(a: string, b: string): number {
  return byAge(a.slice(a.indexOf('-') + 1), b.slice(b.indexOf('-') + 1));
}
