/** Makes the OpenAPI document of the admin API from the schemas that check its requests. */
import swagger from '@fastify/swagger';
import { fastify, type RouteOptions } from 'fastify';
import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { zodSchemas } from '../http/validate.js';
import { withDescriptions } from './openapi-described.js';
import { adminInfo, adminTags } from './openapi-info.js';
import { polish } from './openapi-polish.js';
import { describeRoute, sessionScheme, tokenScheme } from './openapi-route.js';
import { webhookMessages } from './webhook-messages.js';

/** What the document says of a route. */
export type DocumentedRoute = Required<Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>>;

/**
 * The document as JSON. The plugin watches an app while its routes are added, so an app of its own gets them all again:
 * the one that serves them need not load the plugin, nor wait for it.
 */
export async function openapiDocument(routes: readonly DocumentedRoute[]): Promise<Buffer> {
  const app = fastify({ schemaController: zodSchemas });
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
              'The token of a user. The first start of the server makes one for the owner, and prints it on a terminal or writes it to the file `owner-token` of its data folder.',
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
      ...withDescriptions(polish(jsonSchemaTransformObject(document))),
      webhooks: webhookMessages,
    }),
  });
  for (const route of routes) app.route({ ...route, handler: () => undefined });
  await app.ready();
  return Buffer.from(JSON.stringify(app.swagger()));
}
