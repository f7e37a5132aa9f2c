/** Routes of admin tokens: each user may have several, made and revoked one by one. */
import { z } from 'zod';
import { tokensPerUserMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { labelSchema } from '../../contract/schemas/common.js';
import { problems } from '../http/problem-responses.js';
import { deleteToken, insertToken, listTokens, ownerRemains } from '../store/tokens.js';
import { findUser } from '../store/users.js';
import { actorOf } from './commit.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { tokenJson, tokenSchema } from './token-view.js';
import { lastOwner, userParams, userUnknown } from './user-routes.js';

/**
 * For owners only, a user's own tokens included: a token that leaked must not be able to make others, which would
 * outlive its revocation.
 */
export function registerTokens(app: AdminApp, context: AdminContext): void {
  const tags = ['users'];

  app.get(
    '/admin/v1/users/:userId/tokens',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'The tokens of a user, oldest first, without their text.',
        params: userParams,
        response: {
          200: z.object({ tokens: z.array(tokenSchema) }),
          ...problems('user_not_found'),
        },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const tokens = await context.store.read(async (db) =>
        (await findUser(db, userId)) === null ? null : listTokens(db, userId),
      );
      if (tokens === null) return sendProblem(reply, userUnknown(userId));
      return reply.send({ tokens: tokens.map(tokenJson) });
    },
  );

  app.post(
    '/admin/v1/users/:userId/tokens',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Makes a further token of a user. It is shown this once.',
        params: userParams,
        body: z.strictObject({ label: labelSchema.default('') }),
        response: {
          201: tokenSchema.extend({ token: z.string() }),
          ...problems('user_not_found', 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { userId } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const user = await findUser(write.db, userId);
        if (user === null) return userUnknown(userId);
        const count = (await listTokens(write.db, userId)).length;
        if (count >= tokensPerUserMax) return tooMany(user.name);
        return insertToken(write, user, request.body.label);
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.code(201).send({ ...tokenJson(value.token), token: value.text });
    },
  );

  app.delete(
    '/admin/v1/users/:userId/tokens/:tokenId',
    {
      config: { role: 'owner' },
      schema: {
        tags,
        description: 'Revokes a token: it is refused from now on.',
        params: userParams.extend({ tokenId: z.string().describe('Id of the token.') }),
        response: {
          200: tokenSchema,
          ...problems('user_not_found', 'token_not_found', 'token_given', 'last_owner'),
        },
      },
    },
    async (request, reply) => {
      const { userId, tokenId } = request.params;
      const { value } = await context.store.write(actorOf(request), async (write) => {
        const user = await findUser(write.db, userId);
        if (user === null) return userUnknown(userId);
        const token = (await listTokens(write.db, userId)).find(({ id }) => id === tokenId);
        if (token === undefined) return tokenUnknown(user.name, tokenId);
        if (token.source === 'environment') return given();
        if (!(await ownerRemains(write.db, { tokenId }))) return lastOwner();
        await deleteToken(write, user, token);
        return token;
      });
      if (value instanceof Problem) return sendProblem(reply, value);
      return reply.send(tokenJson(value));
    },
  );
}

function tokenUnknown(user: string, id: string): Problem {
  return new Problem('token_not_found', `"${user}" has no token "${id}".`);
}

/** The next start would bring it back. */
function given(): Problem {
  return new Problem(
    'token_given',
    'The token is LOADOUT_ADMIN_TOKEN of the server: change that, and restart the server.',
  );
}

function tooMany(user: string): Problem {
  const detail = `"${user}" has ${tokensPerUserMax} tokens already; revoke some first.`;
  return new Problem('limit_reached', detail);
}
