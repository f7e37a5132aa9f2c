/** What an operator says of an OpenID provider: wrong combinations are rejected in words, at the start. */
import { describe, expect, it } from 'vitest';
import { type OidcFlags, oidcSettings } from '../../../../src/management/oidc/oidc-settings.js';

const none: OidcFlags = {
  ...{ oidcIssuer: null, oidcClientId: null, oidcPublicUrl: null, oidcRoles: null },
  ...{ oidcGroupsClaim: 'groups', oidcScopes: [], oidcLabel: 'single sign-on' },
  oidcSessionMs: 36_000_000,
};
const all: OidcFlags = {
  ...none,
  oidcIssuer: 'https://sso.example.com/realms/studio',
  oidcClientId: 'loadout',
  oidcPublicUrl: 'https://loadout.example.com',
  oidcRoles: 'admins=owner',
};

describe('the options of an OpenID provider', () => {
  it('are none, or complete, with a secret or without', () => {
    expect(oidcSettings(none, null)).toBeNull();
    expect(oidcSettings(all, 'secret')).toEqual({
      issuer: 'https://sso.example.com/realms/studio',
      clientId: 'loadout',
      clientSecret: 'secret',
      publicOrigin: 'https://loadout.example.com',
      groupsClaim: 'groups',
      groupRoles: [{ group: 'admins', role: 'owner', environments: null }],
      scopes: [],
      label: 'single sign-on',
      sessionMs: 36_000_000,
    });
    expect(oidcSettings(all, null)?.clientSecret).toBeNull();
    const local = { oidcIssuer: 'http://localhost:8080', oidcPublicUrl: 'http://127.0.0.1:8081/' };
    expect(oidcSettings({ ...all, ...local }, null)?.publicOrigin).toBe('http://127.0.0.1:8081');
  });

  it.each<readonly [Partial<OidcFlags>, string]>([
    [{ oidcIssuer: null }, '--oidc-client-id needs --oidc-issuer.'],
    [{ oidcClientId: null }, '--oidc-issuer needs --oidc-client-id.'],
    [{ oidcPublicUrl: null }, '--oidc-issuer needs --oidc-public-url.'],
    [{ oidcRoles: null }, '--oidc-issuer needs --oidc-roles.'],
    [{ oidcIssuer: 'http://sso.example.com' }, '--oidc-issuer must begin with https://'],
    [{ oidcIssuer: 'http://127.0.0.1.example.com' }, '--oidc-issuer must begin with https://'],
    [{ oidcIssuer: 'https://user:pw@sso.example.com' }, 'has no user, query or fragment'],
    [{ oidcIssuer: 'sso' }, '--oidc-issuer must begin with https://'],
    [{ oidcPublicUrl: 'http://loadout.example.com' }, '--oidc-public-url must begin with https://'],
    [{ oidcPublicUrl: 'https://example.com/loadout' }, '--oidc-public-url has no path'],
    [{ oidcRoles: 'admins=root' }, '--oidc-roles: "admins=root"'],
  ])('are rejected when wrong: %j', (change, words) => {
    expect(() => oidcSettings({ ...all, ...change }, 'a-secret')).toThrow(words);
    expect(() => oidcSettings({ ...all, ...change }, 'a-secret')).not.toThrow('a-secret');
  });

  it('are rejected where there is a secret and nobody to send it to', () => {
    expect(() => oidcSettings(none, 'x')).toThrow('LOADOUT_OIDC_CLIENT_SECRET needs --oidc-issuer');
  });
});
