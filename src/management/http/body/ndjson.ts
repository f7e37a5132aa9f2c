/** NDJSON bodies: read from the stream by the operations that take them, and sent as they are made. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ndjsonType } from '../../../contract/media-types.js';
import type { AdminApp } from '../context.js';
import { checkBodyType } from './body-type.js';

/** The body of an NDJSON request is its stream. */
export function registerNdjsonBody(app: AdminApp): void {
  app.addContentTypeParser(
    ndjsonType,
    async (request: FastifyRequest, payload: IncomingMessage) => {
      checkBodyType(request.routeOptions.config, 'lines');
      return payload;
    },
  );
}

/** Sends lines without holding them in memory. A reader that goes away ends the reading; a slow one slows it down. */
export function sendNdjson(
  reply: FastifyReply,
  lines: AsyncGenerator<string | Uint8Array>,
): FastifyReply {
  return reply.header('content-type', ndjsonType).send(Readable.from(lines, { objectMode: false }));
}
