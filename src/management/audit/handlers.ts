/** The audit: a page of it, all of it, and as it happens. */

import { auditReaderStreamsMax, auditStreamsMax } from '../../contract/limits.js';
import { ndjsonType } from '../../contract/media-types.js';
import { exportAudit, listAudit, streamAudit } from '../../contract/operations/audit.js';
import { Problem } from '../../contract/problems.js';
import { findUserNow } from '../http/auth/session-lookup.js';
import { sendStream } from '../http/body/send-stream.js';
import type { AdminApp } from '../http/context.js';
import { type Handler, handle } from '../http/handlers.js';
import { pageOf } from '../http/page.js';
import { auditReaderMsMax, indexGlanceMsMax, indexWaitMsMax } from '../limits/audit.js';
import { auditFilterOf } from './audit-filter-of.js';
import type { AuditFilter } from './filter.js';
import { describeIndex } from './index/read-items.js';
import { newestAuditId } from './rows.js';
import { searchAudit } from './search.js';
import { eventJson, exportEvents, followAudit } from './stream.js';

/** Streams that are open when the app closes are ended before it. */
export function auditHandlers(app: AdminApp): readonly Handler[] {
  const streams = new Map<AbortController, { readonly isOwner: boolean }>();
  app.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.abort();
  });
  return [
    handle(listAudit, async ({ query, user, context: { store, changes } }) => {
      const { before, limit, ...asked } = query;
      const filter = auditFilterOf(asked, user);
      await changes.settle(waitMsOf(filter));
      const page = { before, limit: limit + 1 };
      const found = await searchAudit(store, filter, page);
      const { rows, next } = pageOf(found, limit);
      const events = rows.map((event) => eventJson(event, filter));
      if (filter.place === undefined) return { events, next, index: null };
      return { events, next, index: await store.read((db) => describeIndex(db, filter)) };
    }),

    handle(exportAudit, async ({ query, user, context: { store, changes }, reply }) => {
      const filter = auditFilterOf(query, user);
      await changes.settle(waitMsOf(filter));
      return sendStream(reply, ndjsonType, exportEvents(store, filter));
    }),

    handle(streamAudit, async ({ query, user, context, request, reply }) => {
      const isOwner = user.role === 'owner';
      const readers = [...streams.values()].filter((open) => !open.isOwner).length;
      if (streams.size >= auditStreamsMax || (!isOwner && readers >= auditReaderStreamsMax)) {
        const detail = `${streams.size} streams are open already; close one first.`;
        return new Problem('limit_reached', detail);
      }
      const stream = new AbortController();
      streams.set(stream, { isOwner });
      reply.raw.once('close', () => {
        stream.abort();
        streams.delete(stream);
      });
      // Its reader takes at least the heartbeats, or is gone.
      reply.raw.setTimeout(auditReaderMsMax, () => reply.raw.destroy());
      const { store, changes } = context;
      const { after, ...asked } = query;
      const filter = auditFilterOf(asked, user);
      // With `from`, it begins there; otherwise with the next event.
      const begin = query.from === undefined ? await store.read(newestAuditId) : '';
      // The connection ends with the stream: kept alive, it would hold up the end of the server.
      reply.header('connection', 'close');
      const lines = followAudit({
        ...{ store, filter, user },
        after: after ?? begin,
        settle: () => changes.settle(waitMsOf(filter)),
        userNow: () => findUserNow(context, request),
        signal: stream.signal,
      });
      return sendStream(reply, ndjsonType, lines);
    }),
  ];
}

/** How long a reader waits for the newest changes to be indexed. */
function waitMsOf({ place }: AuditFilter): number {
  return place === undefined ? indexGlanceMsMax : indexWaitMsMax;
}
