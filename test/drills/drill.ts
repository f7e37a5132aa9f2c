/** Plays a row of the operators' table "When a part fails", and compares what fires with what the row says. */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { Prometheus } from './prometheus.js';
import { scale } from './scaled-rules.js';

const page = new URL('../../docs/operating.md', import.meta.url).pathname;

/** How long a fault goes on after its alert, or without one: longer than alerts of 5 minutes wait, scaled. */
const holdMs = 12_000;
const quietMs = 20_000;
/** Longer than alerts of 15 minutes wait, scaled. */
export const longHoldMs = 35_000;
/** From the fault to its alert, and from the end of it to none: the longest are those of traces, scaled. */
const firesMsMax = 60_000 + 3_600_000 * scale;
const overMsMax = 60_000 + 3_600_000 * scale;

interface Row {
  readonly part: string;
  /** What its cell says, without links. */
  readonly alert: string;
}

/** The rows of the table "When a part fails". */
export function partsOfPage(): Row[] {
  const [, section = ''] = readFileSync(page, 'utf8').split('\n## When a part fails\n');
  const [table = ''] = section.trimStart().split('\n\n');
  const lines = table.split('\n').slice(2);
  return lines.map((line) => {
    const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim());
    const part = (cells[0] ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
    return { part, alert: cells.at(-1) ?? '' };
  });
}

interface Played {
  readonly part: string;
  readonly variant: string;
  readonly alert: string | null;
  /** From the fault until the alert fired. */
  readonly seconds: number | null;
  /** From the end of the fault until nothing fired; null: not waited for. */
  readonly overSeconds: number | null;
}

export interface Drill {
  /** As the first cell of the row says, without links. */
  readonly part: string;
  /** Where a row is played in more than one way. */
  readonly variant?: string;
  /** What must fire, and nothing else. Null: nothing. */
  readonly alert: string | null;
  readonly fault: () => unknown;
  /** Ends the fault. Left out: it is over by itself. */
  readonly end?: () => unknown;
  /** False: what it fires goes on for longer than a test waits. */
  readonly waitsForEnd?: boolean;
  /** How long the fault goes on after its alert, where alerts with a longer `for` could follow. */
  readonly holdMs?: number;
}

const played: Played[] = [];
afterAll(() => {
  const cell = (value: number | null): string => (value === null ? '–' : value.toFixed(0));
  const lines = played.map(({ part, variant, alert, seconds, overSeconds }) => {
    const what = variant === '' ? part : `${part} (${variant})`;
    return `| ${what} | ${alert ?? 'none'} | ${cell(seconds)} | ${cell(overSeconds)} |`;
  });
  const head = `drills, times of the rules × ${scale.toFixed(3)}\n| what | alert | fires after, s | over after, s |\n`;
  if (lines.length > 0) console.log(`${head}${lines.join('\n')}`);
  const out = process.env['LOADOUT_DRILLS_OUT'];
  if (out === undefined) return;
  for (const one of played) appendFileSync(out, `${JSON.stringify({ scale, ...one })}\n`);
});

/** Nothing fires before; then what the drill says, and only that; then nothing again. */
export async function play(prometheus: Prometheus, drill: Drill): Promise<void> {
  const { part, variant = '', alert } = drill;
  const row = partsOfPage().find((one) => one.part === part);
  expect(row, `the page has a row "${part}"`).toBeDefined();
  expect(row?.alert).toContain(alert === null ? 'none' : `\`${alert}\``);
  const wanted = alert === null ? [] : [alert];
  await silence(prometheus, 'before the fault');

  const startedMs = performance.now();
  const since = (): number => (performance.now() - startedMs) / 1_000;
  let seconds: number | null = null;
  let endedMs = startedMs;
  try {
    await drill.fault();
    if (alert === null) await pause(quietMs);
    else {
      await onlyFires(prometheus, alert);
      seconds = since();
      await pause(drill.holdMs ?? holdMs);
    }
    const firing = await prometheus.firing();
    // What is over by itself may have stopped firing by now.
    if (drill.end !== undefined || alert === null) expect(firing).toEqual(wanted);
  } finally {
    endedMs = performance.now();
    await drill.end?.();
  }
  const waits = drill.waitsForEnd ?? true;
  if (waits) await silence(prometheus, 'after the fault');
  const overSeconds = waits && alert !== null ? (performance.now() - endedMs) / 1_000 : null;
  // Also what fired for a moment between two looks.
  expect(await prometheus.firedWithin(since())).toEqual(wanted);
  played.push({ part, variant, alert, seconds, overSeconds });
}

async function onlyFires(prometheus: Prometheus, alert: string): Promise<void> {
  await eventually(`${alert} fires`, firesMsMax, async () => {
    const firing = await prometheus.firing();
    expect(firing.filter((name) => name !== alert)).toEqual([]);
    return firing.length > 0;
  });
  // What Prometheus writes in the place of a value that it cannot fill in.
  for (const text of await prometheus.texts())
    expect(text).not.toMatch(/error expanding|<no value>/);
}

function silence(prometheus: Prometheus, when: string): Promise<boolean> {
  let firing: readonly string[] = [];
  return eventually(`no alert fires ${when}`, overMsMax, async () => {
    firing = await prometheus.firing();
    return firing.length === 0;
  }).catch(() => {
    throw new Error(`${when} these go on to fire: ${firing.join(', ')}`);
  });
}
