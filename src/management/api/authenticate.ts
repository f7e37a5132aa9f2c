/** Lets in who has a token with the role that a route asks for, on the environment that it names. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { environmentUnknown } from '../authoring/edit-environment.js';
import { Refusal } from '../authoring/refusal.js';
import { hashSecret } from '../store/secret.js';
import { type Bearer, findBearerByHash } from '../store/tokens.js';
import type { Role } from '../store/users.js';
import { systemActor } from '../store/write.js';
import { plainAddress } from './address-range.js';
import type { AdminApp, AdminContext } from './context.js';
import { seesEnvironment } from './environment-scope.js';
import { sendProblem } from './problem.js';
import { type WrongTokenLimits, WrongTokens } from './wrong-tokens.js';

const ranks: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };

const authorization = /^Bearer +([\x21-\x7e]{1,256})$/i;

/** Adds the check before anything of a request but its head is read. */
export function registerAuthentication(
  app: AdminApp,
  context: AdminContext,
  limits: WrongTokenLimits,
): void {
  const wrong = new WrongTokens(limits, context.now());
  app.decorateRequest('user', null);
  app.decorateRequest('token', null);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { role } = request.routeOptions.config;
    if (role === undefined) return;
    const bearer = await identify(context, wrong, request, reply);
    if (bearer instanceof Refusal) return sendProblem(reply, bearer);
    const refusal = refusalFor(bearer, role, request);
    if (refusal !== null) return sendProblem(reply, refusal);
    request.user = bearer.user;
    request.token = bearer.token;
  });
}

async function identify(
  context: AdminContext,
  wrong: WrongTokens,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Bearer | Refusal> {
  const text = authorization.exec(request.headers.authorization ?? '')?.[1];
  if (text === undefined) {
    reply.header('www-authenticate', 'Bearer');
    return new Refusal('invalid_token', 'Send "Authorization: Bearer <token>".');
  }
  const nowMs = context.now();
  const hash = hashSecret(text);
  const wasRight = wrong.wasRight(hash);
  const waitSeconds = wasRight ? 0 : wrong.secondsToWait(request.ip, nowMs);
  if (waitSeconds > 0) {
    reply.header('retry-after', waitSeconds);
    return new Refusal('rate_limited', 'There were too many wrong tokens; try again later.');
  }
  const bearer = await context.store.read((db) => findBearerByHash(db, hash));
  if (bearer === null) {
    const count = wrong.noteWrong(request.ip, hash, nowMs);
    if (count > 0) await auditWrong(context, request, count);
    reply.header('www-authenticate', 'Bearer');
    return new Refusal('invalid_token', 'The token is not known to this server.');
  }
  if (!wasRight) wrong.noteRight(request.ip, hash, nowMs);
  context.lastUsed.token(bearer.token.id, nowMs);
  return bearer;
}

/** The role first: that somebody may not do a thing anywhere is no secret. */
function refusalFor(
  { user }: Bearer,
  role: Role,
  { params, routeOptions }: FastifyRequest,
): Refusal | null {
  if (ranks[user.role] < ranks[role]) {
    return new Refusal('forbidden', `It takes the role ${role}; "${user.name}" is ${user.role}.`);
  }
  if (user.environments === null) return null;
  const { env } = params as { readonly env?: string };
  // Like one that does not exist: what others call their environments is not told.
  if (env !== undefined) return seesEnvironment(user, env) ? null : environmentUnknown(env);
  if (routeOptions.config.scoped === true) return null;
  const detail = `It takes the role ${role} on all environments; "${user.name}" has it on some.`;
  return new Refusal('forbidden', detail);
}

/** One row for a series, not one per guess. That it cannot be written must not turn the 401 into something else. */
async function auditWrong(
  context: AdminContext,
  request: FastifyRequest,
  count: number,
): Promise<void> {
  try {
    await context.store.write({ ...systemActor, address: plainAddress(request.ip) }, (write) =>
      write.audit('token.refuse', '', '', { wrongTokens: count }),
    );
  } catch (error) {
    request.log.warn({ err: error }, 'wrong tokens could not be recorded');
  }
}
