/** Binds the operations of the contract to routes: validation, role, response, problems. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { ndjsonType } from '../../contract/media-types.js';
import type { OperationSpec } from '../../contract/operation.js';
import { Problem } from '../../contract/problems.js';
import { contentBodyBytesMax, sessionBodyBytesMax } from '../limits.js';
import { sendRaw } from './body/raw-json.js';
import type { AdminApp, AdminContext } from './context.js';
import { type Handler, WithStatus } from './handlers.js';
import { sendProblem } from './problem.js';
import { problems } from './problem-responses.js';

/** Adds a route for each handler. */
export function bind(app: AdminApp, context: AdminContext, handlers: readonly Handler[]): void {
  const bodyBytes = { content: contentBodyBytesMax(context.limits), session: sessionBodyBytesMax };
  for (const { operation, run } of handlers) {
    const { method, path, responses, role, publishes, scoped, signsIn } = operation;
    const { bodyLimit, lines } = operation;
    const { head } = operation;
    const status = Number(Object.keys(responses)[0]);
    app.route({
      method,
      url: path,
      config: {
        ...(role === undefined ? {} : { role }),
        ...(publishes === undefined ? {} : { publishes }),
        ...(scoped === undefined ? {} : { scoped }),
        ...(signsIn === undefined ? {} : { signsIn }),
        ...(lines === undefined ? {} : { lines }),
      },
      ...(bodyLimit === undefined ? {} : { bodyLimit: bodyBytes[bodyLimit] }),
      ...(head === undefined ? {} : { exposeHeadRoute: head }),
      schema: schemaOf(operation),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { params, query, body, user } = request;
        if (lines !== undefined && !(body instanceof Readable)) {
          return sendProblem(reply, notNdjson());
        }
        const call = { params, query, body, user, context, request, reply };
        const outcome = await run(call as Parameters<typeof run>[0]);
        // The handler has sent the reply itself: to await a reply gives undefined, once the response has ended.
        if (outcome === undefined) return undefined;
        if (outcome instanceof Problem) return sendProblem(reply, outcome);
        const [code, value] =
          outcome instanceof WithStatus ? [outcome.status, outcome.value] : [status, outcome];
        return value instanceof Uint8Array
          ? sendRaw(reply, code, value)
          : reply.code(code).send(value);
      },
    });
  }
}

function notNdjson(): Problem {
  return new Problem('invalid_content_type', `The body must be sent as ${ndjsonType}.`);
}

function schemaOf(operation: OperationSpec): FastifySchema {
  const { operationId } = operation;
  const { tag, description, params, query, body, problems: codes = [] } = operation;
  return {
    tags: [tag],
    description,
    ...(operationId === undefined ? {} : { operationId }),
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    response: { ...describedResponses(operation), ...problems(...codes) },
  };
}

/** A response that is not JSON passes no serializer: its schema is for the documents. */
function describedResponses({
  responses,
  responseType,
}: OperationSpec): Readonly<Record<string, unknown>> {
  if (responseType === undefined) return responses;
  const described = Object.entries(responses).map(([status, schema]) => [
    status,
    { content: { [responseType]: { schema } } },
  ]);
  return Object.fromEntries(described);
}
