/**
 * Typed requests of the admin API, for the command, the console and tests: a route of the contract and its arguments in,
 * method, path and body out. Each caller sends them in its own way. Of the schemas, only types are imported.
 */
import type { z } from 'zod';
import { ndjsonType } from './media-types.js';
import {
  type Method,
  placeOf,
  type ReceivedBody,
  type SentBody,
  type SentQuery,
} from './operation.js';
import type { Operations } from './operations.js';

export type KnownRoute = keyof Operations;

/** Routes whose body is NDJSON. */
export type LinesRoute = {
  [R in KnownRoute]: Operations[R] extends { readonly lines: z.ZodType } ? R : never;
}[KnownRoute];

/** What the response of a route holds. */
export type ResponseTo<R extends KnownRoute> = ReceivedBody<Operations[R]>;

type ParameterName<R extends string> = R extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<Rest>
  : R extends `${string}:${infer Name}`
    ? Name
    : never;

type Params<R extends string> = [ParameterName<R>] extends [never]
  ? { readonly params?: never }
  : { readonly params: Readonly<Record<ParameterName<R>, string>> };

/** A query is text: numbers and booleans are written as such. */
type Query<T> = [T] extends [undefined]
  ? { readonly query?: never }
  : { readonly query?: { readonly [K in keyof T]?: T[K] | number | boolean | undefined } };

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** A body may be JSON text, for values whose bytes must survive (`1.10`, long integers). */
type Body<R extends KnownRoute, T = SentBody<Operations[R]>> = R extends LinesRoute
  ? { readonly body: NdjsonText }
  : [T] extends [undefined]
    ? { readonly body?: never }
    : undefined extends T
      ? { readonly body?: DeepReadonly<T> | JsonText }
      : { readonly body: DeepReadonly<T> | JsonText };

/** Where a request goes: its arguments without the body. */
export type TargetOf<R extends KnownRoute> = Params<R> & Query<SentQuery<Operations[R]>>;

export type ArgumentsOf<R extends KnownRoute> = TargetOf<R> & Body<R>;

/** JSON that is sent as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON values, one per line, that are sent as they are. */
export class NdjsonText {
  readonly lines: string;

  constructor(lines: string) {
    this.lines = lines;
  }
}

/** A request that is ready to be sent. */
interface SentRequest {
  readonly method: Method;
  /** From the root, escaped, with its query. */
  readonly path: string;
  /** JSON text; null: none. */
  readonly body: string | null;
  /** Media type of the body where it is not JSON. */
  readonly bodyType?: string;
}

/** A name that cannot stand in a path: a URL would resolve `contents/..` to the environment. */
export class InvalidName extends Error {
  constructor(value: string) {
    super(`"${value}" is not a name.`);
    this.name = 'InvalidName';
  }
}

interface AnyArguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * @param args parameters of the path, query (undefined members are left out) and body
 * @throws InvalidName
 */
export function requestOf<R extends KnownRoute>(route: R, args: ArgumentsOf<R>): SentRequest {
  const { body } = args as AnyArguments;
  const target = targetOf(route, args);
  if (body instanceof NdjsonText) return { ...target, body: body.lines, bodyType: ndjsonType };
  return { ...target, body: bodyText(body) };
}

/**
 * Method and path of a request whose body, if it has one, is sent apart.
 * @throws InvalidName
 */
export function targetOf<R extends KnownRoute>(
  route: R,
  args: TargetOf<R>,
): Pick<SentRequest, 'method' | 'path'> {
  const { params = {}, query = {} } = args as AnyArguments;
  const { method, path: pattern } = placeOf(route);
  const path = pattern.replace(parameter, (_, name: string) => escapeName(params[name] ?? ''));
  return { method, path: `${path}${queryText(query)}` };
}

const parameter = /:(\w+)/g;

/**
 * A name as a part of a path.
 * @throws InvalidName
 */
export function escapeName(value: string): string {
  if (value === '' || value === '.' || value === '..') throw new InvalidName(value);
  return encodeURIComponent(value);
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) given.append(name, String(one));
  }
  return given.size === 0 ? '' : `?${given}`;
}

function bodyText(body: unknown): string | null {
  if (body === undefined) return null;
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}
