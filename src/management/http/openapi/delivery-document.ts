/**
 * The OpenAPI document of the delivery API, the four endpoints that games call. Written by hand: its requests are
 * checked by code made for speed, not by schemas. test/server/clients/delivery-openapi.test.ts holds it against a real server.
 */
import { ofrepPaths, ofrepSchemas } from './delivery-document-ofrep.js';
import { headers, problemResponse, schemas } from './delivery-document-parts.js';
import { paths } from './delivery-document-paths.js';

const description = `What games call to get their configuration. Every request carries the key of an environment, and
\`Content-Type: application/json\`.

**Checks** come in this order, and the first that fails ends the request: path and method, key, \`Content-Type\`, body size,
body, query, content. Problems are RFC 9457 problem details (\`application/problem+json\`); programs act on \`code\`. Any request
can also get 404 \`not_found\` (no such path) and 405 \`method_not_allowed\` (with \`Allow\`). The HTTP parser rejects what is
not HTTP/1.1 in another form.

**Bytes.** JSON is delivered as it was stored, without comments and white space: numbers, key order and escapes are not
rewritten. Responses of 1 KiB and more are compressed for clients that accept gzip, perhaps except the first one of a variant.

**Browsers.** CORS is on for all origins unless the server is configured otherwise; problems carry its headers too.`;

/** @param servers origins where the API is reached, such as `https://config.example`; at least one */
export function deliveryDocument(servers: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loadout delivery API',
      version: 'v1',
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description,
    },
    servers: servers.map((url) => ({ url })),
    tags: [
      { name: 'contents', description: 'One content, several, or the list of all.' },
      { name: 'ofrep', description: 'For the SDKs of OpenFeature.' },
      { name: 'health', description: 'For load balancers.' },
    ],
    security: [{ apiKey: [] }],
    paths: { ...paths, ...ofrepPaths },
    // Of no operation: there is none for the request.
    'x-other-responses': {
      PathUnknown: problemResponse('404', 'not_found'),
      MethodNotAllowed: problemResponse('405', 'method_not_allowed'),
    },
    components: {
      schemas: { ...schemas, ...ofrepSchemas },
      headers,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'Belongs to exactly one environment, and reads only that.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key, for OFREP alone.' },
      },
    },
  };
}
