/** What every route of the admin API is given. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ManagementLimits } from '../limits.js';
import type { Store } from '../store/store.js';
import type { Role, User } from '../store/users.js';
import type { Work } from '../work/tasks.js';

export interface AdminContext {
  readonly store: Store;
  /** Resolves when every listener serves everything up to the sequence. */
  readonly publish: (sequence: number) => Promise<void>;
  readonly limits: ManagementLimits;
  /** Does what would hold up the control thread. */
  readonly work: Work;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export type AdminApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that names a role; null on the others. */
    user: User | null;
    /** The body as it was sent, for values whose bytes must survive. */
    rawBody: Uint8Array | null;
  }
  interface FastifyContextConfig {
    /** The least role that may call the route; a route without one needs no token. */
    role?: Role;
  }
}
