/** What a dynamic mapping says, rule by rule, once it has been read. Types only; `mapping.ts` makes them. */

import type { BucketRange } from '../bucket.js';
import type { Condition } from '../condition/condition.js';
import type { JsonDocument } from '../json/document.js';
import type { MutationKind } from '../mutation/mutation.js';
import type { Window } from './window.js';

/** A change to the delivered JSON, as it was written. */
export interface MutationSource {
  readonly kind: MutationKind;
  /** The value of `merge`, `patch` or `replace`: its own bytes, minified and otherwise untouched. */
  readonly document: JsonDocument;
  /** SHA-256 of the kind and the bytes, lower-case hex: equal mutations are the same everywhere. */
  readonly digest: string;
}

/** One arm of an A/B test: the users of buckets `from` to `to`, both included. */
export interface Variant {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Reported as `i` instead of the rule's; null when none of its own is configured. */
  readonly info: string | null;
  /** Null: a control variant, which is reported and changes nothing. */
  readonly mutation: MutationSource | null;
}

/** It applies while its window is open. */
export interface Rule extends Window {
  /** Reported as `n`; the name of the saved segment where `condition` is null. */
  readonly segment: string;
  /** Null: the environment's saved segment of that name decides. */
  readonly condition: Condition | null;
  /** Reported as `i`, unless the variant has its own; null when none is configured. */
  readonly info: string | null;
  /** What the bucket is computed with; null: it is the caller's `mod`. */
  readonly salt: string | null;
  /** Name of the layer that it takes players of; null: it is in none. */
  readonly layer: string | null;
  /** Its buckets in the layer; null without one. */
  readonly slice: BucketRange | null;
  /** Players of the environment's holdout take no part. */
  readonly holdout: boolean;
  /** Null: everyone in the segment gets `mutation`. */
  readonly variants: readonly Variant[] | null;
  readonly mutation: MutationSource | null;
}
