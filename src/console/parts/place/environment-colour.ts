/**
 * The colour of an environment, which follows from its id: the same for everyone, without a setting. Protected environments share
 * one that no other has. Names, a lock and a hatched stripe say the same, so colour is never the only sign. Pure.
 */
import type { Environment } from '../../../contract/operations/environments.js';

/** `styles.css` has their shades for both schemes. */
export const environmentColours = ['teal', 'indigo', 'grape', 'cyan', 'pink', 'green'] as const;
export type EnvironmentColour = (typeof environmentColours)[number] | 'guard';

type Coloured = Pick<Environment, 'id' | 'protected' | 'createdAt'>;

/**
 * @param environments all of them: the oldest keeps its colour where two would have the same
 * @returns the colour by id
 */
export function coloursOf(
  environments: readonly Coloured[],
): ReadonlyMap<string, EnvironmentColour> {
  const count = environmentColours.length;
  const colours = new Map<string, EnvironmentColour>();
  const taken = new Set<number>();
  const oldestFirst = [...environments].sort(
    (a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id),
  );
  for (const { id, protected: isProtected } of oldestFirst) {
    if (taken.size === count) taken.clear();
    let place = sumOf(id) % count;
    while (taken.has(place)) place = (place + 1) % count;
    // A protected one keeps its place, so that protecting one environment does not recolour another.
    taken.add(place);
    colours.set(id, isProtected ? 'guard' : (environmentColours[place] ?? 'guard'));
  }
  return colours;
}

function sumOf(id: string): number {
  let sum = 0;
  for (let at = 0; at < id.length; at += 1) sum = (sum * 31 + id.charCodeAt(at)) >>> 0;
  return sum;
}
