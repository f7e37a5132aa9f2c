/** Tables of users, tokens and sessions. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */

export interface UsersTable {
  id: string;
  name: string;
  role: 'owner' | 'editor' | 'viewer' | 'support';
  /** JSON array of the ids of the environments the role is for; null: all of them. */
  environments: string | null;
  createdAt: number;
}

export interface TokensTable {
  id: string;
  userId: string;
  /** SHA-256 of the token's text, lower-case hex. */
  hash: string;
  prefix: string;
  /** `environment`: it came from LOADOUT_ADMIN_TOKEN and is replaced when that changes. */
  source: 'made' | 'environment';
  createdAt: number;
  /** What it is for, in its maker's words. */
  label: string;
  /** To the minute or so: it is not written per request. */
  lastUsedAt: number | null;
}

/** Who is signed in at the console. */
export interface SessionsTable {
  id: string;
  /** The token it was made with, with which it ends. */
  tokenId: string;
  /** SHA-256 of the cookie's value, lower-case hex. */
  hash: string;
  createdAt: number;
  /** To a few minutes: it is not written per request. */
  usedAt: number;
  /** Whatever its use; null: as every session. */
  endsAt: number | null;
}

/** The person at an OpenID provider that a user is, since step 14. */
export interface UserIdentitiesTable {
  userId: string;
  issuer: string;
  subject: string;
  /** The token that the sessions stand for, whose text is not known to anyone; null: it was revoked. */
  tokenId: string | null;
}

/** Sign-ins through a provider that have made a session, until they would have expired. */
export interface SpentSignInsTable {
  /** SHA-256 of the attempt's state, lower-case hex. */
  hash: string;
  expiresAt: number;
}

/** What is known of a user since step 8. It outlives the user: whose approvals count depends on users that are gone, too. */
export interface UserOriginsTable {
  userId: string;
  /** By which revisions name their authors. */
  name: string;
  /** A program, such as CI: it cannot approve releases. */
  service: number;
  /** JSON array of the ids of users that made it, or decided that it is no program; the server itself is none. */
  madeBy: string;
}

/** Who made a token, since step 8. It outlives the token. */
export interface TokenOriginsTable {
  tokenId: string;
  createdBy: string;
}
