/** Routes that show who did what: a page of it, all of it, and as it happens. */
import { strict as assert } from 'node:assert';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { auditRowsDefault, auditRowsMax, auditStreamsMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { searchAudit } from '../audit-search.js';
import { problems } from '../http/problem-responses.js';
import { auditReaderMsMax } from '../limits.js';
import { findUserNow } from '../session/lookup.js';
import { newestAuditId } from '../store/audit.js';
import type { User } from '../store/users.js';
import { auditFilterOf, auditFilterSchema, eventJson, eventSchema } from './audit-query.js';
import { exportAudit, followAudit } from './audit-stream.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

const ndjson = 'application/x-ndjson';

const eventId = z.string().max(64);

export function registerAudit(app: AdminApp, context: AdminContext): void {
  const tags = ['audit'];
  const { store } = context;
  /** Each stream that is open, to be ended before the server is. */
  const streams = new Set<AbortController>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.abort();
  });

  app.get(
    '/admin/v1/audit',
    {
      config: { role: 'owner', scoped: true },
      schema: {
        tags,
        description:
          'Who did what, newest first. An owner of some environments sees what was done in those.',
        querystring: auditFilterSchema.extend({
          before: eventId.optional().describe('Id of the event before which the page begins.'),
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(auditRowsMax)
            .default(auditRowsDefault)
            .describe('Events of a page.'),
        }),
        response: {
          200: z.object({
            events: z.array(eventSchema),
            next: z.string().nullable().describe('`before` of the next page; null on the last.'),
          }),
          ...problems(),
        },
      },
    },
    async (request, reply) => {
      const { before, limit, ...query } = request.query;
      assert(request.user !== null, 'the route names a role');
      const filter = auditFilterOf(query, request.user);
      // One more than asked for tells whether there is a next page.
      const events = await searchAudit(store, filter, { before, limit: limit + 1 });
      const page = events.slice(0, limit);
      const next = events.length > limit ? (page.at(-1)?.id ?? null) : null;
      return reply.send({ events: page.map(eventJson), next });
    },
  );

  app.get(
    '/admin/v1/audit/export',
    {
      // A HEAD would read all of it for nothing.
      exposeHeadRoute: false,
      config: { role: 'owner', scoped: true },
      schema: {
        tags,
        description: 'The same events oldest first, all of them, as NDJSON: one event a line.',
        querystring: auditFilterSchema,
        response: { 200: ndjsonResponse('One event a line.'), ...problems() },
      },
    },
    async (request, reply) => {
      assert(request.user !== null, 'the route names a role');
      const filter = auditFilterOf(request.query, request.user);
      return sendLines(reply, exportAudit(store, filter));
    },
  );

  app.get(
    '/admin/v1/audit/stream',
    {
      exposeHeadRoute: false,
      config: { role: 'owner', scoped: true },
      schema: {
        tags,
        description:
          'The same events as they happen, as NDJSON. An empty line comes at once, and when nothing else does for a while. The stream ends when the server does, when the token is revoked, when the session ends and when its user may see something else; go on with `after`.',
        querystring: auditFilterSchema.extend({
          after: eventId
            .optional()
            .describe(
              'Id of the event after which it begins; without it and without `from`, it begins now.',
            ),
        }),
        response: {
          200: ndjsonResponse('One event a line, and empty lines.'),
          ...problems('limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { after, ...query } = request.query;
      const { user } = request;
      assert(user !== null, 'the route names a role');
      if (streams.size >= auditStreamsMax) return sendProblem(reply, tooManyStreams());
      const stream = new AbortController();
      streams.add(stream);
      reply.raw.once('close', () => {
        stream.abort();
        streams.delete(stream);
      });
      // Its reader takes at least the heartbeats, or is gone.
      reply.raw.setTimeout(auditReaderMsMax, () => reply.raw.destroy());
      const filter = auditFilterOf(query, user);
      // With a time to begin at, from there; otherwise with what is new.
      const begin = query.from === undefined ? await store.read(newestAuditId) : '';
      // The connection ends with the stream: kept alive, it would hold up the end of the server.
      reply.header('connection', 'close');
      const { signal } = stream;
      const userNow = (): Promise<User | null> => findUserNow(context, request);
      const following = { store, filter, after: after ?? begin, user, userNow, signal };
      return sendLines(reply, followAudit(following));
    },
  );
}

/** For OpenAPI; what is streamed passes no serializer. */
function ndjsonResponse(description: string): {
  readonly description: string;
  readonly content: { readonly [ndjson]: { readonly schema: typeof eventSchema } };
} {
  return { description, content: { [ndjson]: { schema: eventSchema } } };
}

/** A reader that goes away ends the reading; one that is slow slows it down. */
function sendLines(reply: FastifyReply, lines: AsyncGenerator<string>): FastifyReply {
  return reply.header('content-type', ndjson).send(Readable.from(lines, { objectMode: false }));
}

function tooManyStreams(): Problem {
  const detail = `${auditStreamsMax} streams are open already; close one first.`;
  return new Problem('limit_reached', detail);
}
