/** `?wait=fleet`: an answer to a change waits until every live server serves it, and says which of them do not. */
import { strict as assert } from 'node:assert';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { fleetWaitMsMax } from '../../contract/limits.js';
import type { FleetJson } from '../../contract/schemas/common.js';
import type { FleetNode, FleetResponse } from '../fleet/fleet.js';
import { fleetResponseMsMax } from '../limits.js';
import { StoreUnavailable } from '../store/store-errors.js';
import type { AdminApp, AdminContext } from './context.js';

const waitSchema = z
  .enum(['fleet'])
  .optional()
  .describe(
    `Answer only when every live server that shares the store serves the change, at most ${fleetWaitMsMax / 1000} s later; \`fleet\` says which do not.`,
  );

/** Adds the parameter and the wait to every route that publishes, of those that are added from now on. */
export function waitForFleet(app: AdminApp, context: AdminContext): void {
  app.decorateRequest('committed', null);
  const onSend = async (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ): Promise<unknown> => {
    const { committed } = request;
    const { wait } = request.query as z.infer<z.ZodObject<{ wait: typeof waitSchema }>>;
    // A refusal, a dry run: there is nothing to wait for.
    if (wait === undefined || committed === null || reply.statusCode >= 300) return payload;
    return withFleet(payload, await askFleet(context, request, committed));
  };
  app.addHook('onRoute', (route) => {
    if (route.config?.publishes !== true) return;
    const { schema, onSend: others = [] } = route;
    assert(schema !== undefined, 'a route that publishes has a schema');
    const query = schema.querystring ?? z.object({});
    assert(query instanceof z.ZodObject, 'its query is an object');
    route.schema = { ...schema, querystring: query.extend({ wait: waitSchema }) };
    route.onSend = [onSend, ...(Array.isArray(others) ? others : [others])];
  });
}

/** The change is saved: whatever happens here, the caller is told so. */
async function askFleet(
  { fleet }: AdminContext,
  request: FastifyRequest,
  sequence: number,
): Promise<FleetJson> {
  let known: readonly FleetNode[] = [];
  const ask = async (): Promise<FleetResponse> => {
    known = await fleet.nodes();
    return fleet.wait(sequence, fleetWaitMsMax);
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(null, 'It hangs.')), fleetResponseMsMax);
  });
  try {
    const { acknowledged, missing } = await Promise.race([ask(), late]);
    return { acknowledged: acknowledged.length, missing: missing.map(nodeJson) };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) {
      request.log.error({ err: error }, 'the other servers could not be asked');
    }
    // This server's listeners have acknowledged; what the others do is told by the store alone.
    const others = known.filter((node) => node.live && !node.self);
    return { acknowledged: 1, missing: others.map(nodeJson), storeUnavailable: true };
  } finally {
    clearTimeout(timer);
  }
}

function nodeJson({ id, name, sequence }: FleetNode): FleetJson['missing'][number] {
  return { id, name, sequence };
}

const closingBrace = 0x7d;

/** Some answers are JSON text of megabytes already, so the member is put into the text. */
function withFleet(payload: unknown, fleet: FleetJson): Buffer {
  const json = typeof payload === 'string' ? Buffer.from(payload) : payload;
  assert(json instanceof Uint8Array && json.at(-1) === closingBrace, 'it answers an object');
  const member = Buffer.from(`,"fleet":${JSON.stringify(fleet)}}`);
  return Buffer.concat([json.subarray(0, -1), member]);
}
