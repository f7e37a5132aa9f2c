/** The audit: a page of it, all of it, and as it happens. */

import { parseInstant } from '../../content/mapping/instant.js';
import { auditStreamsMax } from '../../contract/limits.js';
import { ndjsonType } from '../../contract/media-types.js';
import {
  type AuditQuery,
  exportAudit,
  listAudit,
  streamAudit,
} from '../../contract/operations/audit.js';
import { Problem } from '../../contract/problems.js';
import { findUserNow } from '../http/auth/session-lookup.js';
import { sendStream } from '../http/body/send-stream.js';
import type { AdminApp } from '../http/context.js';
import { type Handler, handle } from '../http/handlers.js';
import { pageOf } from '../http/page.js';
import { auditReaderMsMax } from '../limits.js';
import type { User } from '../store/users/users.js';
import { type AuditFilter, newestAuditId } from './rows.js';
import { searchAudit } from './search.js';
import { eventJson, exportEvents, followAudit } from './stream.js';

/** Streams that are open when the app closes are ended before it. */
export function auditHandlers(app: AdminApp): readonly Handler[] {
  const streams = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.abort();
  });
  return [
    handle(listAudit, async ({ query, user, context: { store } }) => {
      const { before, limit, ...filter } = query;
      const page = { before, limit: limit + 1 };
      const found = await searchAudit(store, auditFilterOf(filter, user), page);
      const { rows, next } = pageOf(found, limit);
      return { events: rows.map(eventJson), next };
    }),

    handle(exportAudit, async ({ query, user, context: { store }, reply }) =>
      sendStream(reply, ndjsonType, exportEvents(store, auditFilterOf(query, user))),
    ),

    handle(streamAudit, async ({ query, user, context, request, reply }) => {
      if (streams.size >= auditStreamsMax) {
        const detail = `${auditStreamsMax} streams are open already; close one first.`;
        return new Problem('limit_reached', detail);
      }
      const stream = new AbortController();
      streams.add(stream);
      reply.raw.once('close', () => {
        stream.abort();
        streams.delete(stream);
      });
      // Its reader takes at least the heartbeats, or is gone.
      reply.raw.setTimeout(auditReaderMsMax, () => reply.raw.destroy());
      const { store } = context;
      const { after, ...filter } = query;
      // With `from`, it begins there; otherwise with the next event.
      const begin = query.from === undefined ? await store.read(newestAuditId) : '';
      // The connection ends with the stream: kept alive, it would hold up the end of the server.
      reply.header('connection', 'close');
      const lines = followAudit({
        store,
        filter: auditFilterOf(filter, user),
        after: after ?? begin,
        user,
        userNow: () => findUserNow(context, request),
        signal: stream.signal,
      });
      return sendStream(reply, ndjsonType, lines);
    }),
  ];
}

/** The events that a request asks for, of those that its user may see. */
function auditFilterOf(query: AuditQuery, user: Pick<User, 'environments'>): AuditFilter {
  const { environment, from, until, ...rest } = query;
  return {
    ...rest,
    environments: environmentsOf(environment, user),
    fromMs: parseInstant(from ?? '') ?? undefined,
    untilMs: parseInstant(until ?? '') ?? undefined,
  };
}

/** An environment that is not the user's has no events for them, like one that does not exist. */
function environmentsOf(
  environment: string | undefined,
  user: Pick<User, 'environments'>,
): readonly string[] | null {
  if (environment === undefined) return user.environments;
  return user.environments?.includes(environment) === false ? [] : [environment];
}
