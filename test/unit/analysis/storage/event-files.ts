/** A folder of events with sealed files, as delivery processes leave them, and a look at what is stored. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ExperimentRule } from '../../../../src/analysis/storage/experiment-rules.js';
import { eventFileName, sealedEventsFolder } from '../../../../src/published/event-files.js';
import type { EventLine } from '../../../../src/published/event-line.js';

/** 2026-11-24 12:00 UTC. */
export const noon = Date.UTC(2026, 10, 24, 12);

export function makeEventsFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-events-'));
  for (const name of ['sealed', 'tmp']) mkdirSync(join(folder, name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let number = 0;

/** @returns its name */
export function sealFile(events: string, lines: readonly (EventLine | string)[]): string {
  const name = eventFileName(4242, noon, number++);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(join(sealedEventsFolder(events), name), text.map((line) => `${line}\n`).join(''));
  return name;
}

export function purchase(u: string, eid: string, over: Partial<EventLine> = {}): EventLine {
  return {
    r: noon,
    env: 'live',
    u,
    k: 0,
    e: { t: 'metric', n: 'purchase', x: 4.99, at: noon - 1_000, eid },
    ...over,
  };
}

/** The user saw what the rule `price` of the content `Shop` gives in this variant. */
export function exposure(u: string, variant: string, eid: string, at: number = noon): EventLine {
  const seg = [{ n: 'price', v: variant }];
  return { r: noon, env: 'live', u, k: 0, e: { t: 'exposure', id: 'Shop', seg, at, eid } };
}

/** Everyone below bucket 500 of the salt is in `control`, the others in `high`. */
export const priceExperiment: ExperimentRule = {
  environment: 'live',
  id: 'price-test',
  content: 'shop',
  segment: 'price',
  phases: [
    {
      number: 1,
      startedAtMs: noon - 3_600_000,
      endedAtMs: null,
      salt: 'price-1',
      layer: null,
      variants: [
        { name: 'control', groups: [0, 499] },
        { name: 'high', groups: [500, 999] },
      ],
    },
  ],
};

/** Names of all files below a folder, sorted. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
