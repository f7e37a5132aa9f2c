/** The groups of a person in the claims of an id token or of userinfo. Pure. */

/** Claims as the library has checked them. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * `absent`: nothing names them. `elsewhere`: the provider leaves a long list out and names another place, as Entra ID does
 * for people in more than 200 groups (`_claim_names`, OpenID Connect Core 1.0, section 5.6.2). `unreadable`: not text.
 */
export type ClaimedGroups = readonly string[] | 'absent' | 'elsewhere' | 'unreadable';

export function claimedGroups(claims: Claims, claim: string): ClaimedGroups {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (value === undefined || value === null) {
    const sources = claims['_claim_names'];
    const isElsewhere =
      typeof sources === 'object' && sources !== null && Object.hasOwn(sources, claim);
    return isElsewhere ? 'elsewhere' : 'absent';
  }
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return 'unreadable';
  return value.every((group) => typeof group === 'string') ? value : 'unreadable';
}
