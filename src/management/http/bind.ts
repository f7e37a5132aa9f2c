/** Binds the operations of the contract to routes: validation, role, response, problems. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Operation } from '../../contract/operation.js';
import { Problem } from '../../contract/problems.js';
import { contentBodyBytesMax } from '../limits/bodies.js';
import { sessionBodyBytesMax } from '../limits/sessions.js';
import { bodyTypeProblem } from './body/body-type.js';
import { sendRaw } from './body/raw-json.js';
import type { AdminApp, AdminContext } from './context.js';
import { fleetWait, queryOf } from './fleet-wait.js';
import { type Handler, WithStatus } from './handlers.js';
import { sendProblem } from './problem.js';

/** Adds a route for each handler. */
export function bind(app: AdminApp, context: AdminContext, handlers: readonly Handler[]): void {
  const bodyBytes = { content: contentBodyBytesMax(context.limits), session: sessionBodyBytesMax };
  app.decorateRequest('committed', null);
  const waitForFleet = fleetWait(context);
  for (const { operation, run } of handlers) {
    const { method, path, responses, bodyLimit, lines, head, publishes } = operation;
    const status = Number(Object.keys(responses)[0]);
    app.route({
      method,
      url: path,
      config: { ...operation },
      ...(bodyLimit === undefined ? {} : { bodyLimit: bodyBytes[bodyLimit] }),
      ...(head === undefined ? {} : { exposeHeadRoute: head }),
      ...(publishes === undefined ? {} : { onSend: waitForFleet }),
      schema: schemaOf(operation),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const { params, query, body, user } = request;
        if (lines !== undefined && !(body instanceof Readable)) {
          return sendProblem(reply, bodyTypeProblem(operation));
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

/** What Fastify validates and serializes; a response that is not JSON passes no serializer. */
function schemaOf(operation: Operation): FastifySchema {
  const { params, body, responses, responseType } = operation;
  const query = queryOf(operation);
  return {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    ...(responseType === undefined ? { response: responses } : {}),
  };
}
