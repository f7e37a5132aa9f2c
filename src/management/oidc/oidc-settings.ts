/** What a server knows of its OpenID provider from the start on, and the check of what an operator gave. Pure. */
import { type GroupRole, parseGroupRoles } from './group-roles.js';

export interface OidcSettings {
  /** As its metadata and its tokens have it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, with PKCE alone. */
  readonly clientSecret: string | null;
  /** Origin of the console, as browsers reach it. */
  readonly publicOrigin: string;
  readonly groupsClaim: string;
  readonly groupRoles: readonly GroupRole[];
  /** Beside `openid` and `profile`. */
  readonly scopes: readonly string[];
  readonly label: string;
  readonly sessionMs: number;
}

/** The options as they were given; null: not given. */
export interface OidcFlags {
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcPublicUrl: string | null;
  readonly oidcRoles: string | null;
  readonly oidcGroupsClaim: string;
  readonly oidcScopes: readonly string[];
  readonly oidcLabel: string;
  readonly oidcSessionMs: number;
}

/** Says which option is wrong, for the operator. */
export class OidcSettingsInvalid extends Error {
  readonly code = 'oidc_settings_invalid';
}

/**
 * @param secret LOADOUT_OIDC_CLIENT_SECRET; null: it is not given
 * @returns null: no provider is named
 * @throws OidcSettingsInvalid
 */
export function oidcSettings(flags: OidcFlags, secret: string | null): OidcSettings | null {
  const { oidcIssuer, oidcClientId, oidcPublicUrl, oidcRoles } = flags;
  const needed = {
    '--oidc-client-id': oidcClientId,
    '--oidc-public-url': oidcPublicUrl,
    '--oidc-roles': oidcRoles,
  };
  if (oidcIssuer === null) {
    const given = Object.entries(needed).find(([, value]) => value !== null)?.[0];
    const first = given ?? (secret === null ? null : 'LOADOUT_OIDC_CLIENT_SECRET');
    if (first === null) return null;
    throw new OidcSettingsInvalid(`${first} needs --oidc-issuer.`);
  }
  for (const [flag, value] of Object.entries(needed)) {
    if (value === null) throw new OidcSettingsInvalid(`--oidc-issuer needs ${flag}.`);
  }
  return {
    issuer: expectIssuer(oidcIssuer),
    clientId: oidcClientId ?? '',
    clientSecret: secret,
    publicOrigin: expectOrigin(oidcPublicUrl ?? ''),
    groupsClaim: flags.oidcGroupsClaim,
    groupRoles: expectGroupRoles(oidcRoles ?? ''),
    scopes: flags.oidcScopes,
    label: flags.oidcLabel,
    sessionMs: flags.oidcSessionMs,
  };
}

/** Over http, anybody on the way could sign in as anybody; loopback is for tests and sidecars. */
export function isSafeUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function expectSafe(text: string, flag: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isSafeUrl(url)) {
    throw new OidcSettingsInvalid(
      `${flag} must begin with https://; http:// is for loopback addresses only.`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new OidcSettingsInvalid(`${flag} has no user, query or fragment.`);
  }
  return url;
}

function expectIssuer(text: string): string {
  expectSafe(text, '--oidc-issuer');
  return text;
}

function expectOrigin(text: string): string {
  const url = expectSafe(text, '--oidc-public-url');
  if (url.pathname !== '/') {
    throw new OidcSettingsInvalid('--oidc-public-url has no path: the console is at the root.');
  }
  return url.origin;
}

function expectGroupRoles(text: string): readonly GroupRole[] {
  const parsed = parseGroupRoles(text);
  if (typeof parsed === 'string') throw new OidcSettingsInvalid(`--oidc-roles: ${parsed}`);
  return parsed;
}
