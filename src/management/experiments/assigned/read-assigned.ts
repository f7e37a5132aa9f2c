/** Reads how many users were given each variant of an experiment: by day, and in the whole phase. */
import type { AssignedUsers } from '../../../analysis/results/results-source.js';
import { type AssignedSketch, unionOf } from '../../../content/sketch/assigned-sketch.js';
import { EventLoopYielder } from '../../store/event-loop-yielder.js';
import {
  listAssignedDays,
  listDayParts,
  type PhaseId,
} from '../../store/experiments/assigned-parts.js';
import type { Store } from '../../store/store.js';
import { readParts } from './read-parts.js';

/** With names of the servers whose counts these are. */
interface ReadUsers extends AssignedUsers {
  readonly nodes: readonly string[];
}

/**
 * What was written so far: users of the last ten seconds may be missing.
 * @returns null when no user was counted
 * @throws StoreUnavailable
 */
export async function readAssigned(
  store: Pick<Store, 'read'>,
  phase: PhaseId,
): Promise<ReadUsers | null> {
  const pace = new EventLoopYielder();
  const days: AssignedUsers['days'][number][] = [];
  const nodes = new Set<string>();
  let total: AssignedSketch | null = null;
  const names = await store.read((db) => listAssignedDays(db, phase));
  // The sample of the days that are over comes last: one that is folded into it meanwhile is then met twice, not missed.
  for (const day of [...names.filter((name) => name !== ''), '']) {
    const { parts, sketches } = readParts(
      await store.read((db) => listDayParts(db, { ...phase, day })),
    );
    if (sketches.length === 0) continue;
    const users = unionOf(sketches);
    for (const { node } of parts) if (node !== '') nodes.add(node);
    if (day !== '') days.push(...variantsOf(users).map((variant) => ({ day, ...variant })));
    total = total === null ? users : unionOf([total, users]);
    await pace.step();
  }
  if (total === null) return null;
  const sample = sampleOf(total);
  // Up to there no user was left out of the sample, which is exact.
  const variants = total.level === 0 ? sample : variantsOf(total);
  return { days, variants, sample, nodes: [...nodes].sort() };
}

function variantsOf(users: AssignedSketch): { variant: string; users: number }[] {
  return users.variants.map((variant, at) => ({ variant, users: users.users(at) }));
}

function sampleOf(users: AssignedSketch): AssignedUsers['sample'] {
  return users.variants.map((variant, at) => ({ variant, users: users.usersInSample(at) }));
}
