/** Releases that change the layers or the holdout of their environment. */
import { Problem } from '../../contract/problems.js';
import { rejectRamping } from '../gate/gate.js';
import { planLayers } from '../layers/plan-layers.js';
import type { Db } from '../store/dialect.js';
import type { ReleaseRecord } from '../store/releases/releases.js';
import type { ChangeFacts } from './change-facts.js';

/** Why they cannot go live at this moment; null: they can, or there are none. */
export async function rejectLayerEdits(
  db: Db,
  { environment, release }: ReleaseRecord,
  facts: readonly Pick<ChangeFacts, 'edit'>[],
): Promise<Problem | null> {
  for (const { edit } of facts) {
    if (edit === null) continue;
    const planned = await planLayers(db, environment, edit);
    if (planned instanceof Problem) return planned;
    if (!planned.isAddition) return rejectRamping(db, environment, release);
  }
  return null;
}
