/** Experiments of one layer that run at once: no player is in two of them, and each splits its players in its own way. */
import {
  type FrozenRule,
  saltsAgree,
  slicesOverlap,
} from '../../content/experiments/frozen-rule.js';
import { Problem } from '../../contract/problems.js';
import type { Db } from '../store/dialect.js';
import { listOpenPhases } from '../store/experiments/experiment-phases.js';

/**
 * Why experiments may not run with these rules beside the others that run; null: they may.
 * @param rules by id of the experiment, in front of those that it runs with now; null: it stops
 */
export async function rejectOverlap(
  db: Db,
  environment: string,
  rules: ReadonlyMap<string, FrozenRule | null>,
): Promise<Problem | null> {
  const isInLayer = [...rules.values()].some((rule) => rule !== null && rule.layer !== null);
  if (!isInLayer) return null;
  const running = new Map<string, FrozenRule | null>();
  for (const [id, { rule }] of await listOpenPhases(db, environment)) running.set(id, rule);
  for (const [id, rule] of rules) running.set(id, rule);
  for (const [id, rule] of rules) {
    if (rule === null) continue;
    for (const [otherId, other] of running) {
      if (other === null || otherId === id) continue;
      const problem = overlapOf({ id, rule }, { id: otherId, rule: other });
      if (problem !== null) return problem;
    }
  }
  return null;
}

interface Named {
  readonly id: string;
  readonly rule: FrozenRule;
}

function overlapOf(a: Named, b: Named): Problem | null {
  const both = `Experiments "${a.id}" and "${b.id}" of layer "${a.rule.layer}"`;
  const experiments = { experiments: [a.id, b.id] };
  if (slicesOverlap(a.rule, b.rule)) {
    const [first, second] = [a, b].map(({ rule: { slice } }) => `${slice?.[0]}-${slice?.[1]}`);
    const detail = `${both} would share players: their slices are ${first} and ${second}. Give them slices without a common bucket, or stop one.`;
    return new Problem('slices_overlap', detail, [], experiments);
  }
  if (!saltsAgree(a.rule, b.rule)) return null;
  const detail = `${both} have the same salt, so both split players at the same places: give each rule a salt of its own.`;
  return new Problem('salt_in_use', detail, [], experiments);
}
