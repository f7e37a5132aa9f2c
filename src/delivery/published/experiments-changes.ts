/** Which content items are counted for other experiments after an edit. */
import { isDeepStrictEqual } from 'node:util';
import type { PublishedExperiment } from '../../published/environment-settings.js';
import type { PublishedDelta } from '../../published/reader.js';
import type { ServedEnvironment } from './published-index.js';

/** Of environments whose running experiments differ from what is served: the content items, by lower-case id. */
export function experimentsChanges(
  delta: PublishedDelta,
  find: (id: string) => ServedEnvironment | undefined,
): ReadonlyMap<ServedEnvironment, ReadonlySet<string>> {
  const changes = new Map<ServedEnvironment, ReadonlySet<string>>();
  for (const [id, { experiments: after }] of delta.settings) {
    const environment = find(id);
    if (environment === undefined) continue;
    const before = environment.settings.experiments;
    const differing = [...without(before, after), ...without(after, before)];
    if (differing.length > 0) {
      changes.set(environment, new Set(differing.map(({ content }) => content)));
    }
  }
  return changes;
}

function without(
  experiments: readonly PublishedExperiment[],
  others: readonly PublishedExperiment[],
): PublishedExperiment[] {
  return experiments.filter((one) => !others.some((other) => isDeepStrictEqual(one, other)));
}
