/** Serves the OpenAPI documents: the admin API's is made from the schemas that check its requests, delivery's is written out. */
import { z } from 'zod';
import { sendRaw } from '../body/raw-json.js';
import type { AdminApp } from '../context.js';
import { deliveryDocument } from './delivery-document.js';
import { deliveryOrigins } from './delivery-origins.js';
import type { DocumentedRoute } from './operation.js';

/**
 * Takes down the routes that are added from now on.
 * @returns the document of them all, made when it is first asked for: it takes a good part of a second
 */
export function watchForOpenapi(app: AdminApp): () => Promise<Buffer> {
  const routes: DocumentedRoute[] = [];
  let document: Promise<Buffer> | null = null;
  app.addHook('onRoute', (route) => {
    const { method, url, schema, config = {} } = route;
    // Fastify adds a HEAD to each GET.
    if (schema === undefined || schema.hide === true || method === 'HEAD') return;
    routes.push({ method, url, schema, config });
  });
  return () => {
    document ??= import('./document.js')
      .then((made) => Buffer.from(JSON.stringify(made.openapiDocument(routes))))
      .catch((fault: unknown) => {
        // The next request tries again.
        document = null;
        throw fault;
      });
    return document;
  };
}

/**
 * `/openapi.json` and `/openapi-delivery.json`: without a token, for they hold nothing but what is in the source.
 * @param deliveryUrl as for `deliveryOrigins`
 * @param document see `watchForOpenapi`
 */
export function registerOpenapi(
  app: AdminApp,
  deliveryUrl: string | null,
  document: () => Promise<Buffer>,
): void {
  const tags = ['documents'];
  const response = { 200: z.record(z.string(), z.unknown()) };

  app.get(
    '/openapi.json',
    { schema: { tags, description: 'The OpenAPI 3.1 document of the admin API.', response } },
    async (_request, reply) => sendRaw(reply, 200, await document()),
  );

  app.get(
    '/openapi-delivery.json',
    {
      schema: {
        tags,
        description: 'The OpenAPI 3.1 document of the delivery API, which games call.',
        response,
      },
    },
    async (request) => deliveryDocument(deliveryOrigins(deliveryUrl, request.hostname)),
  );
}
