/** All operations of the admin API by route. Types only: a client needs nothing of the schemas when it runs. */
import type { Operation } from './operation.js';
import type * as keys from './operations/keys.js';

type Modules = typeof keys;
type Exported = Extract<Modules[keyof Modules], Operation>;

export type Operations = {
  readonly [O in Exported as O['route']]: O;
};
