/** Writes and waits: the response to a change is sent only once every delivery process serves it. */
import { strict as assert } from 'node:assert';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../contract/problems.js';
import { NobodyServes } from '../nobody-serves.js';
import type { Written } from '../store/store.js';
import type { Actor, UnitOfWork } from '../store/unit-of-work.js';
import type { User } from '../store/users/users.js';
import { plainAddress } from './auth/address-range.js';
import type { AdminContext } from './context.js';

/** The write is saved, but not every delivery process has acknowledged it; they serve it as soon as they can. */
export class NotPublished extends Error {
  readonly code = 'not_published';

  constructor(sequence: number, cause: unknown) {
    const missing =
      cause instanceof NobodyServes ? 'by any delivery process' : 'by every delivery process';
    super(`The change is saved as sequence ${sequence}, but not yet served ${missing}.`, { cause });
    this.name = 'NotPublished';
  }
}

/**
 * Runs the work as one write. A write that changed nothing waits as well: what it found may have been saved by a
 * call that was cut off before it was served.
 * @throws NotPublished, StoreUnavailable
 */
export async function commit<T>(
  context: AdminContext,
  request: FastifyRequest,
  work: (write: UnitOfWork) => Promise<T>,
): Promise<Written<T>> {
  assert(request.routeOptions.config.publishes === true, 'a route that publishes says so');
  const written = await context.store.write(actorOf(request), work);
  if (written.value instanceof Problem) return written;
  try {
    await context.publish(written.sequence);
  } catch (error) {
    throw new NotPublished(written.sequence, error);
  }
  request.committed = written.sequence;
  return written;
}

/** @param user that of the request, unless it is only about to sign in or out */
export function actorOf(request: FastifyRequest, user: User | null = request.user): Actor {
  assert(user !== null, 'a route that writes names a role');
  return { userId: user.id, name: user.name, role: user.role, address: plainAddress(request.ip) };
}
