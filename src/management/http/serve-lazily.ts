/** Paths whose plugins are loaded with the first request for one of them: most servers never get one. */
import { type FastifyInstance, fastify, LogController } from 'fastify';
import type { AdminApp } from './context.js';
import { handleError, handleNotFound } from './problem.js';
import { zodSchemas } from './validate.js';

/**
 * Serves GET and HEAD of the paths by an app of its own, with errors as those of `app`.
 * @param paths as Fastify writes them
 * @param register adds the routes to the app that serves them
 */
export function serveLazily(
  app: AdminApp,
  paths: readonly string[],
  register: (inner: FastifyInstance) => Promise<void>,
): void {
  let started: Promise<FastifyInstance> | null = null;
  const start = async (): Promise<FastifyInstance> => {
    const inner: FastifyInstance = fastify({
      loggerInstance: app.log,
      logController: new LogController({ disableRequestLogging: true }),
      routerOptions: { ignoreTrailingSlash: true },
      schemaController: zodSchemas,
    });
    inner.setErrorHandler(handleError);
    inner.setNotFoundHandler(handleNotFound);
    await register(inner);
    await inner.ready();
    return inner;
  };
  for (const path of paths) {
    app.get(path, async (request, reply) => {
      started ??= start();
      const mine = started;
      const inner = await mine.catch((error: unknown) => {
        // The next request tries again.
        if (started === mine) started = null;
        throw error;
      });
      reply.hijack();
      inner.routing(request.raw, reply.raw);
      return reply;
    });
  }
  // A failed start was already reported to the request that caused it.
  app.addHook('onClose', () =>
    started?.then(
      (inner) => inner.close(),
      () => undefined,
    ),
  );
}
