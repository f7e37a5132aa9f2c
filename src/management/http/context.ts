/** What every handler of the admin API works with. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { OperationSpec } from '../../contract/operation.js';
import type { AnalysisClient } from '../analysis/analysis-client.js';
import type { ContextSamples } from '../attributes/context-samples.js';
import type { EnvironmentAttributes } from '../attributes/environment-attributes.js';
import type { ChangeIndex } from '../audit/index/change-index.js';
import type { EnvironmentCalendar } from '../calendar/environment-calendar.js';
import type { StateChecks } from '../contents/validate/check-state.js';
import type { KnownLeads } from '../experiments/results/known-leads.js';
import type { Fleet } from '../fleet/fleet.js';
import type { Work } from '../jobs/work.js';
import type { ManagementLimits } from '../limits/bodies.js';
import type { EnvironmentDrift } from '../overview/environment-drift.js';
import type { EnvironmentNames } from '../search/environment-names.js';
import type { SegmentPlaces } from '../segments/segment-places.js';
import type { Store } from '../store/store.js';
import type { Token } from '../store/users/tokens.js';
import type { User } from '../store/users/users.js';
import type { EnvironmentInterference } from '../tests/environment-interference.js';
import type { EnvironmentTests } from '../tests/environment-tests.js';
import type { LastUsed } from '../users/last-used.js';
import type { WebhookDispatcher } from '../webhooks/dispatcher.js';
import type { BodyShare } from './body/body-budget.js';
import type { BodyReader } from './body/read-body.js';
import type { ZodTypeProvider } from './validate.js';

export interface AdminContext {
  readonly store: Store;
  /** Resolves when every delivery process serves everything up to the sequence. */
  readonly publish: (sequence: number) => Promise<void>;
  /** The servers that share the store. */
  readonly fleet: Fleet;
  readonly limits: ManagementLimits;
  /** Reads bodies, within the memory that they may hold together. */
  readonly bodies: BodyReader;
  /** Does what would hold up the control thread. */
  readonly work: Work;
  /** Checks what is about to become a revision. */
  readonly checks: StateChecks;
  /** The queries of releases' brakes have a Prometheus server to be asked of. */
  readonly hasPrometheus: boolean;
  /** Knows which attributes of users there are. */
  readonly attributes: EnvironmentAttributes;
  /** User contexts of recent requests, where environments keep some. */
  readonly contextSamples: Pick<ContextSamples, 'take' | 'forget'>;
  /** Knows the A/B tests of each environment. */
  readonly tests: EnvironmentTests;
  /** Knows which of them interfere. */
  readonly interference: EnvironmentInterference;
  /** Makes the calendar of each environment. */
  readonly calendar: EnvironmentCalendar;
  /** Knows how far environments are from each other. */
  readonly drift: EnvironmentDrift;
  /** Knows what results of experiments said last. */
  readonly leads: KnownLeads;
  /** Names what there is in each environment. */
  readonly names: EnvironmentNames;
  /** Knows which rules use a saved segment. */
  readonly segmentPlaces: SegmentPlaces;
  /** Knows which values events of the audit changed. */
  readonly changes: ChangeIndex;
  /** Knows the events of players. */
  readonly analysis: AnalysisClient;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives which token and which session were used. */
  readonly lastUsed: Pick<LastUsed, 'token' | 'session' | 'sessionUsedAt'>;
  /** A session that is not used for so long has ended. */
  readonly sessionIdleMs: number;
  readonly webhooks: Pick<WebhookDispatcher, 'send' | 'toLocal'>;
}

/** A session that was used just now. */
interface OpenSession {
  readonly id: string;
  /** If it is not used from now on. */
  readonly endsAtMs: number;
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
    /** What the user proved it with; null like the user. */
    token: Token | null;
    /** The session of the console that they proved it with; null: it was the token itself. */
    session: OpenSession | null;
    /** The body as it was sent, for values whose bytes must survive. */
    rawBody: Uint8Array | null;
    /** The room that its body has; null: it needs none. */
    bodyShare: BodyShare | null;
    /** The sequence that the request's write was published as; null: it has written nothing. */
    committed: number | null;
  }
  /** `bind` gives each route its operation; `requireRoles` checks that it says which users may call it. */
  interface FastifyContextConfig
    extends Partial<
      Pick<OperationSpec, 'role' | 'signsIn' | 'scoped' | 'publishes' | 'body' | 'lines'>
    > {
    /** The route only says that its path takes other methods. */
    otherMethods?: true;
  }
}
