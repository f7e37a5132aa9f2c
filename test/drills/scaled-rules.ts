/**
 * The rules with shorter times: a minute of `for` is seconds, so that an hour of alerts is played in minutes. Thresholds and
 * expressions stay as they are.
 */
import { readFileSync } from 'node:fs';

export const rulesFile = new URL('../../deploy/prometheus/loadout.rules.yml', import.meta.url)
  .pathname;

/** By what times of the rules are multiplied; 1 plays the true ones. */
export const scale = Number(process.env['LOADOUT_DRILLS_SCALE'] ?? 1 / 30);

/**
 * No time becomes shorter than this: a scrape every two seconds, and what a server needs by itself (a failover, a delivery process
 * that starts), are not scaled.
 */
const secondsMin = 10;

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds that a time of the rules takes here: `1m` and `5m` 10, `10m` 20, `15m` 30, `1h` 120, if nothing is set. */
export function scaledSeconds(time: string): number {
  const [, number = '', unit = ''] = /^(\d+)([smhd])$/.exec(time) ?? [];
  const seconds = Number(number) * (unitSeconds[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) throw new Error(`no time of the rules: ${time}`);
  return scale === 1 ? seconds : Math.max(secondsMin, Math.round(seconds * scale));
}

/** Text of rules or of an expression, with each `for: 5m`, `[5m]` and `[5m:15s]` scaled; a subquery looks once a second. */
export function scaled(text: string): string {
  return text
    .replaceAll(/(^\s*for: )(\w+)$/gm, (_, before, time) => `${before}${scaledSeconds(time)}s`)
    .replaceAll(/\[(\w+)\]/g, (_, time) => `[${scaledSeconds(time)}s]`)
    .replaceAll(/\[(\w+):\w+\]/g, (_, time) => `[${scaledSeconds(time)}s:1s]`);
}

export function scaledRules(): string {
  return scaled(readFileSync(rulesFile, 'utf8'));
}
