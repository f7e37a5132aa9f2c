/** Describes an operation of the contract for OpenAPI: what it says itself, and the problems that follow from its form. */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { ndjsonType } from '../../../contract/media-types.js';
import type { Operation } from '../../../contract/operation.js';
import { type ProblemCode, statusOf } from '../../../contract/problems.js';
import { problemSchema } from '../../../contract/schemas/problem.js';
import { queryOf } from '../fleet-wait.js';
import type { JsonSchema, JsonSchemas } from './json-schema.js';
import { operationIdOf } from './operation-id.js';

/** The operation object; members that are undefined are absent. Its components are added to `schemas`. */
export function describeOperation(operation: Operation, schemas: JsonSchemas): object {
  const { method, path, description, tag, role, params } = operation;
  const parameters = [
    ...parametersOf('query', queryOf(operation), schemas),
    ...parametersOf('path', params, schemas),
  ];
  return {
    operationId: operation.operationId ?? operationIdOf(method, path),
    summary: summaryOf(description),
    tags: [tag],
    description: `${description} ${roleSentence(operation)}`,
    security: role === undefined ? [] : [{ token: [] }, { session: [] }],
    // For programs that check before they send.
    'x-role': role,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas),
  };
}

function parametersOf(
  place: 'query' | 'path',
  fields: z.ZodObject | undefined,
  schemas: JsonSchemas,
): readonly object[] {
  if (fields === undefined) return [];
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

function requestBodyOf({ body, lines }: Operation, schemas: JsonSchemas): object | undefined {
  const schema = lines ?? body;
  if (schema === undefined) return undefined;
  const type = lines === undefined ? 'application/json' : ndjsonType;
  return {
    required: !schema.safeParse(undefined).success,
    content: contentOf(type, schemas.of(schema, 'input')),
  };
}

function contentOf(type: string, schema: JsonSchema): object {
  const { examples: [example] = [], ...rest } = schema as { readonly examples?: unknown[] };
  if (type !== ndjsonType) return { [type]: { schema: rest, example } };
  // OpenAPI 3.1 cannot describe a body of many values: it is text, and `x-itemSchema` is what 3.2 calls `itemSchema`.
  const text = { type: 'string', description: 'One JSON value a line, as in x-itemSchema.' };
  // JSON Schema's keyword for what a text contains: programs that do not know x-itemSchema see that the component is used.
  const isNamed = schema['$ref'] !== undefined;
  const content = isNamed ? { contentMediaType: type, contentSchema: schema } : {};
  return { [type]: { schema: { ...text, ...content }, 'x-itemSchema': schema } };
}

/** By status: the operation's own responses, then its problems with all codes of one status together. */
function responsesOf(operation: Operation, schemas: JsonSchemas): Readonly<Record<string, object>> {
  const { responses, responseType = 'application/json', problems = [] } = operation;
  const described: Record<string, object> = {};
  for (const [status, schema] of Object.entries(responses)) {
    described[status] = {
      description: schema.description ?? `${STATUS_CODES[status] ?? 'Done'}.`,
      content:
        schema instanceof z.ZodNull
          ? undefined
          : contentOf(responseType, schemas.of(schema, 'output')),
    };
  }
  for (const [status, codes] of codesByStatus([...impliedCodes(operation), ...problems])) {
    described[status] = {
      description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
      headers: headersOf[status],
      content: contentOf('application/problem+json', schemas.of(problemSchema, 'output')),
    };
  }
  return described;
}

function codesByStatus(codes: readonly ProblemCode[]): ReadonlyMap<number, readonly ProblemCode[]> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  }
  return byStatus;
}

const headersOf: Readonly<Record<number, unknown>> = {
  401: { 'WWW-Authenticate': { description: 'Bearer.', schema: { type: 'string' } } },
  429: {
    'Retry-After': {
      description: 'Seconds after which a retry makes sense.',
      schema: { type: 'integer', minimum: 0 },
    },
  },
};

/** Problems that an operation can have because of its role, its path and its body. */
function impliedCodes(operation: Operation): ProblemCode[] {
  const { role, publishes, lines, method, path, params, body } = operation;
  const codes: ProblemCode[] = ['internal'];
  // The store is read for the user.
  if (role !== undefined) {
    codes.push('invalid_token', 'cross_site', 'rate_limited', 'store_unavailable');
  }
  // Nothing else can be wrong with a request that needs so little.
  if (role === undefined) codes.push('headers_too_large');
  if (role !== undefined && method !== 'GET') codes.push('upgrade_in_progress');
  if (role !== undefined && role !== 'support') codes.push('forbidden');
  if (needsAllEnvironments(operation)) codes.push('forbidden');
  if (path.includes('/:env')) codes.push('environment_not_found');
  if (publishes === true) codes.push('not_published');
  if (params !== undefined || queryOf(operation) !== undefined) codes.push('invalid_request');
  if (body !== undefined || lines !== undefined) {
    codes.push('invalid_request', 'invalid_body', 'body_too_large', 'invalid_content_type');
    codes.push('overloaded', 'request_timeout');
  }
  return codes;
}

/** Whether a user of some environments only is rejected. */
function needsAllEnvironments({ path, role, scoped }: Operation): boolean {
  return role !== undefined && scoped !== true && !path.includes('/:env');
}

function roleSentence(operation: Operation): string {
  if (operation.role === undefined) return 'Needs no token.';
  const where = needsAllEnvironments(operation) ? ' on all environments' : '';
  return `Needs the role ${operation.role}${where}.`;
}

/** The beginning of the description, short enough for a list: without what is in brackets, to the first stop. */
function summaryOf(description: string): string {
  const sentence = description.replaceAll(bracketed, '').split(sentenceEnd)[0] ?? '';
  return sentence.length <= summaryCharsMax ? sentence : (sentence.split(', ')[0] ?? '');
}

const summaryCharsMax = 72;
const bracketed = / \([^()]*\)/g;
const sentenceEnd = /[.:;](?:\s|$)/;
