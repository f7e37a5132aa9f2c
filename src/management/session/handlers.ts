/** Sessions of the console: sign-in with a token, and sign-out. */
import { randomBytes } from 'node:crypto';
import { getSignInWays, signIn, signOut } from '../../contract/operations/people/session.js';
import { Problem } from '../../contract/problems.js';
import { clearSessionCookie, setSessionCookie } from '../http/auth/session-cookie.js';
import { endOf, findSignedIn, sessionHash } from '../http/auth/session-lookup.js';
import { type TokenTrial, tokenUnknown } from '../http/auth/try-token.js';
import { actorOf } from '../http/commit.js';
import { type Handler, handle } from '../http/handlers.js';
import { lastUsedEveryMsMax } from '../limits/sessions.js';
import type { OidcSettings } from '../oidc/oidc-settings.js';
import { deleteIdleSessions, deleteSession, insertSession } from '../store/users/sessions.js';
import { findBearerByTokenId } from '../store/users/tokens.js';
import { toIso } from '../to-iso.js';
import { meJson } from '../users/user-json.js';
import { SignIns } from './sign-ins.js';

/** 256 bits cannot be guessed. */
const cookieBytes = 32;

/**
 * @param tokens counts wrong tokens, in a sign-in as in the header of any other request
 * @param oidc null: there is no OpenID provider
 */
export function sessionHandlers(
  tokens: TokenTrial,
  oidc: Pick<OidcSettings, 'label'> | null,
): readonly Handler[] {
  const signIns = new SignIns();

  return [
    handle(getSignInWays, async () => ({
      provider: oidc === null ? null : { label: oidc.label },
    })),

    handle(signIn, async ({ context, body, request, reply }) => {
      const { store, sessionIdleMs, now } = context;
      const bearer = await tokens.try(request, reply, body.token);
      if (bearer instanceof Problem) return bearer;
      const waitSeconds = signIns.secondsToWait(bearer.token.id, now());
      if (waitSeconds > 0) {
        reply.header('retry-after', waitSeconds);
        return new Problem('rate_limited', 'This token has signed in too often; try again later.');
      }
      const before = await findSignedIn(context, request);
      const cookie = randomBytes(cookieBytes).toString('base64url');
      const { value } = await store.write(actorOf(request, bearer.user), async (write) => {
        // It may have been revoked a moment ago.
        const still = await findBearerByTokenId(write.db, bearer.token.id);
        if (still === null) return tokenUnknown();
        // The browser drops its previous cookie, so that session could never be signed out.
        if (before !== null) await deleteSession(write, before.session, before.bearer);
        // The last use of a session may not be written yet.
        await deleteIdleSessions(write, write.at - sessionIdleMs - lastUsedEveryMsMax);
        const session = await insertSession(write, still, sessionHash(store.id, cookie));
        const endsAtMs = endOf(session, write.at, sessionIdleMs);
        return { user: meJson(still, endsAtMs), expiresAt: toIso(endsAtMs) };
      });
      if (!(value instanceof Problem)) setSessionCookie(reply, store.id, cookie);
      return value;
    }),

    handle(signOut, async ({ context, request, reply }) => {
      const signedIn = await findSignedIn(context, request);
      if (signedIn !== null) {
        const { bearer, session } = signedIn;
        await context.store.write(actorOf(request, bearer.user), (write) =>
          deleteSession(write, session, bearer),
        );
      }
      clearSessionCookie(reply, context.store.id);
      return null;
    }),
  ];
}
