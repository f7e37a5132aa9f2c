/** Serves the OpenAPI documents: the admin API's is made from the schemas that check its requests, delivery's is written out. */
import swagger from '@fastify/swagger';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AdminApp } from './context.js';
import { deliveryDocument } from './delivery-document.js';
import { deliveryOrigins } from './delivery-origins.js';
import { adminInfo, adminTags } from './openapi-info.js';
import { polish } from './openapi-polish.js';
import { describeRoute, sessionScheme, tokenScheme } from './openapi-route.js';
import { sendRaw } from './raw-json.js';
import { webhookMessages } from './webhook-messages.js';

/** Watches the routes that are added from now on. */
export async function watchForOpenapi(app: AdminApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: adminInfo,
      servers: [{ url: '/', description: 'The admin listener that this document comes from.' }],
      tags: [...adminTags],
      components: {
        securitySchemes: {
          [tokenScheme]: {
            type: 'http',
            scheme: 'bearer',
            description:
              'The token of a user. The first start of the server prints that of the owner.',
          },
          [sessionScheme]: {
            type: 'apiKey',
            in: 'cookie',
            name: 'loadout-<store>',
            description:
              "The session of the console, from `POST /admin/v1/session`. `<store>` is the beginning of the store's identity; " +
              'over https, `__Host-` stands before the name. What is not a GET wants `X-Loadout-Console: 1` as well.',
          },
        },
      },
    },
    transform: describeRoute,
    transformObject: (document) => ({
      ...polish(jsonSchemaTransformObject(document)),
      webhooks: webhookMessages,
    }),
  });
}

/**
 * `/openapi.json` and `/openapi-delivery.json`: without a token, for they hold nothing but what is in the source.
 * @param deliveryUrl as for `deliveryOrigins`
 */
export function registerOpenapi(app: AdminApp, deliveryUrl: string | null): void {
  const tags = ['documents'];
  const response = { 200: z.record(z.string(), z.unknown()) };
  let made: Buffer | null = null;

  app.get(
    '/openapi.json',
    { schema: { tags, description: 'The OpenAPI 3.1 document of the admin API.', response } },
    async (_request, reply) => {
      // Making it takes a good part of a second; the routes stay as they are from the start on.
      made ??= Buffer.from(JSON.stringify(app.swagger()));
      return sendRaw(reply, 200, made);
    },
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
