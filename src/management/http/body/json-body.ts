/** Parses JSON bodies, and keeps their bytes for the values that are stored as they were sent. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../contract/problems.js';
import type { AdminApp } from '../context.js';
import { RequestRejected } from '../request-rejected.js';
import { checkBodyType } from './body-type.js';
import { type BodyReader, readBody } from './read-body.js';

/** Only application/json is taken; an empty body is the same as none. */
export function registerJsonBody(app: AdminApp, bodies: BodyReader): void {
  app.decorateRequest('rawBody', null);
  app.decorateRequest('bodyShare', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const { bodyLimit, config } = request.routeOptions;
      checkBodyType(config, 'json');
      const body = await readBody(bodies, payload, request, bodyLimit);
      request.rawBody = body;
      return body.byteLength === 0 ? undefined : parse(body);
    },
  );
  // On success and problem alike, also when the client is gone: the route is done with the body.
  app.addHook('onSend', async (request) => {
    if (request.bodyShare === null) return;
    request.rawBody = null;
    request.body = undefined;
    request.bodyShare.release();
  });
}

function parse(body: Buffer): unknown {
  if (!isUtf8(body)) throw rejected('The body is not UTF-8.');
  try {
    return JSON.parse(body.toString());
  } catch (error) {
    throw rejected(`The body is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

function rejected(detail: string): RequestRejected {
  return new RequestRejected(new Problem('invalid_request', detail));
}
