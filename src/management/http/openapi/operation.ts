/** Describes a route as an operation of the OpenAPI document: what the route says, and the problems that follow from its shape. */
import { strict as assert } from 'node:assert';
import { STATUS_CODES } from 'node:http';
import type { FastifyContextConfig, RouteOptions } from 'fastify';
import { z } from 'zod';
import { ndjsonType } from '../../../contract/media-types.js';
import type { ProblemCode } from '../../../contract/problems.js';
import { isProblemResponse, problems } from '../problem-responses.js';
import type { JsonSchema, JsonSchemas } from './json-schema.js';
import { operationIdOf } from './operation-id.js';

/** What the document says of a route. */
export type DocumentedRoute = Required<Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>>;

declare module 'fastify' {
  interface FastifySchema {
    /** Not in the document. */
    hide?: boolean;
    /** Groups in the document. */
    tags?: readonly string[];
    /** For people; the first sentence is the summary. */
    description?: string;
    /** Absent: from method and path. */
    operationId?: string;
  }
}

/** A response that is not JSON: its body by media type. */
interface ContentResponse {
  readonly description?: string;
  readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

/** The operation object of a route; members that are undefined are absent. Its components are added to the schemas. */
export function describeOperation(route: DocumentedRoute, schemas: JsonSchemas): object {
  const { method, url, schema, config } = route;
  assert(typeof method === 'string', 'a documented route has one method');
  const { description = '', operationId = operationIdOf(method, url), tags } = schema;
  const { role, lines } = config;
  const parameters = [
    ...parametersOf('query', schema.querystring, schemas),
    ...parametersOf('path', schema.params, schemas),
  ];
  const body = lines ?? schema.body;
  return {
    operationId,
    summary: summaryOf(description),
    tags,
    description: `${description} ${roleSentence(route)}`.trim(),
    security: role === undefined ? [] : [{ token: [] }, { session: [] }],
    // For programs that want to know before they ask.
    'x-role': role,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody:
      body instanceof z.ZodType
        ? {
            required: !body.safeParse(undefined).success,
            content: contentOf(
              lines === undefined ? 'application/json' : ndjsonType,
              schemas.of(body, 'input'),
            ),
          }
        : undefined,
    responses: responsesOf(route, schemas),
  };
}

function parametersOf(
  place: 'query' | 'path',
  fields: unknown,
  schemas: JsonSchemas,
): readonly object[] {
  if (!(fields instanceof z.ZodType)) return [];
  const { properties = {}, required = [] } = schemas.of(fields, 'input') as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    in: place,
    name,
    required: place === 'path' || required.includes(name),
    description,
    schema,
  }));
}

function contentOf(type: string, schema: JsonSchema): object {
  const { examples: [example] = [], ...rest } = schema as { readonly examples?: unknown[] };
  if (type !== ndjsonType) return { [type]: { schema: rest, example } };
  // OpenAPI 3.1 has no word for a body of many values: it is text, and `x-itemSchema` is what 3.2 calls `itemSchema`.
  const text = { type: 'string', description: 'One JSON value a line, as in x-itemSchema.' };
  // JSON Schema's word for what is in a text; programs that do not know x-itemSchema see that the component is used.
  const isNamed = schema['$ref'] !== undefined;
  const content = isNamed ? { contentMediaType: type, contentSchema: schema } : {};
  return { [type]: { schema: { ...text, ...content }, 'x-itemSchema': schema } };
}

/** The responses that the route names, its problems merged with those that follow from its shape; by status. */
function responsesOf(
  route: DocumentedRoute,
  schemas: JsonSchemas,
): Readonly<Record<string, object>> {
  const described: Record<string, object> = {};
  const codes = impliedCodes(route);
  for (const [status, response] of Object.entries(route.schema.response ?? {})) {
    if (isProblemResponse(response)) codes.push(...response.codes);
    else described[status] = responseOf(status, response, schemas);
  }
  for (const [status, response] of Object.entries(problems(...codes))) {
    described[status] = responseOf(status, response, schemas);
  }
  return described;
}

function responseOf(
  status: string,
  response: z.ZodType | ContentResponse,
  schemas: JsonSchemas,
): object {
  const {
    content = jsonContent(response as z.ZodType),
    description = Object.values(content)[0]?.schema.description,
  } = response as ContentResponse;
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    contentOf(type, schemas.of(schema, 'output')),
  );
  return {
    description: description ?? `${STATUS_CODES[status] ?? 'Done'}.`,
    headers: headersOf[status],
    content: bodies.length === 0 ? undefined : Object.assign({}, ...bodies),
  };
}

function jsonContent(schema: z.ZodType): ContentResponse['content'] {
  return schema instanceof z.ZodNull ? {} : { 'application/json': { schema } };
}

const headersOf: Readonly<Record<string, unknown>> = {
  401: { 'WWW-Authenticate': { description: 'Bearer.', schema: { type: 'string' } } },
  429: {
    'Retry-After': {
      description: 'Seconds after which it is worth to try again.',
      schema: { type: 'integer', minimum: 0 },
    },
  },
};

/** Problems that a route can respond with because of its role, its path and its body. */
function impliedCodes({ method, url, schema, config }: DocumentedRoute): ProblemCode[] {
  const { role, publishes, lines } = config;
  const codes: ProblemCode[] = ['internal'];
  // The store is asked for the user.
  if (role !== undefined) {
    codes.push('invalid_token', 'cross_site', 'rate_limited', 'store_unavailable');
  }
  // Nothing else can be wrong with a request that needs so little.
  if (role === undefined) codes.push('headers_too_large');
  if (role !== undefined && method !== 'GET') codes.push('upgrade_in_progress');
  if (role === 'editor' || role === 'owner') codes.push('forbidden');
  if (needsAllEnvironments(url, config)) codes.push('forbidden');
  if (url.includes('/:env')) codes.push('environment_not_found');
  if (publishes === true) codes.push('not_published');
  if (schema.params !== undefined || schema.querystring !== undefined) {
    codes.push('invalid_request');
  }
  if (schema.body !== undefined || lines !== undefined) {
    codes.push('invalid_request', 'invalid_body', 'body_too_large', 'invalid_content_type');
    codes.push('overloaded', 'request_timeout');
  }
  return codes;
}

/** Whether a user of some environments only is rejected. */
function needsAllEnvironments(url: string, { role, scoped }: FastifyContextConfig): boolean {
  return role !== undefined && scoped !== true && !url.includes('/:env');
}

function roleSentence({ url, config }: DocumentedRoute): string {
  if (config.role === undefined) return 'Needs no token.';
  const where = needsAllEnvironments(url, config) ? ' on all environments' : '';
  return `Needs the role ${config.role}${where}.`;
}

/** The beginning of the description, short enough for a list: without what is in brackets, to the first stop. */
function summaryOf(description: string): string {
  const sentence = description.replaceAll(bracketed, '').split(sentenceEnd)[0] ?? '';
  return sentence.length <= summaryCharsMax ? sentence : (sentence.split(', ')[0] ?? '');
}

const summaryCharsMax = 72;
const bracketed = / \([^()]*\)/g;
const sentenceEnd = /[.:;](?:\s|$)/;
