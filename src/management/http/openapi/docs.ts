/** `/docs`: both OpenAPI documents to read and to try, from this server alone: nothing is loaded from elsewhere. */
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { AdminApp } from '../context.js';
import { serveLazily } from '../serve-lazily.js';
import { deliveryOrigins } from './delivery-origins.js';
import type { AdminDocument } from './handlers.js';

/**
 * @param deliveryUrl the origin that the page may try delivery on, besides its own; null: the default one
 * @param document of the admin API; see `adminDocumentOf`
 */
export async function registerDocs(
  app: AdminApp,
  deliveryUrl: string | null,
  document: AdminDocument,
): Promise<void> {
  await app.register((docs, _options, done) => {
    docs.addHook('onRequest', async (request, { raw }) => {
      const connect = deliveryOrigins(deliveryUrl, request.hostname).join(' ');
      raw.setHeader('content-security-policy', `${policy}; connect-src 'self' ${connect}`);
      raw.setHeader('x-content-type-options', 'nosniff');
      raw.setHeader('referrer-policy', 'no-referrer');
    });
    serveLazily(docs, docsPaths, async (inner) => {
      const { default: swaggerUi } = await import('@fastify/swagger-ui');
      const specification = JSON.parse((await document()).toString());
      // All that the page takes from `@fastify/swagger`; it checks for that plugin only when it is registered as one itself.
      inner.decorate('swagger', () => specification);
      const page: FastifySwaggerUiOptions = {
        routePrefix: '/docs',
        theme: { title: 'Loadout API' },
        logo: { type: 'image/svg+xml', content: logo },
        uiConfig: {
          urls: [
            { url: '/openapi.json', name: 'Admin API' },
            { url: '/openapi-delivery.json', name: 'Delivery API' },
          ],
          docExpansion: 'list',
          defaultModelsExpandDepth: 0,
          displayRequestDuration: true,
          filter: true,
          // A token that is typed in is gone with the page.
          persistAuthorization: false,
          requestInterceptor: sendContentType,
        },
        // With one of these, the page writes YAML by itself.
        transformSpecification: (given) => given,
        transformSpecificationClone: false,
      };
      await inner.register((scope, _nothing, ready) => swaggerUi(scope, page, ready));
    });
    done();
  });
}

/** What `@fastify/swagger-ui` serves below its prefix. */
const docsPaths = ['/docs', '/docs/json', '/docs/yaml', '/docs/static/*'];

/** No inline script or style, no other origin, no frame around a page into which a token is typed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The arrows and the logo are data: URLs.
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><text x="0" y="28" font-family="sans-serif" font-size="26" font-weight="600" fill="#fff">Loadout</text></svg>';

/**
 * OpenAPI cannot say that a GET has a Content-Type, which delivery's catalog wants. It goes to the browser as its source
 * text, so it may use nothing from around it.
 */
function sendContentType(request: Record<string, unknown>): Record<string, unknown> {
  const headers = request['headers'] as Record<string, string>;
  if (String(request['url']).includes('/api/v1/')) headers['Content-Type'] = 'application/json';
  return request;
}
