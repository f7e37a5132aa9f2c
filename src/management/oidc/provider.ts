/**
 * The OpenID provider, by openid-client: where it signs in and out, and what it says of a person. The library is loaded with the
 * first sign-in, and the provider's metadata are asked for then: a server starts and serves when the provider is away.
 */
import type * as OpenIdClient from 'openid-client';
import { clockToleranceSeconds, metadataKeptMs, providerMsMax } from '../limits/sessions.js';
import type { Attempt } from './attempt.js';
import { type Claims, claimedGroups } from './claimed-groups.js';
import { isSafeUrl, type OidcSettings } from './oidc-settings.js';
import { fetchOfProvider, UnsafeEndpoint } from './provider-fetch.js';

type Library = typeof OpenIdClient;
type Configuration = OpenIdClient.Configuration;

/** Where it sends people back to, after signing in. */
export const callbackPath = '/auth/oidc/callback';

/** What it says of a person whose sign-in it has confirmed. */
export interface ProvidedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Of the id token, and with it those of userinfo where it was asked. */
  readonly claims: Claims;
}

export class Provider {
  readonly #settings: OidcSettings;
  readonly #now: () => number;
  #library: Promise<Library> | null = null;
  #metadata: OpenIdClient.ServerMetadata | null = null;
  #metadataUntilMs = 0;
  #asked: Promise<OpenIdClient.ServerMetadata> | null = null;

  /** @param now milliseconds since the epoch */
  constructor(settings: OidcSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /**
   * Where the browser goes to sign in.
   * @throws ProviderAway, UnsafeEndpoint, and what the library throws
   */
  async signInUrl({ state, nonce, verifier }: Attempt): Promise<URL> {
    const library = await this.#load();
    const config = await this.#configure(library);
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: `${this.#settings.publicOrigin}${callbackPath}`,
      scope: [...new Set(['openid', 'profile', ...this.#settings.scopes])].join(' '),
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return expectSafe(url);
  }

  /**
   * Takes the code to the provider, and checks everything that it sends back: `state` and `iss` of the response (RFC 9207), the id
   * token's signature, algorithm, issuer, audience, times and nonce.
   * @param search query of the callback
   * @throws ProviderAway, UnsafeEndpoint, and what the library throws
   */
  async confirm(search: URLSearchParams, attempt: Attempt): Promise<ProvidedPerson> {
    const { clientId, publicOrigin, groupsClaim } = this.#settings;
    const library = await this.#load();
    // A configuration of its own: keys are asked for each time, so a provider may replace them at any time.
    const config = await this.#configure(library);
    library.enableNonRepudiationChecks(config);
    const url = new URL(`${publicOrigin}${callbackPath}?${search}`);
    const tokens = await library.authorizationCodeGrant(config, url, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const claims: Claims = { ...tokens.claims() };
    const { azp = clientId } = claims;
    // The library looks at it where there are several audiences only (OpenID Connect Core 1.0, section 3.1.3.7, 5).
    if (azp !== clientId) throw new OtherParty();
    const { iss, sub } = claims as { readonly iss: string; readonly sub: string };
    const isComplete = claimedGroups(claims, groupsClaim) !== 'absent';
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) {
      return { issuer: iss, subject: sub, claims };
    }
    const more = await library.fetchUserInfo(config, tokens.access_token, sub);
    // A claim that is null in the id token is absent there.
    const groups = { [groupsClaim]: claims[groupsClaim] ?? more[groupsClaim] };
    return { issuer: iss, subject: sub, claims: { ...more, ...claims, ...groups } };
  }

  /**
   * Where the browser goes to sign out there as well; null: the provider has no such place.
   * @throws as above
   */
  async signOutUrl(): Promise<URL | null> {
    const library = await this.#load();
    const config = await this.#configure(library);
    if (config.serverMetadata().end_session_endpoint === undefined) return null;
    const url = library.buildEndSessionUrl(config, {
      client_id: this.#settings.clientId,
      post_logout_redirect_uri: `${this.#settings.publicOrigin}/`,
    });
    return expectSafe(url);
  }

  #load(): Promise<Library> {
    this.#library ??= import('openid-client');
    return this.#library;
  }

  async #configure(library: Library): Promise<Configuration> {
    const metadata = await this.#findMetadata(library);
    const { clientId, clientSecret, issuer } = this.#settings;
    const auth = authenticationOf(library, clientSecret, metadata);
    const config = new library.Configuration(
      metadata,
      clientId,
      { [library.clockTolerance]: clockToleranceSeconds },
      auth,
    );
    config[library.customFetch] = fetchOfProvider as OpenIdClient.CustomFetch;
    config.timeout = providerMsMax / 1_000;
    if (issuer.startsWith('http:')) library.allowInsecureRequests(config);
    return config;
  }

  /** Kept for a while; many who sign in at once wait for one request. A failure is not kept. */
  async #findMetadata(library: Library): Promise<OpenIdClient.ServerMetadata> {
    if (this.#metadata !== null && this.#now() < this.#metadataUntilMs) return this.#metadata;
    this.#asked ??= this.#askMetadata(library).finally(() => {
      this.#asked = null;
    });
    return this.#asked;
  }

  async #askMetadata(library: Library): Promise<OpenIdClient.ServerMetadata> {
    const { issuer, clientId } = this.#settings;
    const config = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
      [library.customFetch]: fetchOfProvider as OpenIdClient.CustomFetch,
      timeout: providerMsMax / 1_000,
      execute: issuer.startsWith('http:') ? [library.allowInsecureRequests] : [],
    });
    const metadata = config.serverMetadata();
    // The library makes exceptions for providers with many tenants, of which anyone may have one.
    if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new IssuerDiffers();
    this.#metadata = metadata;
    this.#metadataUntilMs = this.#now() + metadataKeptMs;
    return metadata;
  }
}

/** The metadata are those of another issuer than the operator has named. */
class IssuerDiffers extends Error {
  readonly code = 'issuer_differs';

  constructor() {
    super('the metadata name another issuer than --oidc-issuer');
  }
}

/** The id token was made for another client, which passes it on. */
class OtherParty extends Error {
  readonly code = 'azp_differs';

  constructor() {
    super('the id token was issued to another client');
  }
}

function authenticationOf(
  library: Library,
  secret: string | null,
  { token_endpoint_auth_methods_supported: methods }: OpenIdClient.ServerMetadata,
): OpenIdClient.ClientAuth {
  if (secret === null) return library.None();
  // Without a list, basic is what a provider takes (OpenID Connect Discovery 1.0, section 3).
  const isBasic = methods === undefined || methods.includes('client_secret_basic');
  return isBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
}

/** The browser goes there. */
function expectSafe(url: URL): URL {
  if (!isSafeUrl(url)) throw new UnsafeEndpoint('an endpoint of it is not https');
  return url;
}
