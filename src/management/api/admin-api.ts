/** The admin API: Fastify with everything that its routes share, and the routes. */
import cookie from '@fastify/cookie';
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { auditHandlers } from '../audit/handlers.js';
import { StateChecks } from '../authoring/check-state.js';
import { EnvironmentAttributes } from '../evaluation/environment-attributes.js';
import { bind } from '../http/bind.js';
import { keyHandlers } from '../keys/handlers.js';
import {
  bodyBytesMax,
  defaultLimits,
  type ManagementLimits,
  requestMsMax,
  sessionHoursDefault,
} from '../limits.js';
import { userHandlers } from '../users/handlers.js';
import { tokenHandlers } from '../users/token-handlers.js';
import { deliveryHandlers, testHandler } from '../webhooks/delivery-handlers.js';
import { webhookHandlers } from '../webhooks/handlers.js';
import { trackMethods } from './allowed-methods.js';
import { registerAttributes } from './attribute-routes.js';
import { registerAuthentication } from './authenticate.js';
import { registerBackup } from './backup-routes.js';
import { BodyBudgets } from './body-budgets.js';
import { registerConsole } from './console-files.js';
import { registerContentDeletion } from './content-delete-routes.js';
import { registerContentDiff } from './content-diff-route.js';
import { registerContentEdits } from './content-edit-routes.js';
import { registerContentHistory } from './content-history-routes.js';
import { registerContents } from './content-routes.js';
import { registerContentSave } from './content-save-route.js';
import type { AdminApp, AdminContext } from './context.js';
import { registerDocs } from './docs.js';
import { registerEnvironments } from './environment-routes.js';
import { registerEvaluate } from './evaluate-routes.js';
import { registerExport } from './export-route.js';
import { waitForFleet } from './fleet-wait.js';
import { registerHealth, type Watched } from './health-routes.js';
import { registerImport } from './import-route.js';
import { registerJsonBody } from './json-body.js';
import { refuseMalformed } from './malformed-request.js';
import { registerNdjsonBody } from './ndjson-body.js';
import { noCompilers } from './no-compilers.js';
import { registerNodes } from './node-routes.js';
import { registerOpenapi, watchForOpenapi } from './openapi.js';
import { registerPreview } from './preview-routes.js';
import { handleError } from './problem.js';
import { type BodyDeadlines, defaultBodyDeadlines } from './read-body.js';
import { refuseUnstorable } from './refuse-unstorable.js';
import { requireRoles } from './require-role.js';
import { registerRetention } from './retention-routes.js';
import { registerSampleUsers } from './sample-user-routes.js';
import { registerSegments } from './segment-routes.js';
import { registerSessions } from './session-routes.js';
import { registerSync } from './sync-routes.js';
import { registerTests } from './test-routes.js';
import { TokenTrial } from './try-token.js';
import { defaultWrongTokenLimits, type WrongTokenLimits } from './wrong-tokens.js';

export interface AdminApiOptions
  extends Omit<AdminContext, 'limits' | 'checks' | 'attributes' | 'bodies' | 'sessionIdleMs'>,
    Watched {
  readonly logger: FastifyBaseLogger;
  /** The origin of the delivery port, for those who read the documents. Left out: the default one. */
  readonly deliveryUrl?: string;
  /** What is left out is as in `defaultLimits`. */
  readonly limits?: Partial<ManagementLimits>;
  readonly wrongTokens?: WrongTokenLimits;
  /** What bodies may hold in memory. Left out: as in limits.ts, and nobody shows it. */
  readonly bodyBudgets?: BodyBudgets;
  readonly bodyDeadlines?: BodyDeadlines;
  /** Addresses of proxies (or their networks) that are believed when they say for whom they ask; none by default. */
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
  const { store, publish, fleet, now, work, lastUsed, webhooks } = options;
  const { trustedProxies = [], wrongTokens = defaultWrongTokenLimits } = options;
  const { sessionIdleMs = sessionHoursDefault * 3_600_000 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const checks = new StateChecks(work, now);
  const attributes = new EnvironmentAttributes(store, work, now);
  const { bodyBudgets = new BodyBudgets(), bodyDeadlines = defaultBodyDeadlines } = options;
  const bodies = { budgets: bodyBudgets, deadlines: bodyDeadlines };
  const context: AdminContext = {
    ...{ store, publish, fleet, now, work, checks, attributes, lastUsed, webhooks, limits, bodies },
    sessionIdleMs,
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
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply);
    },
    schemaController: noCompilers,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  registerJsonBody(app, bodies);
  registerNdjsonBody(app);
  await app.register(cookie, { hook: false });
  const tokens = new TokenTrial(context, wrongTokens);
  registerAuthentication(app, context, tokens);
  refuseUnstorable(app);
  waitForFleet(app, context);
  const openapi = watchForOpenapi(app);

  requireRoles(app);
  const refuseOtherMethods = trackMethods(app);
  registerHealth(app, options);
  registerNodes(app, context);
  registerEnvironments(app, context);
  bind(app, context, keyHandlers);
  registerContents(app, context);
  registerContentHistory(app, context);
  registerContentDiff(app, context);
  registerContentSave(app, context);
  registerContentEdits(app, context);
  registerContentDeletion(app, context);
  registerSegments(app, context);
  registerSync(app, context);
  registerExport(app, context);
  registerImport(app, context);
  registerEvaluate(app, context);
  registerPreview(app, context);
  registerSampleUsers(app, context);
  registerTests(app, context);
  registerAttributes(app, context);
  registerSessions(app, context, tokens);
  bind(app, context, userHandlers);
  bind(app, context, tokenHandlers);
  bind(app, context, auditHandlers(app));
  bind(app, context, webhookHandlers);
  bind(app, context, [testHandler(), ...deliveryHandlers]);
  if (options.backup !== undefined) registerBackup(app, context, options.backup);
  if (options.housekeeping !== undefined) registerRetention(app, options.housekeeping);
  registerOpenapi(app, deliveryUrl, openapi);
  await registerDocs(app, deliveryUrl, openapi);
  registerConsole(app, consoleFolder);
  refuseOtherMethods();
  return app;
}
