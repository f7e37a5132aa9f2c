/** Signing in at the console with a token, and out again. */
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { givenTokenCharsMax, signInsAtOnceMax } from '../../contract/limits.js';
import { Problem } from '../../contract/problems.js';
import { meSchema, sessionEndSchema } from '../../contract/schemas/user.js';
import { problems } from '../http/problem-responses.js';
import { lastUsedEveryMsMax, sessionBodyBytesMax, signInsPerSecondMax } from '../limits.js';
import { deleteIdleSessions, deleteSession, insertSession } from '../store/sessions.js';
import { type Bearer, findBearerByTokenId } from '../store/tokens.js';
import type { Actor } from '../store/write.js';
import { toIso } from '../to-iso.js';
import { meJson } from '../users/user-json.js';
import { plainAddress } from './address-range.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';
import { clearSessionCookie, setSessionCookie } from './session-cookie.js';
import { endOf, findSignedIn, sessionHash } from './session-lookup.js';
import { SignIns } from './sign-ins.js';
import { type TokenTrial, tokenUnknown } from './try-token.js';

/** 256 bits: nobody guesses it, however long they try. */
const cookieBytes = 32;

export function registerSessions(app: AdminApp, context: AdminContext, tokens: TokenTrial): void {
  const { store, sessionIdleMs, now } = context;
  const tags = ['session'];
  const signIns = new SignIns();

  app.post(
    '/admin/v1/session',
    {
      config: { signsIn: true },
      bodyLimit: sessionBodyBytesMax,
      schema: {
        tags,
        description:
          'Signs in with a token: the answer sets a cookie that stands for it. Wants `X-Loadout-Console: 1`. The session ' +
          'ends when it is not used for some hours (`--session-hours`), after 30 days, and with its token. A token may sign ' +
          `in ${signInsAtOnceMax} times at once, then once in ${1 / signInsPerSecondMax} s; beyond that the answer is 429 with \`Retry-After\`.`,
        body: z.strictObject({
          token: z.string().min(1).max(givenTokenCharsMax).describe('The token of a user.'),
        }),
        response: {
          201: z.object({ user: meSchema, expiresAt: sessionEndSchema }),
          ...problems(
            'cross_site',
            'invalid_token',
            'rate_limited',
            'store_unavailable',
            'upgrade_in_progress',
          ),
        },
      },
    },
    async (request, reply) => {
      const bearer = await tokens.try(request, reply, request.body.token);
      if (bearer instanceof Problem) return sendProblem(reply, bearer);
      const waitSeconds = signIns.secondsToWait(bearer.token.id, now());
      if (waitSeconds > 0) {
        reply.header('retry-after', waitSeconds);
        return sendProblem(reply, tooManySignIns());
      }
      const before = await findSignedIn(context, request);
      const value = randomBytes(cookieBytes).toString('base64url');
      const { value: made } = await store.write(actorFor(bearer, request), async (write) => {
        // It may have been revoked a moment ago.
        const still = await findBearerByTokenId(write.db, bearer.token.id);
        if (still === null) return tokenUnknown();
        // The browser forgets the cookie that it had, so nobody could sign out of that session any more.
        if (before !== null) await deleteSession(write, before.session, before.bearer);
        // The last use of a session may not be written yet.
        await deleteIdleSessions(write, write.at - sessionIdleMs - lastUsedEveryMsMax);
        const session = await insertSession(write, still, sessionHash(store.id, value));
        return { bearer: still, endsAtMs: endOf(session.createdAtMs, write.at, sessionIdleMs) };
      });
      if (made instanceof Problem) return sendProblem(reply, made);
      setSessionCookie(reply, store.id, value);
      return reply.code(201).send({
        user: meJson(made.bearer, made.endsAtMs),
        expiresAt: toIso(made.endsAtMs),
      });
    },
  );

  app.delete(
    '/admin/v1/session',
    {
      config: { signsIn: true },
      schema: {
        tags,
        description:
          'Signs out: ends the session of the cookie, and clears the cookie. Wants `X-Loadout-Console: 1`. That nobody is ' +
          'signed in, or not any more, is no fault.',
        response: {
          204: z.null().describe('Nobody is signed in now.'),
          ...problems('cross_site', 'store_unavailable', 'upgrade_in_progress'),
        },
      },
    },
    async (request, reply) => {
      const signedIn = await findSignedIn(context, request);
      if (signedIn !== null) {
        const { bearer, session } = signedIn;
        await store.write(actorFor(bearer, request), (write) =>
          deleteSession(write, session, bearer),
        );
      }
      clearSessionCookie(reply, store.id);
      return reply.code(204).send(null);
    },
  );
}

function tooManySignIns(): Problem {
  return new Problem('rate_limited', 'This token has signed in too often; try again later.');
}

function actorFor({ user }: Bearer, request: FastifyRequest): Actor {
  return { userId: user.id, name: user.name, role: user.role, address: plainAddress(request.ip) };
}
