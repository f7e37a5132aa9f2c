/** What ramping releases deliver of content items to the callers that are in, in the words of the read model. */
import type { PublishedCandidate } from '../../../published/change.js';
import { type DeliveredRevision, readDeliveryWith } from '../contents/delivery.js';
import type { Db } from '../dialect.js';
import type { EnvironmentRamps } from './ramps.js';

/** A content item, with the revision that is live of it; null: nothing is. */
type RampedContent = Omit<DeliveredRevision, 'number'> & { readonly live: number | null };

/**
 * The candidate of the one ramp that reaches a content item; null: none does. Its hashes follow the rule of live ones,
 * with the release's segments in front of the saved ones.
 * @throws TextDamaged
 */
export async function readCandidate(
  db: Db,
  { live, ...content }: RampedContent,
  { byContent }: EnvironmentRamps,
): Promise<PublishedCandidate | null> {
  const ramp = byContent.get(content.idLower);
  if (ramp === undefined) return null;
  const { release, run, salt, step, steps, brake } = ramp.release;
  const changed = ramp.revisions.get(content.idLower);
  // Only a segment of the release changes it: its live revision, with that segment.
  const number = changed === undefined ? live : changed;
  return {
    ...{ release: String(release), run, salt, step },
    permille: Math.round((steps[step]?.percent ?? 0) * 10),
    receipts: (brake?.receipts ?? null) !== null,
    content:
      number === null ? null : await readDeliveryWith(db, { ...content, number }, ramp.conditions),
  };
}
