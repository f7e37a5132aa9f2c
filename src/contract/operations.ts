/** All operations of the admin API by route. Types only: a client needs no schema when it runs. */
import type { Operation } from './operation.js';

type Modules =
  | typeof import('./operations/attributes.js')
  | typeof import('./operations/audit.js')
  | typeof import('./operations/backup.js')
  | typeof import('./operations/calendar.js')
  | typeof import('./operations/content-history.js')
  | typeof import('./operations/content-save.js')
  | typeof import('./operations/contents.js')
  | typeof import('./operations/documents.js')
  | typeof import('./operations/environments.js')
  | typeof import('./operations/evaluate.js')
  | typeof import('./operations/health.js')
  | typeof import('./operations/keys.js')
  | typeof import('./operations/nodes.js')
  | typeof import('./operations/preview.js')
  | typeof import('./operations/releases/releases.js')
  | typeof import('./operations/releases/reviews.js')
  | typeof import('./operations/releases/transitions.js')
  | typeof import('./operations/retention.js')
  | typeof import('./operations/sample-users.js')
  | typeof import('./operations/segment-history.js')
  | typeof import('./operations/segments.js')
  | typeof import('./operations/people/session.js')
  | typeof import('./operations/sync.js')
  | typeof import('./operations/tests.js')
  | typeof import('./operations/people/tokens.js')
  | typeof import('./operations/transfer.js')
  | typeof import('./operations/people/users.js')
  | typeof import('./operations/webhook-deliveries.js')
  | typeof import('./operations/webhooks.js');

type ExportsOf<Module> = Module extends unknown ? Module[keyof Module] : never;

export type Operations = {
  readonly [O in Extract<ExportsOf<Modules>, Operation> as O['route']]: O;
};
