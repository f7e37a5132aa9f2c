/** Takes out of the finished OpenAPI document what the schema tools put in and no reader needs. */
import { STATUS_CODES } from 'node:http';
import { ndjsonType } from '../../contract/operation.js';
import { plainParameter, plainSchema } from './openapi-plain-schema.js';

/** Marks an operation whose body may be left out, which `@fastify/swagger` cannot say. */
export const bodyOptional = 'x-body-optional';

type Json = Readonly<Record<string, unknown>>;

/**
 * Four kinds of noise go:
 * - the bounds of safe integers on every integer, and `readOnly` on every list that the code may not change;
 * - `additionalProperties: false` in answers: a later version may add a field, and a client must not mind;
 * - `default` (openapi-plain-schema.ts);
 * - components that nothing refers to: each shape is made once for requests and once for answers.
 */
export function polish<T extends object>(document: T): T {
  const { components, paths, ...rest } = document as Record<string, unknown>;
  const polishedPaths = polishPaths(paths as Json);
  const { schemas, ...others } = components as Json;
  const open = mapValues(openObjects(withoutNoise(schemas)) as Json, plainSchema);
  const used = reachable(polishedPaths, open);
  const kept = Object.fromEntries(Object.entries(open).filter(([name]) => used.has(name)));
  return { ...rest, components: { ...others, schemas: kept }, paths: polishedPaths } as T;
}

function polishPaths(paths: Json): Json {
  return mapValues(paths, (item) =>
    mapValues(item as Json, (operation) => {
      const { responses, ...rest } = withoutNoise(operation) as Record<string, unknown>;
      const request = rest[bodyOptional] === true ? withOptionalBody(rest) : rest;
      const polished = { ...request, responses: mapEntries(responses as Json, polishResponse) };
      return withPlainSchemas(withTextOfLines(polished) as Json);
    }),
  );
}

function withOptionalBody({ [bodyOptional]: _, requestBody, ...rest }: Json): Json {
  return { ...rest, requestBody: { ...(requestBody as Json), required: false } };
}

/** OpenAPI 3.1 has no word for a body of many values: it is text, and `x-itemSchema` is what 3.2 calls `itemSchema`. */
function withTextOfLines(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTextOfLines);
  if (typeof value !== 'object' || value === null) return value;
  return mapEntries(value as Json, (key, inner) => {
    if (key !== ndjsonType) return withTextOfLines(inner);
    const { schema, ...rest } = inner as Json;
    const text = { type: 'string', description: 'One JSON value a line, as in x-itemSchema.' };
    // JSON Schema's word for what is in a text; programs that do not know x-itemSchema see that the component is used.
    const isNamed = (schema as Json)['$ref'] !== undefined;
    const content = isNamed ? { contentMediaType: ndjsonType, contentSchema: schema } : {};
    return { ...rest, schema: { ...text, ...content }, 'x-itemSchema': schema };
  });
}

/** Of an operation: its parameters, and the schemas of its body and its responses. */
function withPlainSchemas(operation: Json): Json {
  const { parameters, requestBody, responses, ...rest } = operation;
  return {
    ...rest,
    ...(Array.isArray(parameters) ? { parameters: parameters.map(plainParameter) } : {}),
    ...(requestBody === undefined ? {} : { requestBody: withPlainContent(requestBody as Json) }),
    responses: mapValues(responses as Json, (response) => withPlainContent(response as Json)),
  };
}

function withPlainContent({ content, ...rest }: Json): Json {
  if (content === undefined) return rest;
  const plain = mapValues(content as Json, (media) =>
    mapEntries(media as Json, (key, value) => (key.endsWith('chema') ? plainSchema(value) : value)),
  );
  return { ...rest, content: plain };
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

function polishResponse(status: string, response: unknown): unknown {
  const { description, ...rest } = openObjects(response) as Record<string, unknown>;
  const isDefault = description === 'Default Response';
  const headers = headersOf[status];
  return {
    description: isDefault ? `${STATUS_CODES[status] ?? 'Done'}.` : description,
    ...(headers === undefined ? {} : { headers }),
    ...rest,
  };
}

function withoutNoise(value: unknown): unknown {
  return rewrite(value, (key, inner) => {
    if (key === 'minimum') return inner !== Number.MIN_SAFE_INTEGER;
    if (key === 'maximum') return inner !== Number.MAX_SAFE_INTEGER;
    return key !== 'readOnly' || inner !== true;
  });
}

function openObjects(value: unknown): unknown {
  return rewrite(value, (key, inner) => key !== 'additionalProperties' || inner !== false);
}

/** A copy without the members that `keep` refuses. */
function rewrite(value: unknown, keep: (key: string, inner: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, keep));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => keep(key, inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, rewrite(inner, keep)]));
}

/** Names of the components that the paths refer to, at first or second hand. */
function reachable(paths: Json, schemas: Json): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(reference)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  visit(paths);
  return found;
}

const reference = /"#\/components\/schemas\/([^"/]+)"/g;

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return mapEntries(object, (_key, value) => change(value));
}

function mapEntries(object: Json, change: (key: string, value: unknown) => unknown): Json {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(key, value)]),
  );
}
