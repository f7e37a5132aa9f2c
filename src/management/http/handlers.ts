/** Handlers of operations: functions of a subject that return a value or a `Problem`; `bind` makes routes of them. */
import { strict as assert } from 'node:assert';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type {
  BodyOf,
  Operation,
  OperationSpec,
  ParamsOf,
  QueryOf,
  ResponseStatus,
  ReturnedBody,
  Route,
} from '../../contract/operation.js';
import { Problem } from '../../contract/problems.js';
import type { Db } from '../store/dialect.js';
import { editEnvironment, environmentUnknown } from '../store/edit-environment.js';
import { type Environment, findEnvironment } from '../store/environments.js';
import type { UnitOfWork } from '../store/unit-of-work.js';
import type { User } from '../store/users/users.js';
import { actorOf, commit } from './commit.js';
import type { AdminContext } from './context.js';

/** One request of an operation, validated. */
export interface Call<O extends Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  /** Of an operation with `lines`, its stream. */
  readonly body: O['lines'] extends z.ZodType ? Readable : BodyOf<O>;
  /** The user of the request. */
  readonly user: UserOf<O>;
  readonly context: AdminContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type UserOf<O extends OperationSpec> = O['role'] extends string ? User : User | null;

/** A call in a transaction, after the environment of its path was found and may be used. */
interface StoreCall<O extends Operation> extends Call<O> {
  readonly environment: EnvironmentOf<O>;
}

type EnvironmentOf<O> =
  O extends Operation<infer R>
    ? R extends `${Route}/:env` | `${Route}/:env/${string}`
      ? Environment
      : undefined
    : never;

/** A response with a status other than the operation's first one. */
export class WithStatus<Status extends ResponseStatus, T> {
  readonly status: Status;
  readonly value: T;

  constructor(status: Status, value: T) {
    this.status = status;
    this.value = value;
  }
}

/**
 * What a handler may return: the value for the first status, another status with its value, or a problem. A value may be
 * bytes: JSON text, which is sent as it is and not validated.
 */
export type Outcome<O extends OperationSpec> =
  | ReturnedBody<O>
  | {
      [S in keyof O['responses'] & ResponseStatus]: WithStatus<S, ReturnedBody<O, S> | Uint8Array>;
    }[keyof O['responses'] & ResponseStatus]
  | Uint8Array
  | Problem;

/** Of an operation that publishes, `handleChange` adds `sequence`, and the wait for the fleet adds `fleet`. */
type ChangeOutcome<O extends OperationSpec> = O['publishes'] extends true
  ? Omit<ReturnedBody<O>, 'sequence' | 'fleet'> | Problem
  : Outcome<O>;

export interface Handler {
  readonly operation: Operation;
  /** @returns a value of the operation's response, a `WithStatus`, a `Problem`, or the reply after it was sent */
  readonly run: (call: Call<Operation>) => Promise<unknown>;
}

/** A handler that opens its transactions itself. It may send the reply (a stream, stored bytes) and return it. */
export function handle<O extends Operation>(
  operation: O,
  run: (call: Call<O>) => Promise<Outcome<O> | FastifyReply>,
): Handler {
  return { operation, run: run as Handler['run'] };
}

/** A handler that reads: in one snapshot of the store. An environment that does not exist is a problem before it runs. */
export function handleRead<O extends Operation>(
  operation: O,
  run: (call: StoreCall<O>, db: Db) => Promise<Outcome<O>>,
): Handler {
  return handle(operation, (call) =>
    call.context.store.read(async (db) => {
      const environment = await environmentOf(call, (id) => findEnvironment(db, id));
      if (environment instanceof Problem) return environment;
      return run({ ...call, environment: environment as EnvironmentOf<O> }, db);
    }),
  );
}

/**
 * A handler that writes, in one transaction. It decides before it writes: a problem that it returns undoes nothing. The
 * environment of the path is held until the end, and a protected one takes changes only from owners. If the operation
 * publishes, the response waits until every delivery process serves the change, and has its sequence.
 */
export function handleChange<O extends Operation>(
  operation: O,
  run: (call: StoreCall<O>, write: UnitOfWork) => Promise<ChangeOutcome<O>>,
): Handler {
  return handle(operation, async (call) => {
    const { context, request } = call;
    const work = async (write: UnitOfWork): Promise<ChangeOutcome<O> | Problem> => {
      const environment = await environmentOf(call, (id) => editEnvironment(write, id));
      if (environment instanceof Problem) return environment;
      return run({ ...call, environment: environment as EnvironmentOf<O> }, write);
    };
    if (operation.publishes !== true) {
      return (await context.store.write(actorOf(request), work)).value as Outcome<O>;
    }
    const { value, sequence } = await commit(context, request, work);
    if (value instanceof Problem) return value;
    return { ...(value as object), sequence } as unknown as Outcome<O>;
  });
}

/** Undefined: the path names no environment. */
async function environmentOf(
  { params }: Pick<Call<Operation>, 'params'>,
  find: (id: string) => Promise<Environment | Problem | null>,
): Promise<Environment | Problem | undefined> {
  const { env } = (params ?? {}) as { readonly env?: unknown };
  if (env === undefined) return undefined;
  assert(typeof env === 'string', 'the parameters are validated');
  return (await find(env)) ?? environmentUnknown(env);
}
