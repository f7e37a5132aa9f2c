/** The way to the OpenID provider and back: plain routes of the admin port, which a browser follows (D121). */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SignInFailure, signInFailureParameter } from '../../contract/sign-in-failure.js';
import { plainAddress } from '../http/auth/address-range.js';
import { crossSiteReason } from '../http/auth/cross-site.js';
import { setSessionCookie } from '../http/auth/session-cookie.js';
import type { AdminApp, AdminContext } from '../http/context.js';
import { StoreUnavailable } from '../store/store-errors.js';
import { type Admission, admitPerson } from './admit-person.js';
import { type Attempt, AttemptCookies, makeAttempt } from './attempt.js';
import { claimedGroups } from './claimed-groups.js';
import { rightsOfGroups } from './group-roles.js';
import type { OidcSettings } from './oidc-settings.js';
import { callbackPath, type ProvidedPerson, Provider } from './provider.js';
import { ProviderSteps } from './provider-steps.js';
import { returnPathOf } from './return-path.js';
import { causeOf, failureOf } from './sign-in-failed.js';

const cookieBytes = 32;

/** The address of the callback has a code: nothing keeps it or passes it on. */
const headersOfAll = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Without HEAD: it would use the code up. */
const getOnly = { exposeHeadRoute: false } as const;

export function registerOidc(app: AdminApp, context: AdminContext, settings: OidcSettings): void {
  const flow = new OidcFlow(context, settings);
  app.get('/auth/oidc/start', getOnly, (request, reply) => flow.start(request, reply));
  app.get(callbackPath, getOnly, (request, reply) => flow.end(request, reply));
  app.get('/auth/oidc/sign-out', getOnly, (request, reply) => flow.signOut(request, reply));
}

class OidcFlow {
  readonly #context: AdminContext;
  readonly #settings: OidcSettings;
  readonly #provider: Provider;
  readonly #steps: ProviderSteps;

  constructor(context: AdminContext, settings: OidcSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#provider = new Provider(settings, context.now);
    this.#steps = new ProviderSteps(context.now());
  }

  async start(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { publicOrigin } = this.#settings;
    const { return: given } = request.query as { readonly return?: unknown };
    const returnPath = returnPathOf(given, publicOrigin);
    // No other page decides when a person signs in.
    if (crossSiteReason(request) !== null) return this.#goTo(reply, returnPath);
    if (!this.#steps.take(request.ip, this.#context.now())) {
      return this.#fail(reply, returnPath, 'too_many');
    }
    try {
      const attempt = makeAttempt(returnPath, this.#context.now());
      const url = await this.#provider.signInUrl(attempt);
      const cookies = this.#cookies();
      cookies.dropOldest(request, reply, this.#context.now());
      cookies.set(reply, attempt);
      return reply.headers(headersOfAll).redirect(url.href);
    } catch (error) {
      return this.#failBy(request, reply, returnPath, error);
    }
  }

  async end(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const nowMs = this.#context.now();
    const [, query = ''] = request.url.split('?', 2);
    const search = new URLSearchParams(query);
    let returnPath = '/';
    try {
      const cookies = this.#cookies();
      const attempt = cookies.find(request, search.get('state') ?? '', nowMs);
      // No step: other pages could make a browser take all that its office has.
      if (attempt === null) return this.#fail(reply, '/', 'attempt_ended');
      if (!this.#steps.take(request.ip, nowMs)) return this.#fail(reply, '/', 'too_many');
      returnPath = returnPathOf(attempt.returnPath, this.#settings.publicOrigin);
      cookies.clear(reply, attempt.state);
      const person = await this.#provider.confirm(search, attempt);
      const failure = await this.#admit(request, reply, attempt, person);
      return failure === null
        ? this.#goTo(reply, returnPath)
        : this.#fail(reply, returnPath, failure);
    } catch (error) {
      return this.#failBy(request, reply, returnPath, error);
    }
  }

  /** The session here has been ended by `DELETE /session`; this ends that of the provider. */
  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const isOwn = crossSiteReason(request) === null;
    if (!isOwn || !this.#steps.take(request.ip, this.#context.now())) return this.#goTo(reply, '/');
    try {
      const url = await this.#provider.signOutUrl();
      return url === null ? this.#goTo(reply, '/') : reply.headers(headersOfAll).redirect(url.href);
    } catch (error) {
      return this.#failBy(request, reply, '/', error);
    }
  }

  async #admit(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: Attempt,
    { issuer, subject, claims }: ProvidedPerson,
  ): Promise<SignInFailure | null> {
    const { groupsClaim, groupRoles, sessionMs } = this.#settings;
    const { store, sessionIdleMs } = this.#context;
    const groups = claimedGroups(claims, groupsClaim);
    if (groups === 'elsewhere' || groups === 'unreadable') {
      this.#log(request, 'groups_unreadable', { cause: `groups_${groups}` });
      return 'groups_unreadable';
    }
    const cookie = randomBytes(cookieBytes).toString('base64url');
    const rights = groups === 'absent' ? null : rightsOfGroups(groups, groupRoles);
    const admission: Admission = {
      identity: { issuer, subject },
      ...{ claims, rights, attempt, cookie, sessionMs, sessionIdleMs },
      address: plainAddress(request.ip),
    };
    const failure = await admitPerson(store, admission);
    if (failure === null) {
      setSessionCookie(reply, store.id, cookie);
      return null;
    }
    const isAbsent = failure === 'no_group' && groups === 'absent';
    this.#log(request, failure, { cause: isAbsent ? 'groups_absent' : failure });
    return failure;
  }

  #cookies(): AttemptCookies {
    const { store } = this.#context;
    // Without the store's secret anybody could make one.
    if (store.streamKey === '') throw new StoreUnavailable(null);
    return new AttemptCookies(store, this.#settings.publicOrigin);
  }

  #failBy(
    request: FastifyRequest,
    reply: FastifyReply,
    returnPath: string,
    error: unknown,
  ): FastifyReply {
    const failure = failureOf(error);
    // That a person changed their mind is no event of the server.
    if (failure !== 'denied') this.#log(request, failure, causeOf(error));
    return this.#fail(reply, returnPath, failure);
  }

  #log({ log }: FastifyRequest, failure: SignInFailure, cause: Readonly<Record<string, unknown>>) {
    log.warn(
      { event: 'oidc_sign_in_failed', failure, ...cause },
      'a sign-in through the OpenID provider failed',
    );
  }

  #fail(reply: FastifyReply, returnPath: string, failure: SignInFailure): FastifyReply {
    const url = new URL(returnPath, this.#settings.publicOrigin);
    url.searchParams.set(signInFailureParameter, failure);
    return this.#goTo(reply, `${url.pathname}${url.search}${url.hash}`);
  }

  /** Always within the console, by its whole address. */
  #goTo(reply: FastifyReply, path: string): FastifyReply {
    return reply.headers(headersOfAll).redirect(`${this.#settings.publicOrigin}${path}`);
  }
}
