/** An environment as the admin API shows it: with its review policy, and an emergency of the past day. */
import type * as api from '../../contract/operations/environments.js';
import { emergencyShownMs } from '../limits/fleet.js';
import type { Db } from '../store/dialect.js';
import type { Environment } from '../store/environments.js';
import { findLastEmergency } from '../store/releases/release-timeline.js';
import { readTrafficKept } from '../store/traffic-policies.js';
import { toIso } from '../to-iso.js';
import { readPolicies } from './apply-edit.js';

/** @param nowMs milliseconds since the epoch */
export async function environmentJson(
  db: Db,
  { id, name, protected: isProtected, createdAtMs }: Environment,
  nowMs: number,
): Promise<api.Environment> {
  const last = await findLastEmergency(db, id, nowMs - emergencyShownMs);
  const emergency =
    last === null
      ? null
      : { release: last.release, by: last.userName, at: toIso(last.at), reason: last.text };
  const policies = await readPolicies(db, id);
  const traffic = await readTrafficKept(db, id);
  const createdAt = toIso(createdAtMs);
  return { id, name, protected: isProtected, ...policies, traffic, emergency, createdAt };
}
