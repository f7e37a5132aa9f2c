/** `?wait=fleet`: the response to a change waits until every live server serves it, and names those that do not. */
import { strict as assert } from 'node:assert';
import type { FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import { fleetWaitMsMax } from '../../contract/limits.js';
import type { OperationSpec } from '../../contract/operation.js';
import type { FleetJson } from '../../contract/schemas/common.js';
import type { FleetNode, FleetResponse } from '../fleet/fleet.js';
import { fleetResponseMsMax } from '../limits/processes.js';
import { StoreUnavailable } from '../store/store-errors.js';
import type { AdminContext } from './context.js';

const waitSchema = z
  .enum(['fleet'])
  .optional()
  .describe(
    `Respond only when every live server that shares the store serves the change, at most ${fleetWaitMsMax / 1000} s later; \`fleet\` says which do not.`,
  );

/** The query of an operation as clients send it: of one that publishes, with `wait`. */
export function queryOf({ query, publishes }: OperationSpec): z.ZodObject | undefined {
  return publishes === true ? (query ?? z.object({})).extend({ wait: waitSchema }) : query;
}

/** The hook `onSend` of operations that publish. */
export function fleetWait(context: AdminContext): onSendAsyncHookHandler {
  return async (request, reply, payload) => {
    const { committed } = request;
    const { wait } = request.query as z.infer<z.ZodObject<{ wait: typeof waitSchema }>>;
    // After a problem or a dry run there is nothing to wait for.
    if (wait === undefined || committed === null || reply.statusCode >= 300) return payload;
    return withFleet(payload, await askFleet(context, request, committed));
  };
}

/** The change is saved: whatever happens here, the response says so. */
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
      request.log.error(
        { event: 'fleet_wait_failed', err: error },
        'the other servers could not be asked',
      );
    }
    // This server's delivery processes have acknowledged; only the store knows what the others do.
    const others = known.filter((node) => node.live && !node.self);
    return { acknowledged: 1, missing: others.map(nodeJson), storeUnavailable: true };
  } finally {
    clearTimeout(timer);
  }
}

function nodeJson({ id, name, sequence, behindBelow }: FleetNode): FleetJson['missing'][number] {
  return { id, name, sequence, ...(behindBelow !== undefined && { behindBelow }) };
}

const closingBrace = 0x7d;

/** Some responses are megabytes of JSON text already, so the member is put into the text. */
function withFleet(payload: unknown, fleet: FleetJson): Buffer {
  const json = typeof payload === 'string' ? Buffer.from(payload) : payload;
  assert(json instanceof Uint8Array && json.at(-1) === closingBrace, 'the response is an object');
  const member = Buffer.from(`,"fleet":${JSON.stringify(fleet)}}`);
  return Buffer.concat([json.subarray(0, -1), member]);
}
