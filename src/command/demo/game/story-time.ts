/** When things happened in the demo's past: some days ago at a time of day, or some minutes ago. */

/** `9d 14:20`: nine days before the demo starts, at 14:20 UTC. `35min`: so many minutes before. */
export type StoryTime = `${number}d ${number}:${number}` | `${number}min`;

const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** Milliseconds since the epoch. `nowMs`: when the demo starts. */
export function storyTimeMs(nowMs: number, time: StoryTime): number {
  const [days, clock] = time.split('d ');
  if (clock === undefined) return nowMs - Number.parseInt(time, 10) * minuteMs;
  const [hours, minutes] = clock.split(':').map(Number);
  const midnightMs = midnightOf(nowMs) - Number(days) * dayMs;
  return midnightMs + ((hours ?? 0) * 60 + (minutes ?? 0)) * minuteMs;
}

/** The beginning of the day in UTC. */
export function midnightOf(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}
