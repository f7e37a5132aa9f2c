/** Interleaves the runs of contenders, with the order reversed every round: drift of the machine hits all alike. */
import type { Bench } from '../bench.js';

export async function interleave<E extends { readonly name: string }, R>(
  entrants: readonly E[],
  { rounds, progress }: Pick<Bench, 'rounds' | 'progress'>,
  what: string,
  measure: (entrant: E) => Promise<R>,
): Promise<Map<string, R[]>> {
  const results = new Map<string, R[]>(entrants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? entrants : entrants.toReversed();
    for (const entrant of order) {
      progress(`${what}: round ${round + 1} of ${rounds}, ${entrant.name}`);
      results.get(entrant.name)?.push(await measure(entrant));
    }
  }
  return results;
}
