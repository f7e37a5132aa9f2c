/** Fastify's compilers for zod: requests are validated, and responses serialized, by the schemas of their route. */
import type { FastifyServerOptions, FastifyTypeProvider } from 'fastify';
import { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import { RequestRejected } from './request-rejected.js';

/** Gives handlers of routes with zod schemas the types of their requests and responses. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
  readonly serializer: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown;
}

/** @param part of the request, as Fastify calls it */
function invalid(part: string | undefined, { issues }: z.ZodError): RequestRejected {
  const isBody = part === 'body';
  const problem = new Problem(
    isBody ? 'invalid_body' : 'invalid_request',
    `The ${isBody ? 'body' : 'path or query'} of the request is not valid.`,
    issues.map(({ path, message }) => ({ path: pathText(path), message })),
  );
  return new RequestRejected(problem);
}

/** Strings of digits are list indexes as well: `['mapping', '2', 'when']` becomes `mapping[2].when`. */
function pathText(path: readonly PropertyKey[]): string {
  // A member name with a slash counts as two.
  const parts = path.join('/').split('/');
  return parts.reduce((text, part) => {
    if (arrayIndex.test(part)) return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

const arrayIndex = /^\d+$/;

type SchemaUse = Readonly<{ schema: z.ZodType; method: string; url: string; httpPart?: string }>;

function buildValidator() {
  return ({ schema, httpPart }: SchemaUse) =>
    (value: unknown) => {
      const { data, error } = schema.safeParse(value);
      return error === undefined ? { value: data } : { error: invalid(httpPart, error) };
    };
}

function buildSerializer() {
  return ({ schema, method, url }: SchemaUse) =>
    (value: unknown): string => {
      const { data, error } = z.safeEncode(schema, value as never);
      if (error === undefined) return JSON.stringify(data);
      throw new Error(`${method} ${url} does not match the schema of its response`, {
        cause: error,
      });
    };
}

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>;

/** For the option `schemaController` of an app. Without it, Fastify would load compilers of its own (40 ms). */
export const zodSchemas = {
  compilersFactory: { buildValidator, buildSerializer },
} as unknown as SchemaController;
