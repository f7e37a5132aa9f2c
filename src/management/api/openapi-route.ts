/** Completes what a route says of itself for OpenAPI: its name, its role, and the refusals that follow from its shape. */
import { strict as assert } from 'node:assert';
import type { FastifySchema, RouteOptions } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ndjsonType } from '../../contract/operation.js';
import type { ProblemCode } from '../../contract/problems.js';
import { isProblemResponse, problems } from '../http/problem-responses.js';
import { operationIdOf } from './openapi-operation-id.js';
import { bodyOptional } from './openapi-polish.js';

/** The security schemes of the document. */
export const tokenScheme = 'token';
export const sessionScheme = 'session';

type Transform = typeof jsonSchemaTransform;

/** What `@fastify/swagger` takes for the route: zod schemas as JSON Schema, and the rest filled in. */
export const describeRoute: Transform = (input) => {
  assert('openapiObject' in input, 'the document is OpenAPI, not Swagger 2');
  const { schema, route, url } = input;
  if (schema === undefined || schema.hide === true) {
    return { schema: { ...schema, hide: true }, url };
  }
  assert(typeof route.method === 'string', 'a documented route has one method');
  const { role, lines } = route.config ?? {};
  const { description = '', operationId = operationIdOf(route.method, url) } = schema;
  return jsonSchemaTransform({
    ...input,
    schema: {
      ...schema,
      ...(lines === undefined ? {} : { body: lines, consumes: [ndjsonType] }),
      operationId,
      summary: schema.summary ?? summaryOf(description),
      description: `${description} ${roleSentence(route)}`.trim(),
      security: role === undefined ? [] : [{ [tokenScheme]: [] }, { [sessionScheme]: [] }],
      response: allResponses(schema, impliedCodes(route, schema)),
      // For programs that want to know before they ask.
      ...(role === undefined ? {} : { 'x-role': role }),
      ...(takesNoBody(schema.body) ? { [bodyOptional]: true } : {}),
    },
  });
};

function takesNoBody(body: unknown): boolean {
  return body instanceof z.ZodType && body.safeParse(undefined).success;
}

/** Refusals that a route can answer with because of its role, its path and its body. */
function impliedCodes(route: RouteOptions, schema: FastifySchema): readonly ProblemCode[] {
  const codes: ProblemCode[] = ['internal'];
  const role = route.config?.role;
  const isOfEnvironment = route.url.includes('/:env');
  // Who asks is looked up in the store.
  if (role !== undefined) {
    codes.push('invalid_token', 'cross_site', 'rate_limited', 'store_unavailable');
  }
  // Nothing else of a request that asks for so little can be wrong.
  if (role === undefined) codes.push('headers_too_large');
  if (role !== undefined && route.method !== 'GET') codes.push('upgrade_in_progress');
  if (role === 'editor' || role === 'owner') codes.push('forbidden');
  if (needsAllEnvironments(route)) codes.push('forbidden');
  if (isOfEnvironment) codes.push('environment_not_found');
  if (route.config?.publishes === true) codes.push('not_published');
  if (schema.params !== undefined || schema.querystring !== undefined) {
    codes.push('invalid_request');
  }
  if (schema.body !== undefined || route.config?.lines !== undefined) {
    codes.push('invalid_request', 'invalid_body', 'body_too_large', 'invalid_content_type');
    codes.push('overloaded', 'request_timeout');
  }
  return codes;
}

/** Whether a user of some environments only is refused. */
function needsAllEnvironments({ config, url }: RouteOptions): boolean {
  return config?.role !== undefined && config.scoped !== true && !url.includes('/:env');
}

/** The responses that the route names, its refusals merged with the implied ones; ascending by status. */
function allResponses(
  schema: FastifySchema,
  implied: readonly ProblemCode[],
): Readonly<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  const codes: ProblemCode[] = [];
  for (const [status, response] of Object.entries(schema.response ?? {})) {
    if (isProblemResponse(response)) codes.push(...response.codes);
    else responses[status] = response;
  }
  return { ...responses, ...problems(...codes, ...implied) };
}

function roleSentence(route: RouteOptions): string {
  const role = route.config?.role;
  if (role === undefined) return 'Needs no token.';
  return `Needs the role ${role}${needsAllEnvironments(route) ? ' on all environments' : ''}.`;
}

/** The beginning of the description, short enough for a list: without what is in brackets, to the first stop. */
function summaryOf(description: string): string {
  const sentence = description.replaceAll(bracketed, '').split(sentenceEnd)[0] ?? '';
  return sentence.length <= summaryCharsMax ? sentence : (sentence.split(', ')[0] ?? '');
}

const summaryCharsMax = 72;
const bracketed = / \([^()]*\)/g;
const sentenceEnd = /[.:;](?:\s|$)/;
