/** When something happens in the demo's history: days before the demo starts, at a time of day, or minutes before. */

/** `9d 14:20`: nine days before the demo starts, at 14:20 UTC; `-6d 12:00`: in six days. `35min`: 35 minutes before. */
export type DemoTime = `${number}d ${number}:${number}` | `${number}min`;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Milliseconds since the epoch. `nowMs`: when the demo starts. */
export function demoTimeMs(nowMs: number, time: DemoTime): number {
  const [days, clock] = time.split('d ');
  if (clock === undefined) return nowMs - Number.parseInt(time, 10) * minuteMs;
  const [hours, minutes] = clock.split(':').map(Number);
  return midnightOf(nowMs) - Number(days) * dayMs + ((hours ?? 0) * 60 + (minutes ?? 0)) * minuteMs;
}

/** The start of the day in UTC. */
export function midnightOf(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}
