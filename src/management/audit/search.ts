/** Searches the audit in steps, so that neither the control thread nor the other readers of the store wait for it (D31). */
import { setImmediate } from 'node:timers/promises';
import { auditRowsPerRead } from '../limits/audit.js';
import type { Store } from '../store/store.js';
import type { AuditFilter } from './filter.js';
import type { AuditEvent } from './rows.js';
import { readAuditStep } from './steps.js';

/**
 * Newest first.
 * @param page.before id of the event before which the page begins
 */
export async function searchAudit(
  store: Pick<Store, 'read'>,
  filter: AuditFilter,
  page: { readonly before?: string | undefined; readonly limit: number },
): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  for (let { before } = page; ; ) {
    const step = { order: 'desc', before, limit: page.limit - found.length } as const;
    const { events, next } = await store.read((db) => readAuditStep(db, filter, step));
    found.push(...events);
    if (next === null || found.length >= page.limit) return found;
    before = next;
    await setImmediate();
  }
}

/**
 * Everything up to now, oldest first, in pieces of some hundred events: memory does not grow with the audit.
 * @param after id of the event after which it begins; '' begins at the first
 */
export async function* walkAudit(
  store: Pick<Store, 'read'>,
  filter: AuditFilter,
  after: string,
): AsyncGenerator<AuditEvent[]> {
  for (let from = after; ; ) {
    const step = { order: 'asc', after: from, limit: auditRowsPerRead } as const;
    const { events, next } = await store.read((db) => readAuditStep(db, filter, step));
    if (events.length > 0) yield events;
    if (next === null) return;
    from = next;
    await setImmediate();
  }
}
