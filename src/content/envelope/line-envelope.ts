/** What an envelope says: for every path of a version line, every value that any caller could be given. Types only. */

import type { JsonDocument } from '../json/document.js';
import type { ValueKind } from '../json/value-kind.js';
import type { AbstractValue } from './abstract-value.js';

export type JsonType = ValueKind;

/** One version line as it is written. */
export interface LineJson {
  /** Such as `1.2.0`. */
  readonly version: string;
  readonly document: JsonDocument;
}

/** Where a value is written. */
export interface ValueSource {
  /** Index of the rule in the mapping, from 0; null: the version line itself. */
  readonly rule: number | null;
  /** The rule's segment; null: the version line itself. */
  readonly segment: string | null;
  /** The rule's variant; null: the rule has none, or the version line itself. */
  readonly variant: string | null;
}

/** The lowest or the highest number of a path. */
export interface NumberBound {
  /** A double, as clients read it; infinite where the text is beyond doubles. */
  readonly value: number;
  readonly source: ValueSource;
}

/** The values of one path. */
export interface PathEnvelope {
  /** JSON Pointer; `*` stands for every element of an array. */
  readonly path: string;
  readonly types: readonly JsonType[];
  /** Every caller is given it, wherever its elements (`*`) are there. */
  readonly isAlwaysThere: boolean;
  /** Null: no number is given. */
  readonly min: NumberBound | null;
  readonly max: NumberBound | null;
  /** JSON texts of the scalars, at most `textsListedMax`; null: there are more, or longer ones. */
  readonly texts: readonly string[] | null;
}

/** The values of one version line. */
export interface LineEnvelope {
  readonly version: string;
  /** What follows is derived from: the possible values, with their structure. */
  readonly root: AbstractValue;
  /** True: the mapping is too costly to follow, and any value is possible; `paths` holds the root alone. */
  readonly isUnbounded: boolean;
  /** By `path`, in the order of the document; computed when first read. At most `pathsListedMax`. */
  readonly paths: ReadonlyMap<string, PathEnvelope>;
  /** `paths` lacks some: there are more than `pathsListedMax`. */
  readonly isTruncated: boolean;
}
