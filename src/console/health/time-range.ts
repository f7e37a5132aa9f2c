/** From when to when a chart goes, in seconds since the epoch. */

/** A page that was opened just now shows this many seconds, most of them empty. */
const spanSecondsMin = 60;

/** @param nowSeconds where it ends while nothing was measured */
export function timeRange(
  times: readonly number[],
  nowSeconds: number,
): readonly [from: number, to: number] {
  const last = times.at(-1) ?? nowSeconds;
  return [Math.min(times[0] ?? last, last - spanSecondsMin), last];
}
