/** Parses JSON bodies, and keeps their bytes for the values that are stored as they were sent. */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { AdminApp } from './context.js';

class BodyFault extends Error {
  readonly statusCode = 400;
}

/** Only application/json is taken; an empty body is the same as none. */
export function registerJsonBody(app: AdminApp): void {
  app.decorateRequest('rawBody', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      request.rawBody = body;
      try {
        done(null, body.byteLength === 0 ? undefined : parse(body));
      } catch (error) {
        done(error instanceof Error ? error : new BodyFault('The body could not be read.'));
      }
    },
  );
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw new BodyFault('The body is not UTF-8.');
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw new BodyFault(`The body is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
