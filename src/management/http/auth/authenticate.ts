/** Admits requests whose token or session has the role that the operation needs, in the environment that it names. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Role, roles } from '../../../contract/operation.js';
import { Problem } from '../../../contract/problems.js';
import { environmentUnknown } from '../../store/edit-environment.js';
import type { Bearer } from '../../store/users/tokens.js';
import type { AdminApp, AdminContext } from '../context.js';
import { sendProblem } from '../problem.js';
import { consoleReason, crossSiteReason } from './cross-site.js';
import { seesEnvironment } from './environment-scope.js';
import { readSessionCookie } from './session-cookie.js';
import { findSignedIn } from './session-lookup.js';
import type { TokenTrial } from './try-token.js';

const authorization = /^Bearer +([\x21-\x7e]{1,256})$/i;

/** A response is for its user alone: not for caches on the way, not for pages of other origins. */
const privateHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** Adds the check before anything of a request but its head is read. */
export function registerAuthentication(
  app: AdminApp,
  context: AdminContext,
  tokens: TokenTrial,
): void {
  app.decorateRequest('user', null);
  app.decorateRequest('token', null);
  app.decorateRequest('session', null);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { role, signsIn } = request.routeOptions.config;
    if (role === undefined && signsIn === undefined) return;
    reply.headers(privateHeaders);
    if (role === undefined) {
      const problem = crossSiteReason(request) ?? consoleReason(request);
      return problem === null ? undefined : sendProblem(reply, problem);
    }
    const bearer = await identify(context, tokens, request, reply);
    if (bearer instanceof Problem) return sendProblem(reply, bearer);
    const problem = roleProblem(bearer, role, request);
    if (problem !== null) return sendProblem(reply, problem);
    request.user = bearer.user;
    request.token = bearer.token;
  });
}

/** A token in the head counts before a cookie: a program has put it there, which no other page makes a browser do. */
async function identify(
  context: AdminContext,
  tokens: TokenTrial,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Bearer | Problem> {
  const text = authorization.exec(request.headers.authorization ?? '')?.[1];
  if (text !== undefined) return tokens.try(request, reply, text);
  if (readSessionCookie(request, context.store.id) !== null) {
    return identifyBySession(context, request, reply);
  }
  reply.header('www-authenticate', 'Bearer');
  return new Problem('invalid_token', 'Send "Authorization: Bearer <token>".');
}

async function identifyBySession(
  context: AdminContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Bearer | Problem> {
  const problem = crossSiteReason(request);
  if (problem !== null) return problem;
  const signedIn = await findSignedIn(context, request);
  if (signedIn === null) {
    // The cookie stays: this response may come late, when the browser has a newer one by the same name.
    reply.header('www-authenticate', 'Bearer');
    return new Problem('invalid_token', 'The session has ended: sign in again.');
  }
  const nowMs = context.now();
  if (!isUnattended(request)) context.lastUsed.session(signedIn.session.id, nowMs);
  context.lastUsed.token(signedIn.bearer.token.id, nowMs);
  request.session = { id: signedIn.session.id, endsAtMs: signedIn.endsAtMs };
  return signedIn.bearer;
}

/** The console's page also sends requests by itself, and marks them; those alone must not keep a session alive. */
function isUnattended({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers['x-loadout-unattended'] === '1';
}

/** The role is checked first: that a user may do something nowhere is no secret. */
function roleProblem(
  { user }: Bearer,
  role: Role,
  { params, routeOptions }: FastifyRequest,
): Problem | null {
  if (roles.indexOf(user.role) < roles.indexOf(role)) {
    return new Problem('forbidden', `It takes the role ${role}; "${user.name}" is ${user.role}.`);
  }
  if (user.environments === null) return null;
  const { env } = params as { readonly env?: string };
  // Like one that does not exist: the names of other teams' environments stay private.
  if (env !== undefined) return seesEnvironment(user, env) ? null : environmentUnknown(env);
  if (routeOptions.config.scoped === true) return null;
  const detail = `It takes the role ${role} on all environments; "${user.name}" has it on some.`;
  return new Problem('forbidden', detail);
}
