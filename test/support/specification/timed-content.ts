/** The content item `timed`: a rule that begins or ends at an instant, for some of the players. */
import type { Environment } from '../server/environment.js';

/** @param edge RFC 3339; the clock has not reached it */
export async function putTimed(
  game: Environment,
  random: () => number,
  edge: string,
): Promise<void> {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const late = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const window = of([{ from: edge }, { until: edge }, { from: edge, until: late }]);
  const variants = [{ name: 'a', groups: [0, 499], merge: { at: edge } }];
  const rule = random() < 0.5 ? { merge: { at: edge } } : { variants };
  const when = random() < 0.5 ? {} : { level: { $gte: 30 } };
  await game.put('timed', '{"at":"never"}', {
    mapping: [{ segment: 'timed', when, ...window, ...rule }],
  });
}
