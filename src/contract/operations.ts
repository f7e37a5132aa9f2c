/** All operations of the admin API by route. Types only: a client needs nothing of the schemas when it runs. */
import type { Operation } from './operation.js';
import type * as attributes from './operations/attributes.js';
import type * as audit from './operations/audit.js';
import type * as backup from './operations/backup.js';
import type * as contentHistory from './operations/content-history.js';
import type * as contentSave from './operations/content-save.js';
import type * as contents from './operations/contents.js';
import type * as environments from './operations/environments.js';
import type * as evaluate from './operations/evaluate.js';
import type * as health from './operations/health.js';
import type * as keys from './operations/keys.js';
import type * as nodes from './operations/nodes.js';
import type * as preview from './operations/preview.js';
import type * as retention from './operations/retention.js';
import type * as sampleUsers from './operations/sample-users.js';
import type * as segmentHistory from './operations/segment-history.js';
import type * as segments from './operations/segments.js';
import type * as session from './operations/session.js';
import type * as sync from './operations/sync.js';
import type * as tests from './operations/tests.js';
import type * as tokens from './operations/tokens.js';
import type * as transfer from './operations/transfer.js';
import type * as users from './operations/users.js';
import type * as webhookDeliveries from './operations/webhook-deliveries.js';
import type * as webhooks from './operations/webhooks.js';

type ValuesOf<M> = M[keyof M];

/** Operations and whatever else the modules export. */
type Exported =
  | ValuesOf<typeof attributes>
  | ValuesOf<typeof audit>
  | ValuesOf<typeof backup>
  | ValuesOf<typeof contentHistory>
  | ValuesOf<typeof contentSave>
  | ValuesOf<typeof contents>
  | ValuesOf<typeof environments>
  | ValuesOf<typeof evaluate>
  | ValuesOf<typeof health>
  | ValuesOf<typeof keys>
  | ValuesOf<typeof nodes>
  | ValuesOf<typeof preview>
  | ValuesOf<typeof retention>
  | ValuesOf<typeof sampleUsers>
  | ValuesOf<typeof segmentHistory>
  | ValuesOf<typeof segments>
  | ValuesOf<typeof session>
  | ValuesOf<typeof sync>
  | ValuesOf<typeof tests>
  | ValuesOf<typeof tokens>
  | ValuesOf<typeof transfer>
  | ValuesOf<typeof users>
  | ValuesOf<typeof webhookDeliveries>
  | ValuesOf<typeof webhooks>;

export type Operations = {
  readonly [O in Extract<Exported, Operation> as O['route']]: O;
};
