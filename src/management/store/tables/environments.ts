/** Tables of environments, and of what is set up in each. Times are milliseconds since the epoch, booleans 0 or 1, JSON is text. */

export interface EnvironmentsTable {
  id: string;
  name: string;
  protected: number;
  createdAt: number;
}

export interface ApiKeysTable {
  id: string;
  environment: string;
  label: string;
  /** The first characters, by which people recognise keys. */
  prefix: string;
  /** SHA-256 of the key's text, lower-case hex. */
  hash: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** User contexts that a team tries the contents of an environment with. */
export interface SampleUsersTable {
  environment: string;
  name: string;
  /** JSON object with `u`, `p` and `v`, as far as they were given. */
  context: string;
  createdAt: number;
  updatedAt: number;
}

/** Names of attributes that requests have carried. Never their values, nor whose they are. */
export interface SeenAttributesTable {
  environment: string;
  name: string;
  /** Beginning of the day (UTC) on which a request carried it last. */
  lastSeen: number;
}

/** Frequent values of attributes that requests have carried, none of which says who a player is (D111). */
export interface SeenValuesTable {
  environment: string;
  name: string;
  /** Requests that were looked at and carried the attribute; what is older counts for less. */
  looked: number;
  /** JSON array of `[value as JSON text, count]`. */
  counts: string;
  /** Beginning of the day (UTC) on which they were counted last. */
  lastSeen: number;
}

/** What environments keep of the user contexts that requests carry. A table of its own as `ReviewPoliciesTable`. */
export interface TrafficPoliciesTable {
  environment: string;
  /** As in `trafficKeptKinds`. */
  kept: string;
}

/**
 * Environments in which players see nothing without approvals. A table of its own, as the next two: servers of earlier versions
 * select all columns of `environments`, `users` and `tokens`, and PostgreSQL ends such a statement when a column is added.
 */
export interface ReviewPoliciesTable {
  environment: string;
  /** Approvals that a release needs, at least 1. */
  required: number;
}

/** Environments in which findings have to be confirmed. A table of its own for the same reason. */
export interface ConfirmPoliciesTable {
  environment: string;
}

/** Layers and holdout of an environment. A table of its own as `ReviewPoliciesTable`. */
export interface EnvironmentLayersTable {
  environment: string;
  /** JSON array of `{name, salt}`. */
  layers: string;
  /** JSON of `{salt, groups}`, or null. */
  holdout: string | null;
}

/** What layers and holdout an environment had: each row is in force until the next one. Without a row it never had any. */
export interface LayerPublicationsTable {
  environment: string;
  at: number;
  /** JSON of `Layers`; null: not known, because a server of an older version has changed them. */
  definition: string | null;
}

/**
 * Keys that are not for games. A table of its own as `ReviewPoliciesTable`: servers of earlier versions select all columns of
 * `api_keys`, too. A key without a row is a game's.
 */
export interface KeyPurposesTable {
  keyId: string;
  purpose: 'events';
}
