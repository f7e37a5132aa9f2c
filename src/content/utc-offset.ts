/** The player's local time, as a game sends it: `p.utcOffset`, whole minutes east of UTC. Pure. */

/** Minutes east of UTC of the places whose clocks are furthest behind and furthest ahead. */
export const utcOffsetMin = -720;
export const utcOffsetMax = 840;

/**
 * @param p the attributes of a caller, as `JSON.parse` gave them
 * @returns null when `utcOffset` is absent, inherited, or no whole number from -720 to 840
 */
export function utcOffsetOf(p: Readonly<Record<string, unknown>>): number | null {
  if (!Object.hasOwn(p, 'utcOffset')) return null;
  const minutes = p['utcOffset'];
  if (!Number.isInteger(minutes)) return null;
  const whole = minutes as number;
  return whole < utcOffsetMin || whole > utcOffsetMax ? null : whole;
}
