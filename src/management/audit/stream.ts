/** Writes the audit as NDJSON, oldest first: what there is, and for a stream what comes after it. */
import { isDeepStrictEqual } from 'node:util';

import type * as api from '../../contract/operations/audit.js';
import { ConditionVariable } from '../condition-variable.js';
import { auditHeartbeatMs } from '../limits/audit.js';
import type { Db } from '../store/dialect.js';
import type { Store } from '../store/store.js';
import type { User } from '../store/users/users.js';
import { toIso } from '../to-iso.js';
import type { AuditFilter } from './filter.js';
import { readReach } from './index/rows.js';
import { type AuditEvent, newestAuditId } from './rows.js';
import { walkAudit } from './search.js';

export interface AuditFollowing {
  readonly store: Store;
  readonly filter: AuditFilter;
  /** Id of the event to go on after; '' begins at the first. */
  readonly after: string;
  readonly user: User;
  /** The same user as of now; null: they are not let in any more. */
  readonly userNow: () => Promise<User | null>;
  /** Before events are read: what they changed is known, or is not waited for. */
  readonly settle: () => Promise<void>;
  /** Ends the stream, in order. */
  readonly signal: AbortSignal;
  readonly heartbeatMs?: number;
}

/** Everything up to now. */
export async function* exportEvents(store: Store, filter: AuditFilter): AsyncGenerator<string> {
  for await (const events of walkAudit(store, filter, '')) yield linesOf(events, filter);
}

/**
 * Goes on as events come, with an empty line when none did for a while. It ends with the signal, and as soon as its
 * reader would not be allowed in any more, or may see something else: a reader that is still allowed connects again.
 */
export async function* followAudit(options: AuditFollowing): AsyncGenerator<string> {
  const { store, filter, signal, heartbeatMs = auditHeartbeatMs } = options;
  const changed = new ConditionVariable();
  let isDue = false;
  const notify = (): void => {
    isDue = true;
    changed.notify();
  };
  // Commits of other processes may be missed: the heartbeat finds them.
  const unsubscribe = store.onCommit(({ audited }) => {
    if (audited === true) notify();
  });
  signal.addEventListener('abort', notify);
  try {
    // At once, so that a reader knows that it is connected before anything happens.
    yield '\n';
    for (let { after } = options; !signal.aborted; ) {
      isDue = false;
      await options.settle();
      // Rows are in the order of their ids, so what a filter passes over need not be looked at again.
      const newest = await store.read((db) => newestSearchable(db, filter));
      for await (const events of walkAudit(store, filter, after)) {
        if (signal.aborted || !(await mayGoOn(options))) return;
        yield linesOf(events, filter);
        after = events.at(-1)?.id ?? after;
      }
      if (newest > after) after = newest;
      if (!(await changed.untilOrTimeout(() => isDue || signal.aborted, heartbeatMs))) yield '\n';
      if (!(await mayGoOn(options))) return;
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', notify);
  }
}

/** Id of the newest event that a search finds already: where values are looked for, of those that are indexed. */
async function newestSearchable(db: Db, { place }: AuditFilter): Promise<string> {
  return place === undefined ? newestAuditId(db) : (await readReach(db)).indexedTo;
}

/** Whether the reader is still allowed in, with the same rights. */
async function mayGoOn({ user, userNow }: AuditFollowing): Promise<boolean> {
  const now = await userNow();
  return now?.role === user.role && isDeepStrictEqual(now.environments, user.environments);
}

function linesOf(events: readonly AuditEvent[], filter: AuditFilter): string {
  return events.map((event) => `${JSON.stringify(eventJson(event, filter))}\n`).join('');
}

/** An event as the admin API shows it. */
export function eventJson(
  { atMs, details, items, address, ...rest }: AuditEvent,
  { hidesAddresses }: Pick<AuditFilter, 'hidesAddresses'>,
): api.AuditEvent {
  return {
    ...rest,
    address: hidesAddresses === true ? '' : address,
    at: toIso(atMs),
    details: { ...details },
    ...(items === undefined ? {} : { items: [...items] }),
  };
}
