/** All operations of the admin API by route. Types only: a client needs nothing of the schemas when it runs. */
import type { Operation } from './operation.js';
import type * as audit from './operations/audit.js';
import type * as keys from './operations/keys.js';
import type * as tokens from './operations/tokens.js';
import type * as users from './operations/users.js';
import type * as webhookDeliveries from './operations/webhook-deliveries.js';
import type * as webhooks from './operations/webhooks.js';

type ValuesOf<M> = M[keyof M];

/** Operations and whatever else the modules export. */
type Exported =
  | ValuesOf<typeof audit>
  | ValuesOf<typeof keys>
  | ValuesOf<typeof tokens>
  | ValuesOf<typeof users>
  | ValuesOf<typeof webhookDeliveries>
  | ValuesOf<typeof webhooks>;

export type Operations = {
  readonly [O in Extract<Exported, Operation> as O['route']]: O;
};
