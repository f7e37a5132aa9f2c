/** What management writes to the read model: the new state of one thing, or that it is gone. Types only. */

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

/** A content item that is live. */
export interface PublishedContent {
  readonly kind: 'content';
  readonly environment: string;
  /** The spelling it was created with; contents are matched by its lower-case form. */
  readonly id: string;
  /** At least one, ascending by version. */
  readonly lines: readonly PublishedLine[];
  /** The dynamic mapping as it was sent (JSON text), or '' without one. */
  readonly mapping: string;
  /** JSON Pointers to the values that OFREP's bulk evaluation lists, in its order. */
  readonly flags: readonly string[];
}

export type PublishedChange =
  | { readonly kind: 'environment'; readonly environment: string }
  /** The environment and everything in it. */
  | { readonly kind: 'environment-removed'; readonly environment: string }
  | {
      readonly kind: 'key';
      readonly environment: string;
      /** SHA-256 of the key's text, lower-case hex. */
      readonly keyHash: string;
      /** Milliseconds since the epoch, or null: never expires. */
      readonly expiresAtMs: number | null;
    }
  | { readonly kind: 'key-removed'; readonly keyHash: string }
  | {
      readonly kind: 'segment';
      readonly environment: string;
      readonly name: string;
      /** The saved condition, JSON text. */
      readonly when: string;
    }
  | { readonly kind: 'segment-removed'; readonly environment: string; readonly name: string }
  | PublishedContent
  | { readonly kind: 'content-removed'; readonly environment: string; readonly id: string };
