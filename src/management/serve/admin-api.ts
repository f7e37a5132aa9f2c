/** The admin API: Fastify with everything that its routes share, and the routes. */
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import { type AnalysisClient, withoutEvents } from '../analysis/analysis-client.js';
import { EventCounts } from '../analysis/event-counts.js';
import { eventHandlers } from '../analysis/handlers.js';
import { ContextSamples } from '../attributes/context-samples.js';
import { EnvironmentAttributes } from '../attributes/environment-attributes.js';
import { attributeHandlers } from '../attributes/handlers.js';
import { auditHandlers } from '../audit/handlers.js';
import { ChangeIndex } from '../audit/index/change-index.js';
import { backupHandlers, type MakeBackup } from '../backup/handlers.js';
import type { FinishedBackup } from '../backup/last-backup.js';
import { EnvironmentCalendar } from '../calendar/environment-calendar.js';
import { calendarHandlers } from '../calendar/handlers.js';
import { blameHandlers } from '../contents/blame/handlers.js';
import { contentEditHandlers } from '../contents/edit-handlers.js';
import { contentHandlers } from '../contents/handlers.js';
import { StateChecks } from '../contents/validate/check-state.js';
import { editHandlers } from '../edits/handlers.js';
import { environmentHandlers } from '../environments/handlers.js';
import { envelopeHandlers } from '../evaluation/envelope-handlers.js';
import { evaluationHandlers } from '../evaluation/handlers.js';
import { experimentHandlers } from '../experiments/handlers.js';
import { metricHandlers } from '../experiments/metric-handlers.js';
import { resultHandlers } from '../experiments/results/handlers.js';
import { KnownLeads } from '../experiments/results/known-leads.js';
import { experimentTransitionHandlers } from '../experiments/transition-handlers.js';
import { nodeHandlers } from '../fleet/handlers.js';
import { healthHandlers, type Watched } from '../health/handlers.js';
import { trackMethods } from '../http/allowed-methods.js';
import { registerAuthentication } from '../http/auth/authenticate.js';
import { requireRoles } from '../http/auth/require-role.js';
import { TokenTrial } from '../http/auth/try-token.js';
import { defaultWrongTokenLimits, type WrongTokenLimits } from '../http/auth/wrong-tokens.js';
import { bind } from '../http/bind.js';
import { BodyBudgets } from '../http/body/body-budgets.js';
import { registerJsonBody } from '../http/body/json-body.js';
import { registerNdjsonBody } from '../http/body/ndjson.js';
import { type BodyDeadlines, defaultBodyDeadlines } from '../http/body/read-body.js';
import type { AdminApp, AdminContext } from '../http/context.js';
import type { Handler } from '../http/handlers.js';
import { rejectMalformed } from '../http/malformed-request.js';
import { registerDocs } from '../http/openapi/docs.js';
import { adminDocumentOf, documentHandlers } from '../http/openapi/handlers.js';
import { handleError } from '../http/problem.js';
import { rejectUnstorable } from '../http/reject-unstorable.js';
import { type ZodTypeProvider, zodSchemas } from '../http/validate.js';
import { keyHandlers } from '../keys/handlers.js';
import { layerHandlers } from '../layers/handlers.js';
import {
  bodyBytesMax,
  defaultLimits,
  type ManagementLimits,
  requestMsMax,
} from '../limits/bodies.js';
import { sessionHoursDefault } from '../limits/sessions.js';
import type { OidcSettings } from '../oidc/oidc-settings.js';
import { registerOidc } from '../oidc/routes.js';
import { EnvironmentDrift } from '../overview/environment-drift.js';
import { overviewHandlers } from '../overview/handlers.js';
import { cohortHandlers } from '../players/cohort/handlers.js';
import { playerHandlers } from '../players/handlers.js';
import { releaseHandlers } from '../releases/handlers.js';
import { releaseReviewHandlers } from '../releases/review/handlers.js';
import { releaseTransitionHandlers } from '../releases/transition-handlers.js';
import { retentionHandlers } from '../retention/handlers.js';
import type { Housekeeping } from '../retention/housekeeping.js';
import { sampleUserHandlers } from '../sample-users/handlers.js';
import { EnvironmentNames } from '../search/environment-names.js';
import { searchHandlers } from '../search/handlers.js';
import { segmentHandlers } from '../segments/handlers.js';
import { segmentHistoryHandlers } from '../segments/history-handlers.js';
import { segmentSaveHandlers } from '../segments/save-handlers.js';
import { SegmentPlaces } from '../segments/segment-places.js';
import { sessionHandlers } from '../session/handlers.js';
import { syncHandlers } from '../sync/handlers.js';
import { EnvironmentInterference } from '../tests/environment-interference.js';
import { EnvironmentTests } from '../tests/environment-tests.js';
import { testHandlers } from '../tests/handlers.js';
import { registerTracing } from '../tracing/request-spans.js';
import type { Tracing } from '../tracing/tracing.js';
import { transferHandlers } from '../transfer/handlers.js';
import { userHandlers } from '../users/handlers.js';
import { tokenHandlers } from '../users/token-handlers.js';
import { deliveryHandlers, testHandler } from '../webhooks/delivery-handlers.js';
import { webhookHandlers } from '../webhooks/handlers.js';
import { registerConsole } from './console-files.js';
import type { EditCalls } from './edit-calls.js';

/** What the API makes itself for its handlers. */
type MadeHere =
  | 'limits'
  | 'analysis'
  | 'checks'
  | 'attributes'
  | 'contextSamples'
  | 'tests'
  | 'interference'
  | 'calendar'
  | 'changes'
  | 'drift'
  | 'leads'
  | 'names'
  | 'segmentPlaces'
  | 'bodies'
  | 'sessionIdleMs';

export interface AdminApiOptions extends Omit<AdminContext, MadeHere>, Watched {
  readonly logger: FastifyBaseLogger;
  /** Left out: no delivery process reports any. */
  readonly contextSamples?: ContextSamples;
  /** Absent: no route. */
  readonly backup?: MakeBackup;
  /** Receives each backup that was sent whole. */
  readonly backupSent?: (backup: FinishedBackup) => void;
  /** Counts edits. Left out: no metric shows them. */
  readonly editCalls?: EditCalls;
  /** Absent: no route. */
  readonly housekeeping?: Pick<Housekeeping, 'run' | 'rules'>;
  /** The origin of the delivery port, for readers of the documents. Left out: the default one. */
  readonly deliveryUrl?: string;
  /** Absent: the server takes no events. */
  readonly analysis?: AnalysisClient;
  /** What is left out is as in `defaultLimits`. */
  readonly limits?: Partial<ManagementLimits>;
  readonly wrongTokens?: WrongTokenLimits;
  /** What bodies may hold in memory. Left out: as in limits.ts, and no metric shows it. */
  readonly bodyBudgets?: BodyBudgets;
  readonly bodyDeadlines?: BodyDeadlines;
  /** Addresses of proxies (or their networks) whose X-Forwarded-For is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
  /** Left out: the default. */
  readonly sessionIdleMs?: number;
  /** Null or left out: people sign in with tokens only. */
  readonly oidc?: OidcSettings | null;
  /** Null or left out: no collector is named. */
  readonly tracing?: Tracing | null;
  /** The built console. Left out: there is none. */
  readonly consoleFolder?: string;
}

/** Ids in a path may be percent-encoded, which triples them; Fastify's own default is 100. */
const paramCharsMax = 512;

/** The app with all its routes; more may be added before it listens. */
export async function makeAdminApi(options: AdminApiOptions): Promise<AdminApp> {
  const { deliveryUrl = null, consoleFolder = null } = options;
  const { store, publish, fleet, now, work, lastUsed, webhooks, hasPrometheus } = options;
  const { trustedProxies = [], wrongTokens = defaultWrongTokenLimits } = options;
  const { sessionIdleMs = sessionHoursDefault * 3_600_000 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const checks = new StateChecks(work, now);
  const attributes = new EnvironmentAttributes(store, work, now);
  const tests = new EnvironmentTests(store, work);
  const { bodyBudgets = new BodyBudgets(), bodyDeadlines = defaultBodyDeadlines } = options;
  const bodies = { budgets: bodyBudgets, deadlines: bodyDeadlines };
  const { analysis = withoutEvents(new EventCounts()) } = options;
  const { contextSamples = new ContextSamples(now) } = options;
  const context: AdminContext = {
    ...{ store, publish, fleet, now, work, checks, attributes, lastUsed, webhooks, limits, bodies },
    hasPrometheus,
    contextSamples,
    analysis,
    sessionIdleMs,
    tests,
    interference: new EnvironmentInterference(store, work, tests, now),
    calendar: new EnvironmentCalendar(store, work),
    drift: new EnvironmentDrift(store, now),
    leads: new KnownLeads({ store, analysis, fleet, work, now }, options.logger),
    names: new EnvironmentNames(store, work),
    segmentPlaces: new SegmentPlaces(store, work),
    changes: new ChangeIndex(store, work),
  };
  const app: AdminApp = fastify({
    loggerInstance: options.logger,
    // A line per request says little here: what was done, by whom and from where is in the audit.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMsMax,
    forceCloseConnections: 'idle',
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramCharsMax },
    clientErrorHandler: rejectMalformed,
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply);
    },
    schemaController: zodSchemas,
  }).withTypeProvider<ZodTypeProvider>();
  app.setErrorHandler(handleError);
  registerTracing(app, options.tracing ?? null);
  registerJsonBody(app, bodies);
  registerNdjsonBody(app);
  const tokens = new TokenTrial(context, wrongTokens);
  registerAuthentication(app, context, tokens);
  rejectUnstorable(app);
  requireRoles(app);
  options.editCalls?.register(app);
  const rejectOtherMethods = trackMethods(app);
  const handlers = [...handlersOf(options, app, tokens)];
  const document = adminDocumentOf(() => handlers.map(({ operation }) => operation));
  handlers.push(...documentHandlers(document, deliveryUrl));
  bind(app, context, handlers);
  if (options.oidc) registerOidc(app, context, options.oidc);
  await registerDocs(app, deliveryUrl, document);
  registerConsole(app, consoleFolder);
  rejectOtherMethods();
  return app;
}

/** In the order of the documents. */
function handlersOf(
  options: AdminApiOptions,
  app: AdminApp,
  tokens: TokenTrial,
): readonly Handler[] {
  const { backup, backupSent, housekeeping } = options;
  return [
    ...healthHandlers(options),
    ...nodeHandlers,
    ...eventHandlers,
    ...environmentHandlers,
    ...layerHandlers,
    ...keyHandlers,
    ...contentHandlers,
    ...blameHandlers,
    ...contentEditHandlers,
    ...editHandlers,
    ...syncHandlers,
    ...transferHandlers(),
    ...searchHandlers(),
    ...evaluationHandlers,
    ...playerHandlers,
    ...cohortHandlers(),
    ...envelopeHandlers,
    ...segmentHandlers,
    ...segmentSaveHandlers,
    ...segmentHistoryHandlers,
    ...releaseHandlers,
    ...releaseReviewHandlers,
    ...releaseTransitionHandlers,
    ...experimentHandlers,
    ...experimentTransitionHandlers,
    ...metricHandlers,
    ...resultHandlers,
    ...sampleUserHandlers,
    ...testHandlers,
    ...calendarHandlers,
    ...overviewHandlers,
    ...attributeHandlers,
    ...sessionHandlers(tokens, options.oidc ?? null),
    ...userHandlers,
    ...tokenHandlers,
    ...(backup === undefined ? [] : backupHandlers(backup, backupSent)),
    ...(housekeeping === undefined ? [] : retentionHandlers(housekeeping)),
    ...auditHandlers(app),
    ...webhookHandlers,
    testHandler(),
    ...deliveryHandlers,
  ];
}
