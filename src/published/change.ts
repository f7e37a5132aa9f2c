/** What management writes to the read model: the new state of one thing, or that it is gone. Types only. */

import type { EnvironmentSettings } from './environment-settings.js';

/** One app-version line of a published content, with the bytes it delivers. */
export interface PublishedLine {
  /** Minimum app version, `X.Y.Z`. */
  readonly version: string;
  /** SHA-256 of `json`, lower-case hex: the body's address. */
  readonly digest: string;
  /** The hash that clients see, 16 lower-case hex digits (`content/hash.ts`). */
  readonly hash: string;
  /** Delivered JSON: minified, byte-faithful, UTF-8. */
  readonly json: Uint8Array;
}

/** What a content item delivers: live, or as the candidate of a release. */
export interface PublishedDelivery {
  /** Ascending by version. */
  readonly lines: readonly PublishedLine[];
  /** The dynamic mapping as it was sent (JSON text), or '' without one. */
  readonly mapping: string;
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
}

/** What a ramping release delivers of a content item to the callers that are in. */
export interface PublishedCandidate {
  /** Id of the release. */
  readonly release: string;
  /** Counts the starts of the release's ramp, from 1. */
  readonly run: number;
  /** One for each release, random: membership survives pause, stop and start. */
  readonly salt: string;
  /** Callers whose bucket under the salt is below it are in: 0 to 1000. */
  readonly permille: number;
  /** Counts the steps of the ramp, from 0. */
  readonly step: number;
  /** Whether refresh and stream responses carry receipts. */
  readonly receipts: boolean;
  /** Null: the release deletes the content item, so callers that are in have none. */
  readonly content: PublishedDelivery | null;
}

/** A content item that is live, or that a ramping release has a candidate for. */
export interface PublishedContent extends PublishedDelivery {
  readonly kind: 'content';
  readonly environment: string;
  /** The spelling it was created with; contents are matched by its lower-case form. */
  readonly id: string;
  /** Ascending by version; empty where nothing is live, and only a candidate is there. */
  readonly lines: readonly PublishedLine[];
  /** Null: no release that ramps changes it. */
  readonly candidate: PublishedCandidate | null;
}

/**
 * What a key is for. A `game` key goes out with a game: anyone can read it there. An `events` key never leaves the studio's own
 * servers, and opens nothing but `POST /api/v1/events`.
 */
export type KeyPurpose = 'game' | 'events';

export type PublishedChange =
  /** The environment is there, with these settings: a new one, or one whose settings are others. */
  | {
      readonly kind: 'environment';
      readonly environment: string;
      readonly settings: EnvironmentSettings;
    }
  /** The environment and everything in it. */
  | { readonly kind: 'environment-removed'; readonly environment: string }
  | {
      readonly kind: 'key';
      readonly environment: string;
      /** SHA-256 of the key's text, lower-case hex. */
      readonly keyHash: string;
      /** Milliseconds since the epoch, or null: never expires. */
      readonly expiresAtMs: number | null;
      readonly purpose: KeyPurpose;
    }
  | { readonly kind: 'key-removed'; readonly keyHash: string }
  | {
      readonly kind: 'segment';
      readonly environment: string;
      readonly name: string;
      /** The saved condition, JSON text; null: it is not live, and only candidates see one. */
      readonly when: string | null;
      /** The condition that candidates see, JSON text; null: the live one. */
      readonly candidate: string | null;
    }
  | { readonly kind: 'segment-removed'; readonly environment: string; readonly name: string }
  | PublishedContent
  | { readonly kind: 'content-removed'; readonly environment: string; readonly id: string };
