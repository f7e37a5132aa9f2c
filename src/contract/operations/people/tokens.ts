/**
 * Tokens of users, several each. Only owners may use these operations, even for their own tokens: a token that leaked must
 * not make others, which would outlive its revocation.
 */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { labelSchema } from '../../schemas/common.js';
import { tokenSchema, userParams } from '../../schemas/user.js';

export const listTokens = operation('GET /users/:userId/tokens', {
  tag: 'users',
  description: 'The tokens of a user, oldest first, without their text.',
  role: 'owner',
  params: userParams,
  responses: { 200: z.object({ tokens: z.array(tokenSchema) }) },
  problems: ['user_not_found'],
});

export const createToken = operation('POST /users/:userId/tokens', {
  tag: 'users',
  description: 'Makes a further token of a user. It is shown this once.',
  role: 'owner',
  params: userParams,
  body: z.strictObject({ label: labelSchema.default('') }),
  responses: { 201: tokenSchema.extend({ token: z.string() }) },
  problems: ['user_not_found', 'limit_reached'],
});

export const revokeToken = operation('DELETE /users/:userId/tokens/:tokenId', {
  tag: 'users',
  description: 'Revokes a token: it is rejected from now on.',
  role: 'owner',
  params: userParams.extend({ tokenId: z.string().describe('Id of the token.') }),
  responses: { 200: tokenSchema },
  problems: ['user_not_found', 'token_not_found', 'token_given', 'last_owner'],
});
