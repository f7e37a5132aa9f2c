/** The admin API: Fastify with everything that its routes share, and the routes. */
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import { EnvironmentAttributes } from '../attributes/environment-attributes.js';
import { attributeHandlers } from '../attributes/handlers.js';
import { auditHandlers } from '../audit/handlers.js';
import { backupHandlers, type MakeBackup } from '../backup/handlers.js';
import { EnvironmentCalendar } from '../calendar/environment-calendar.js';
import { calendarHandlers } from '../calendar/handlers.js';
import { contentEditHandlers } from '../contents/edit-handlers.js';
import { contentHandlers } from '../contents/handlers.js';
import { StateChecks } from '../contents/validate/check-state.js';
import { environmentHandlers } from '../environments/handlers.js';
import { envelopeHandlers } from '../evaluation/envelope-handlers.js';
import { evaluationHandlers } from '../evaluation/handlers.js';
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
import {
  bodyBytesMax,
  defaultLimits,
  type ManagementLimits,
  requestMsMax,
  sessionHoursDefault,
} from '../limits.js';
import { releaseHandlers } from '../releases/handlers.js';
import { releaseReviewHandlers } from '../releases/review/handlers.js';
import { releaseTransitionHandlers } from '../releases/transition-handlers.js';
import { retentionHandlers } from '../retention/handlers.js';
import type { Housekeeping } from '../retention/housekeeping.js';
import { sampleUserHandlers } from '../sample-users/handlers.js';
import { segmentHandlers } from '../segments/handlers.js';
import { segmentHistoryHandlers } from '../segments/history-handlers.js';
import { segmentSaveHandlers } from '../segments/save-handlers.js';
import { SegmentPlaces } from '../segments/segment-places.js';
import { sessionHandlers } from '../session/handlers.js';
import { syncHandlers } from '../sync/handlers.js';
import { EnvironmentTests } from '../tests/environment-tests.js';
import { testHandlers } from '../tests/handlers.js';
import { transferHandlers } from '../transfer/handlers.js';
import { userHandlers } from '../users/handlers.js';
import { tokenHandlers } from '../users/token-handlers.js';
import { deliveryHandlers, testHandler } from '../webhooks/delivery-handlers.js';
import { webhookHandlers } from '../webhooks/handlers.js';
import { registerConsole } from './console-files.js';

/** What the API makes itself for its handlers. */
type MadeHere =
  | 'limits'
  | 'checks'
  | 'attributes'
  | 'tests'
  | 'calendar'
  | 'segmentPlaces'
  | 'bodies'
  | 'sessionIdleMs';

export interface AdminApiOptions extends Omit<AdminContext, MadeHere>, Watched {
  readonly logger: FastifyBaseLogger;
  /** Absent: no route. */
  readonly backup?: MakeBackup;
  /** Absent: no route. */
  readonly housekeeping?: Pick<Housekeeping, 'run' | 'rules'>;
  /** The origin of the delivery port, for readers of the documents. Left out: the default one. */
  readonly deliveryUrl?: string;
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
  const { bodyBudgets = new BodyBudgets(), bodyDeadlines = defaultBodyDeadlines } = options;
  const bodies = { budgets: bodyBudgets, deadlines: bodyDeadlines };
  const context: AdminContext = {
    ...{ store, publish, fleet, now, work, checks, attributes, lastUsed, webhooks, limits, bodies },
    hasPrometheus,
    sessionIdleMs,
    tests: new EnvironmentTests(store, work),
    calendar: new EnvironmentCalendar(store, work),
    segmentPlaces: new SegmentPlaces(store, work),
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
  registerJsonBody(app, bodies);
  registerNdjsonBody(app);
  const tokens = new TokenTrial(context, wrongTokens);
  registerAuthentication(app, context, tokens);
  rejectUnstorable(app);
  requireRoles(app);
  const rejectOtherMethods = trackMethods(app);
  const handlers = [...handlersOf(options, app, tokens)];
  const document = adminDocumentOf(() => handlers.map(({ operation }) => operation));
  handlers.push(...documentHandlers(document, deliveryUrl));
  bind(app, context, handlers);
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
  const { backup, housekeeping } = options;
  return [
    ...healthHandlers(options),
    ...nodeHandlers,
    ...environmentHandlers,
    ...keyHandlers,
    ...contentHandlers,
    ...contentEditHandlers,
    ...syncHandlers,
    ...transferHandlers(),
    ...evaluationHandlers,
    ...envelopeHandlers,
    ...segmentHandlers,
    ...segmentSaveHandlers,
    ...segmentHistoryHandlers,
    ...releaseHandlers,
    ...releaseReviewHandlers,
    ...releaseTransitionHandlers,
    ...sampleUserHandlers,
    ...testHandlers,
    ...calendarHandlers,
    ...attributeHandlers,
    ...sessionHandlers(tokens),
    ...userHandlers,
    ...tokenHandlers,
    ...(backup === undefined ? [] : backupHandlers(backup)),
    ...(housekeeping === undefined ? [] : retentionHandlers(housekeeping)),
    ...auditHandlers(app),
    ...webhookHandlers,
    testHandler(),
    ...deliveryHandlers,
  ];
}
