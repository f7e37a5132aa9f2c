/** Who somebody is to the admin API, as it shows it to themselves. */
import { z } from 'zod';
import type { Bearer } from '../store/tokens.js';
import { timeText } from './shapes.js';
import { tokenJson, tokenShape } from './token-view.js';
import { userJson, userShape } from './user-view.js';

export const sessionEndShape = z
  .string()
  .describe('The session ends then unless it is used before; RFC 3339.');

export const meShape = userShape.extend({
  token: tokenShape,
  session: z
    .object({ expiresAt: sessionEndShape })
    .nullable()
    .describe('Of the cookie; null: the request came with a token.'),
});
meShape.register(z.globalRegistry, { id: 'Me' });

/** @param sessionEndsAtMs null: there is no session */
export function meJson(
  { user, token }: Bearer,
  sessionEndsAtMs: number | null,
): z.infer<typeof meShape> {
  const session = sessionEndsAtMs === null ? null : { expiresAt: timeText(sessionEndsAtMs) };
  return { ...userJson(user), token: tokenJson(token), session };
}
