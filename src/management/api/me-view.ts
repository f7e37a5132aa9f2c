/** Who somebody is to the admin API, as it shows it to themselves. */
import { z } from 'zod';
import type { Bearer } from '../store/tokens.js';
import { toIso } from '../to-iso.js';
import { tokenJson, tokenSchema } from './token-view.js';
import { userJson, userSchema } from './user-view.js';

export const sessionEndSchema = z
  .string()
  .describe('The session ends then unless it is used before; RFC 3339.');

export const meSchema = userSchema.extend({
  token: tokenSchema,
  session: z
    .object({ expiresAt: sessionEndSchema })
    .nullable()
    .describe('Of the cookie; null: the request came with a token.'),
});
meSchema.register(z.globalRegistry, { id: 'Me' });

/** @param sessionEndsAtMs null: there is no session */
export function meJson(
  { user, token }: Bearer,
  sessionEndsAtMs: number | null,
): z.infer<typeof meSchema> {
  const session = sessionEndsAtMs === null ? null : { expiresAt: toIso(sessionEndsAtMs) };
  return { ...userJson(user), token: tokenJson(token), session };
}
