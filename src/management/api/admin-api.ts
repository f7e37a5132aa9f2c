/** The admin API: Fastify with everything that its routes share, and the routes. */
import swagger from '@fastify/swagger';
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { bodyBytesMax, defaultLimits, type ManagementLimits, requestMsMax } from '../limits.js';
import { trackMethods } from './allowed-methods.js';
import { registerAudit } from './audit-routes.js';
import { registerAuthentication } from './authenticate.js';
import { registerContentEdits } from './content-edit-routes.js';
import { registerContents } from './content-routes.js';
import type { AdminApp, AdminContext } from './context.js';
import { registerEnvironments } from './environment-routes.js';
import { registerEvaluate } from './evaluate-routes.js';
import { registerHealth, type Watched } from './health-routes.js';
import { registerJsonBody } from './json-body.js';
import { registerKeys } from './key-routes.js';
import { refuseMalformed } from './malformed-request.js';
import { handleError, handleNotFound } from './problem.js';
import { registerSegments } from './segment-routes.js';
import { registerSync } from './sync-routes.js';
import { registerUsers } from './user-routes.js';

export interface AdminApiOptions extends Omit<AdminContext, 'limits'>, Watched {
  readonly logger: FastifyBaseLogger;
  /** What is left out is as in `defaultLimits`. */
  readonly limits?: Partial<ManagementLimits>;
}

/** Ids in a path may be percent-encoded, which triples them; Fastify's own default is 100. */
const paramCharsMax = 512;

/** The app with all its routes; more may be added before it listens. */
export async function makeAdminApi(options: AdminApiOptions): Promise<AdminApp> {
  const { store, publish, now, work } = options;
  const context = { store, publish, now, work, limits: { ...defaultLimits, ...options.limits } };
  const app: AdminApp = fastify({
    loggerInstance: options.logger,
    // A line per request says little here: what was done, by whom and from where is in the audit.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyBytesMax,
    requestTimeout: requestMsMax,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: paramCharsMax },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  registerJsonBody(app);
  registerAuthentication(app, context);
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Loadout admin API', version: 'v1' } },
    transform: jsonSchemaTransform,
  });

  const refuseOtherMethods = trackMethods(app);
  registerHealth(app, options);
  registerEnvironments(app, context);
  registerKeys(app, context);
  registerContents(app, context);
  registerContentEdits(app, context);
  registerSegments(app, context);
  registerSync(app, context);
  registerEvaluate(app, context);
  registerUsers(app, context);
  registerAudit(app, context);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  refuseOtherMethods();
  return app;
}
