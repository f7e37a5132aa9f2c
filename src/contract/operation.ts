/**
 * One operation of the admin API. Its route, its OpenAPI description, the typed client and the tests of roles are all
 * derived from this value; a second description by hand is a defect.
 */
import type { z } from 'zod';
import type { ProblemCode } from './problems.js';

export const roles = ['support', 'viewer', 'editor', 'owner'] as const;
/** Each role may do what the one before it may. */
export type Role = (typeof roles)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Method and path, with `:name` for each parameter. */
export type Route = `${Method} /${string}`;
type SuccessStatus = 200 | 201 | 202 | 204;
/** 503 beside problems: `GET /readyz` has the same body when the server is not ready. */
export type ResponseStatus = SuccessStatus | 503;

export interface OperationSpec {
  /** Group in the documents. */
  readonly tag: string;
  /** Name for generated clients, where the one made of method and path would be ambiguous. */
  readonly operationId?: string;
  /** For people; the first sentence is the summary. The role needs no mention, it is added. */
  readonly description: string;
  /** The least role that may call it. Absent: no token is needed. */
  readonly role?: Role;
  /** Signs in or out: open to everyone, but only from the console itself. */
  readonly signsIn?: true;
  /** Without `:env` in its path and open to users of some environments only: it shows them no more than theirs. */
  readonly scoped?: true;
  /** There is no HEAD beside its GET: it would do all of the work for nothing. */
  readonly head?: false;
  /** A write of it is published: the response has a `sequence`, and clients may wait for the whole fleet. */
  readonly publishes?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Largest body in bytes, where it is not the server's ordinary limit. Depends on the operator's limits, hence by name. */
  readonly bodyLimit?: 'content' | 'session';
  /** The body is NDJSON, which the handler receives as a stream and limits itself: what one line holds. */
  readonly lines?: z.ZodType;
  /** By status. A body that is not described by a schema (a stream, stored bytes) has one that any value matches. */
  readonly responses: Readonly<Partial<Record<ResponseStatus, z.ZodType>>>;
  /** Media type of the response where it is not JSON. Of NDJSON, the schema describes one line. */
  readonly responseType?: string;
  /** Codes beside those that follow from role, path and body, which the documents add. */
  readonly problems?: readonly ProblemCode[];
}

export type Operation<R extends Route = Route, S extends OperationSpec = OperationSpec> = S & {
  readonly route: R;
  readonly method: Method;
  /** As Fastify routes it, from the root. */
  readonly path: `/${string}`;
};

/** Prefix of every versioned path. */
const apiPrefix = '/admin/v1';

/** Paths outside of the versioned API. */
const rootPaths: readonly string[] = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/metrics.json',
  '/openapi.json',
  '/openapi-delivery.json',
];

/** @param route path below `apiPrefix`, or one of `rootPaths` */
export function operation<const R extends Route, const S extends OperationSpec>(
  route: R,
  spec: S,
): Operation<R, S> {
  return { ...spec, route, ...placeOf(route) };
}

/** Method of a route, and its path from the root, with `:name` for each parameter. */
export function placeOf(route: Route): Pick<Operation, 'method' | 'path'> {
  const [method, path] = route.split(' ') as [Method, `/${string}`];
  return { method, path: rootPaths.includes(path) ? path : `${apiPrefix}${path}` };
}

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;
type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined;

/** `z.output`, what a handler receives: validated, defaults filled in. */
export type ParamsOf<O extends OperationSpec> = OutputOf<O['params']>;
export type QueryOf<O extends OperationSpec> = OutputOf<O['query']>;
export type BodyOf<O extends OperationSpec> = OutputOf<O['body']>;

/** `z.input`, what a client sends: members with a default may be absent. */
export type SentQuery<O extends OperationSpec> = InputOf<O['query']>;
export type SentBody<O extends OperationSpec> = InputOf<O['body']>;

/** `z.output`, what a handler returns for one status. The server encodes it with the schema. */
export type ReturnedBody<
  O extends OperationSpec,
  Status extends keyof O['responses'] = keyof O['responses'],
> = OutputOf<O['responses'][Status]>;

/** `z.input`, what a client receives, whichever the status: the encoded form. */
export type ReceivedBody<O extends OperationSpec> = InputOf<
  NonNullable<O['responses'][keyof O['responses'] & ResponseStatus]>
>;
