/**
 * Traces of the admin API: the span of each call, and the ids of its trace in its log lines. Without a collector, lines have the
 * ids of the caller's `traceparent`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdminApp } from '../http/context.js';
import type { Span, SpanAttributes } from './span.js';
import { parseTraceparent, type TraceContext, traceFields } from './trace-context.js';
import type { Tracing } from './tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: it is not traced. */
    span: Span | null;
  }
}

/**
 * Watches the routes that are added after this call, and comes before every other step of a request.
 * @param tracing null: no collector is named
 */
export function registerTracing(app: AdminApp, tracing: Tracing | null): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', async (request, reply) => {
    if (!isCall(request)) return;
    const parent = parseTraceparent(request.headers['traceparent']);
    request.span = tracing === null ? null : beginCall(tracing, request, parent);
    const context = request.span?.context ?? parent;
    if (context === null) return;
    request.log = request.log.child(traceFields(context));
    reply.log = request.log;
    const startedAt = performance.now();
    // Unlike a hook of Fastify, it comes as well when the client hangs up.
    reply.raw.once('close', () => endCall(request, reply, performance.now() - startedAt));
  });
  if (tracing === null) return;
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function (request, reply) {
      const { span } = request;
      if (span === null) return handler.call(this, request, reply);
      return tracing.within(span, environmentOf(request), () => handler.call(this, request, reply));
    };
  });
}

/** An operation of the API. Probes, documents and the files of the console are not traced. */
function isCall({ routeOptions: { url, config } }: FastifyRequest): boolean {
  return url?.startsWith('/admin/') === true && config.otherMethods !== true;
}

/** Its attributes are those of OpenTelemetry's conventions for HTTP servers, without `url.path` and `url.query` (D115). */
function beginCall(tracing: Tracing, request: FastifyRequest, parent: TraceContext | null): Span {
  const route = routeOf(request);
  return tracing.begin({
    ...{ name: `${request.method} ${route}`, kind: 'server', parent },
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'url.scheme': request.protocol,
      ...environmentOf(request),
    },
  });
}

const parameter = /:(\w+)/g;

/** As the documents of the API have it: `/admin/v1/environments/{env}`. */
function routeOf({ routeOptions }: FastifyRequest): string {
  return (routeOptions.url ?? '').replaceAll(parameter, '{$1}');
}

function environmentOf({ params }: FastifyRequest): SpanAttributes {
  const { env } = (params ?? {}) as { readonly env?: string };
  return env === undefined ? {} : { 'loadout.environment': env };
}

function endCall(request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const { span, committed, method } = request;
  const status = reply.raw.writableFinished ? reply.statusCode : null;
  request.log.debug(
    { event: 'admin_call', method, route: routeOf(request), status, ms: Math.round(ms) },
    'a call of the admin API has ended',
  );
  if (span === null) return;
  if (committed !== null) span.set({ 'loadout.sequence': committed });
  if (status === null) span.fail('client_closed');
  else span.set({ 'http.response.status_code': status });
  // A problem of the client (4xx) is no failure of the server.
  if (status !== null && status >= 500) span.fail(String(status));
  span.end();
}
