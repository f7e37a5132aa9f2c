/** Rejected requests by reason: of an environment, and of the server. */
import {
  listRejections as listRejectionsOperation,
  listServerRejections,
  type Rejections,
} from '../../../contract/operations/health/rejections.js';
import type { Fleet } from '../../fleet/fleet.js';
import { type Handler, handle } from '../../http/handlers.js';
import { environmentUnknown } from '../../store/edit-environment.js';
import { findEnvironment } from '../../store/environments.js';
import { listRejections } from './list-rejections.js';
import type { RequestMinutes } from './request-minutes.js';

/** @param minutes what this server's delivery processes have reported */
export function rejectionHandlers(minutes: RequestMinutes): readonly Handler[] {
  return [
    handle(listRejectionsOperation, async ({ params: { env }, user, context }) => {
      const rejections = await context.store.read(async (db) => {
        if ((await findEnvironment(db, env)) === null) return null;
        return listRejections(minutes, db, { environment: env, user, nowMs: context.now() });
      });
      if (rejections === null) return environmentUnknown(env);
      return { ...(await countedBy(context.fleet)), ...rejections };
    }),

    handle(listServerRejections, async ({ user, context }) => {
      const rejections = await context.store.read((db) =>
        listRejections(minutes, db, { environment: null, user, nowMs: context.now() }),
      );
      return { ...(await countedBy(context.fleet)), ...rejections };
    }),
  ];
}

/** Each server counts its own requests. */
async function countedBy(fleet: Fleet): Promise<Pick<Rejections, 'node' | 'nodes'>> {
  const nodes = await fleet.nodes();
  const node = nodes.find(({ self }) => self)?.name ?? '';
  return { node, nodes: Math.max(1, nodes.filter(({ live }) => live).length) };
}
