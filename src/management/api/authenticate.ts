/** Lets in who has a token with the role that a route asks for. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../authoring/refusal.js';
import { findUserByToken, type Role } from '../store/users.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

const ranks: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };

const bearer = /^Bearer +([\x21-\x7e]{1,256})$/i;

/** Adds the check before anything of a request but its head is read. */
export function registerAuthentication(app: AdminApp, context: AdminContext): void {
  app.decorateRequest('user', null);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const role = request.routeOptions.config.role;
    if (role === undefined) return;
    const token = bearer.exec(request.headers.authorization ?? '')?.[1];
    const user =
      token === undefined ? null : await context.store.read((db) => findUserByToken(db, token));
    if (user === null) {
      const detail =
        token === undefined
          ? 'Send "Authorization: Bearer <token>".'
          : 'The token is not known to this server.';
      return sendProblem(
        reply.header('www-authenticate', 'Bearer'),
        new Refusal('invalid_token', detail),
      );
    }
    if (ranks[user.role] < ranks[role]) {
      const detail = `It takes the role ${role}; "${user.name}" is ${user.role}.`;
      return sendProblem(reply, new Refusal('forbidden', detail));
    }
    request.user = user;
  });
}
