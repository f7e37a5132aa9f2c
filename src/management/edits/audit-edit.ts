/** What the audit says of an edit: an event for each item, as if it had been edited alone, all with the same `edit` (D102). */

import { findHash } from '../store/contents/state-hashes.js';
import { EventLoopYielder } from '../store/event-loop-yielder.js';
import type { NewAuditEvent, UnitOfWork } from '../store/unit-of-work.js';
import type { EditRequest } from './edit-request.js';
import { newestState, type PlannedItem } from './planned-item.js';

/** @param planId names the edit: events with the same one belong together */
export async function auditEdit(
  write: UnitOfWork,
  request: EditRequest,
  planId: string,
  changed: readonly PlannedItem[],
): Promise<void> {
  const pace = new EventLoopYielder();
  const events: NewAuditEvent[] = [];
  for (const item of changed) {
    const event = await eventOf(write, request, item);
    if (event !== null) events.push({ ...event, details: { ...event.details, edit: planId } });
    await pace.step();
  }
  await write.auditAll(request.environment, events);
}

/** Null: only a release has it, which has events of its own. */
async function eventOf(
  write: UnitOfWork,
  { environment, edit, note, release }: EditRequest,
  { id, stored, save, lines }: PlannedItem,
): Promise<NewAuditEvent | null> {
  if (stored === null) return null;
  const { newest, live } = stored;
  const { lines: linesBefore } = newestState(stored);
  const [liveBefore, hash] = [live?.number ?? null, linesBefore.at(-1)?.hash ?? ''];
  if (save === null) {
    if (release !== null) return null;
    const before = { revision: newest, live: liveBefore };
    return { action: 'content.delete', name: id, details: { before, after: null } };
  }
  const { idLower, newest: revision, live: liveAfter } = save;
  if (edit.kind === 'publish') {
    if (release !== null) return null;
    const after = { live: liveAfter, hash };
    const details = { revision, before: { live: liveBefore }, after };
    return { action: 'content.publish', name: id, details };
  }
  const isNew = revision > newest;
  const hashAfter = isNew ? await findHash(write.db, environment, idLower, revision) : hash;
  const edited = lines.filter(({ after }) => after !== null);
  const changed = isNew ? edited.map(({ appVersion }) => `line ${appVersion}`) : ['tags'];
  const before = { revision: newest, live: liveBefore, hash };
  const after = { revision, live: liveAfter, hash: hashAfter };
  return { action: 'content.put', name: id, details: { revision, before, after, changed, note } };
}
