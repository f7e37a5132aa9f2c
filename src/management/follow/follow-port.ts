/**
 * The port for servers that follow this one, and for nothing else: a region reaches it while the admin API stays on loopback. It
 * is served from published.db and from memory, whatever the store does.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { Problem } from '../../contract/problems.js';
import { PublishedDamaged } from '../../published/damage.js';
import type { PublishedPosition } from '../../published/writer.js';
import { ConditionVariable } from '../condition-variable.js';
import { problemText } from '../http/problem.js';
import { RequestRejected } from '../http/request-rejected.js';
import {
  followBodiesRequestBytesMax,
  followIdleMs,
  followReportBytesMax,
  followStateBytesMax,
  followTransferIdleMs,
  nextWaitMs,
} from '../limits/follow.js';
import type { AcceptedTokens } from './accepted-tokens.js';
import type { FollowedFile, FollowTexts } from './follow-texts.js';
import type { Followers } from './followers.js';
import type { Relayed } from './relayed-schema.js';
import {
  bodiesRequestSchema,
  followPaths,
  followProtocol,
  nextRequestSchema,
  notWaitedForHeader,
  type ParentPosition,
  positionSchema,
  protocolHeader,
  reportSchema,
} from './wire.js';

export interface FollowPortParts {
  readonly file: FollowedFile & { readonly storeId: string };
  readonly texts: Pick<FollowTexts, 'changes' | 'next' | 'bodies'>;
  readonly followers: Pick<Followers, 'take' | 'leave'>;
  readonly tokens: Pick<AcceptedTokens, 'nameOf'>;
  readonly max: number;
  /** A follower has said where it is. */
  readonly reported: () => void;
  /** Takes what a follower's delivery processes have reported. */
  readonly take: (relayed: Relayed) => void;
  readonly damaged: (error: PublishedDamaged) => void;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

/** One for each kind of request, and one that ends. */
const connectionsPerFollower = 4;
const connectionsSpare = 16;
const bearer = /^Bearer ([\w-]{1,200})$/;

export class FollowPort {
  readonly #parts: FollowPortParts;
  readonly #server: Server;
  readonly #moved = new ConditionVariable();
  #isClosing = false;

  constructor(parts: FollowPortParts) {
    this.#parts = parts;
    this.#server = createServer({ requestTimeout: 3 * followIdleMs }, (request, response) => {
      this.#respond(request, response).catch((error: unknown) => this.#fail(response, error));
    });
    this.#server.maxConnections = parts.max * connectionsPerFollower + connectionsSpare;
    this.#server.timeout = 3 * followIdleMs;
    this.#server.keepAliveTimeout = 3 * followIdleMs;
  }

  /** @returns the port */
  async listen(host: string, port: number): Promise<number> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  /** Another position is published: all that wait for one are told. */
  moved(): void {
    this.#moved.notify();
  }

  close(): void {
    this.#isClosing = true;
    this.#moved.notify();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader(protocolHeader, followProtocol);
    // It says nothing of a stranger's request but that it is one.
    const [, token = ''] = bearer.exec(request.headers.authorization ?? '') ?? [];
    if (this.#parts.tokens.nameOf(token) === null) {
      throw rejected('invalid_token', 'This port takes tokens of followers only.');
    }
    if (request.headers[protocolHeader] !== String(followProtocol)) {
      throw rejected(
        'invalid_request',
        `This server speaks protocol ${followProtocol} with its followers: both must be of versions that speak the same one.`,
      );
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://follow');
    const query = Object.fromEntries(searchParams);
    const route = `${request.method} ${pathname}`;
    if (route === `POST ${followPaths.next}`) return this.#next(request, response);
    if (route === `GET ${followPaths.position}`) return sendJson(response, this.#position);
    if (route === `GET ${followPaths.changes}`) return this.#changes(query, response);
    if (route === `POST ${followPaths.bodies}`) return this.#bodies(request, response);
    if (route === `POST ${followPaths.report}`) return this.#report(request, response);
    throw rejected('not_found', 'This port is for servers that follow this one.');
  }

  get #position(): ParentPosition {
    const { position, storeId, servesNothing } = this.#parts.file;
    return { ...position, storeId, servesNothing };
  }

  /** Where the follower is, and then, as soon as there is something, what comes next. */
  async #next(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, followStateBytesMax, nextRequestSchema);
    const { known, ...state } = body;
    const { file, texts, followers, reported } = this.#parts;
    if (!followers.take(state)) response.setHeader(notWaitedForHeader, 'yes');
    reported();
    const isOther = (): boolean => {
      const { sequence, mark } = file.position;
      return sequence !== known.sequence || mark !== known.mark || this.#isClosing;
    };
    await this.#moved.untilOrTimeout(() => isOther() || response.destroyed, nextWaitMs);
    const changes = isOther() ? await texts.next(known) : null;
    if (changes === null) return sendJson(response, this.#position);
    response.writeHead(200, { ...linesHeaders, 'content-length': changes.byteLength });
    response.end(changes);
  }

  async #changes(query: Query, response: ServerResponse): Promise<void> {
    const after = query['everything'] === '1' ? null : positionOf(query);
    beginLines(response);
    response.end(await this.#parts.texts.changes(after));
  }

  async #bodies(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { digests } = await readBody(request, followBodiesRequestBytesMax, bodiesRequestSchema);
    beginLines(response);
    await pipeline(Readable.from(this.#parts.texts.bodies(digests)), response);
  }

  async #report(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const report = await readBody(request, followReportBytesMax, reportSchema);
    const { relayed, leaves, ...state } = report;
    const { followers, max, take, reported } = this.#parts;
    if (leaves) followers.leave(state);
    else if (!followers.take(state)) {
      throw rejected('limit_reached', `This server has ${max} followers already.`);
    }
    take(relayed);
    reported();
    sendJson(response, {});
  }

  #fail(response: ServerResponse, error: unknown): void {
    const { log, damaged } = this.#parts;
    if (error instanceof PublishedDamaged) damaged(error);
    else if (!(error instanceof RequestRejected)) {
      log.debug({ event: 'follower_not_served', err: error }, 'a follower could not be served');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const problem =
      error instanceof RequestRejected
        ? error.problem
        : new Problem('store_unavailable', 'What is published cannot be read now; try again.');
    response.writeHead(problem.status, {
      ...{ 'content-type': 'application/problem+json', connection: 'close' },
    });
    response.end(problemText(problem));
  }
}

/** Thrown: a stage of its own would have to be passed through by all of them. */
function rejected(...of: ConstructorParameters<typeof Problem>): RequestRejected {
  return new RequestRejected(new Problem(...of));
}

type Query = Readonly<Record<string, string>>;

const linesHeaders = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };

/** A follower sees at once that it is heard. What fails from now on ends the connection. */
function beginLines(response: ServerResponse): void {
  response.socket?.setTimeout(followTransferIdleMs);
  response.writeHead(200, linesHeaders);
  response.flushHeaders();
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function positionOf(query: Query): PublishedPosition {
  const { sequence = '', mark = '' } = query;
  const position = positionSchema.safeParse({ sequence: Number(sequence), mark });
  if (position.success) return position.data;
  throw rejected('invalid_request', 'A position has a sequence and a mark.');
}

async function readBody<T extends z.ZodType>(
  request: IncomingMessage,
  bytesMax: number,
  schema: T,
): Promise<z.output<T>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) throw rejected('body_too_large', `At most ${bytesMax} bytes.`);
    pieces.push(piece);
  }
  const body = schema.safeParse(jsonOf(Buffer.concat(pieces).toString('utf8')));
  if (body.success) return body.data;
  throw rejected('invalid_body', 'The body is not what a follower of this protocol sends.');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
