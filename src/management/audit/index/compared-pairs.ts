/** Which revisions of which contents an event of the audit replaced by which others. */
import { contentKey } from '../../../content/content-id.js';
import type { AuditAction } from '../../../contract/events.js';
import type { Db } from '../../store/dialect.js';
import type { AuditEvent } from '../rows.js';

/** Two states of a content: what was there before an event, and what came. */
export interface ComparedPair {
  readonly id: string;
  readonly idLower: string;
  /** Numbers of revisions; null: there was none, or is none any more. */
  readonly from: number | null;
  readonly to: number | null;
}

const itemActions = [
  ...(['content.put', 'content.publish', 'content.rollback'] as const),
  ...(['content.remove-line', 'content.delete', 'content.restore'] as const),
];
/** Their contents are noted beside the event. */
const notedActions = [
  ...(['environment.sync', 'environment.import'] as const),
  ...(['release.start', 'release.live', 'release.revert'] as const),
];

/** Events that change values. Other steps of a release bring nothing that its start has not brought. */
export const indexedActions: readonly AuditAction[] = [...itemActions, ...notedActions];

type State = { readonly revision?: number; readonly live?: number | null } | null;
type IndexedEvent = Pick<AuditEvent, 'id' | 'action' | 'name' | 'details'>;

/** In the order of the ids. What an old event does not say is left out. */
export async function comparedPairs(db: Db, event: IndexedEvent): Promise<ComparedPair[]> {
  const isNoted = (notedActions as readonly string[]).includes(event.action);
  return isNoted ? notedPairs(db, event.id) : itemPair(event);
}

function itemPair({ action, name, details }: IndexedEvent): ComparedPair[] {
  const key = { id: name, idLower: contentKey(name) };
  const before = (details['before'] ?? null) as State;
  const after = (details['after'] ?? null) as State;
  const revision = typeof details['revision'] === 'number' ? details['revision'] : null;
  const shownBefore = before?.live ?? before?.revision ?? null;
  const shownAfter = after?.live ?? after?.revision ?? null;
  switch (action as (typeof itemActions)[number]) {
    case 'content.delete':
      return shownBefore === null ? [] : [{ ...key, from: shownBefore, to: null }];
    case 'content.restore':
      return shownAfter === null ? [] : [{ ...key, from: null, to: shownAfter }];
    case 'content.publish':
      return revision === null ? [] : [{ ...key, from: before?.live ?? null, to: revision }];
    case 'content.rollback':
      return revision === null ? [] : [{ ...key, from: shownBefore, to: revision }];
    default:
      return revision === null ? [] : [{ ...key, from: before?.revision ?? null, to: revision }];
  }
}

async function notedPairs(db: Db, auditId: string): Promise<ComparedPair[]> {
  const rows = await db
    .selectFrom('auditedContents')
    .selectAll()
    .where('auditId', '=', auditId)
    .orderBy('idLower')
    .execute();
  return rows.flatMap(({ id, idLower, change, liveBefore, liveAfter, newest }): ComparedPair[] => {
    const from = liveBefore;
    if (change === 'removed')
      return from === null || from === liveAfter ? [] : [{ id, idLower, from, to: null }];
    // What became a draft, or a candidate of a ramp, is the newest.
    const to = liveAfter === liveBefore ? newest : liveAfter;
    return to === null || to === from ? [] : [{ id, idLower, from, to }];
  });
}
