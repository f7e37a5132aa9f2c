/** Sessions of the console: a token signs in, and a cookie stands for it. */
import { z } from 'zod';
import { givenTokenCharsMax, signInsAtOnceMax, signInsPerSecondMax } from '../../limits.js';
import { operation } from '../../operation.js';
import { meSchema, sessionEndSchema } from '../../schemas/user.js';

export const signIn = operation('POST /session', {
  tag: 'session',
  description:
    'Signs in with a token: the response sets a cookie that stands for it. Wants `X-Loadout-Console: 1`. The session ' +
    'ends when it is not used for some hours (`--session-hours`), after 30 days, and with its token. A token may sign ' +
    `in ${signInsAtOnceMax} times at once, then once in ${1 / signInsPerSecondMax} s; beyond that the response is 429 with \`Retry-After\`.`,
  signsIn: true,
  body: z.strictObject({
    token: z.string().min(1).max(givenTokenCharsMax).describe('The token of a user.'),
  }),
  bodyLimit: 'session',
  responses: { 201: z.object({ user: meSchema, expiresAt: sessionEndSchema }) },
  problems: [
    'cross_site',
    'invalid_token',
    'rate_limited',
    'store_unavailable',
    'upgrade_in_progress',
  ],
});

export const getSignInWays = operation('GET /session/ways', {
  tag: 'session',
  description:
    'How people can sign in at the console: with a token always, and through the OpenID provider if the server names one. Wants `X-Loadout-Console: 1`.',
  signsIn: true,
  responses: {
    200: z.object({
      provider: z
        .object({ label: z.string().describe('What people call it.') })
        .nullable()
        .describe('`/auth/oidc/start` signs in through it; null: there is none.'),
    }),
  },
  problems: ['cross_site'],
});

export const signOut = operation('DELETE /session', {
  tag: 'session',
  description:
    'Signs out: ends the session of the cookie, and clears the cookie. Wants `X-Loadout-Console: 1`. It succeeds as well ' +
    'when the session has ended already, or there was none.',
  signsIn: true,
  responses: { 204: z.null().describe('The cookie stands for no session.') },
  problems: ['cross_site', 'store_unavailable', 'upgrade_in_progress'],
});
