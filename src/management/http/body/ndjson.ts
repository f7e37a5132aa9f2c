/** NDJSON bodies, which the operations that take them read from the stream. */
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
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
