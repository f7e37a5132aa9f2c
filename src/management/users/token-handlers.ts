/** Tokens of users: listed, created, revoked. */
import { tokensPerUserMax } from '../../contract/limits.js';
import { createToken, listTokens, revokeToken } from '../../contract/operations/people/tokens.js';
import { Problem } from '../../contract/problems.js';
import { type Handler, handleChange, handleRead } from '../http/handlers.js';
import * as rows from '../store/users/tokens.js';
import { findUser } from '../store/users/users.js';
import { lastOwner, userUnknown } from './handlers.js';
import { tokenJson } from './user-json.js';

export const tokenHandlers: readonly Handler[] = [
  handleRead(listTokens, async ({ params: { userId } }, db) => {
    if ((await findUser(db, userId)) === null) return userUnknown(userId);
    return { tokens: (await rows.listTokens(db, userId)).map(tokenJson) };
  }),

  handleChange(createToken, async ({ params: { userId }, body }, write) => {
    const user = await findUser(write.db, userId);
    if (user === null) return userUnknown(userId);
    if ((await rows.listTokens(write.db, userId)).length >= tokensPerUserMax) {
      const detail = `"${user.name}" has ${tokensPerUserMax} tokens already; revoke some first.`;
      return new Problem('limit_reached', detail);
    }
    const { token, text } = await rows.insertToken(write, user, body.label);
    return { ...tokenJson(token), token: text };
  }),

  handleChange(revokeToken, async ({ params: { userId, tokenId } }, write) => {
    const user = await findUser(write.db, userId);
    if (user === null) return userUnknown(userId);
    const token = (await rows.listTokens(write.db, userId)).find(({ id }) => id === tokenId);
    if (token === undefined) {
      return new Problem('token_not_found', `"${user.name}" has no token "${tokenId}".`);
    }
    // The next start of the server would bring it back.
    if (token.source === 'environment') {
      const detail =
        'The token is LOADOUT_ADMIN_TOKEN of the server: change that, and restart the server.';
      return new Problem('token_given', detail);
    }
    if (!(await rows.ownerRemains(write.db, { tokenId }))) return lastOwner();
    await rows.deleteToken(write, user, token);
    return tokenJson(token);
  }),
];
