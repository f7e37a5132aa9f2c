/** A guard: what the author of a content item allows its values to be; and what a check found. Types only. */

import type { JsonType } from '../envelope/line-envelope.js';

/** What a finding does to a save: it is shown, asks for a confirmation, or asks for a second person. */
export type GuardSeverity = 'warn' | 'block' | 'approve';

export interface Guard {
  /** JSON Pointer; the token `*` matches one name or element, `**` any number of them. */
  readonly path: string;
  readonly min?: number;
  readonly max?: number;
  readonly type?: JsonType | readonly JsonType[];
  /** Any JSON values; compared as JSON. */
  readonly enum?: readonly unknown[];
  /** Every caller is given the path. */
  readonly required?: true;
  /** How far the lowest and the highest number may move: by a factor (above 1), or by a difference (at least 0). */
  readonly maxChange?: { readonly factor?: number; readonly by?: number };
  readonly severity: GuardSeverity;
}

/** The first two are always on; the others are a guard's. */
export type GuardFindingKind =
  | 'type_changed'
  | 'factor'
  | 'min'
  | 'max'
  | 'type'
  | 'enum'
  | 'required'
  | 'max_change';

export interface GuardFinding {
  readonly kind: GuardFindingKind;
  readonly severity: GuardSeverity;
  /** The version line. */
  readonly version: string;
  /** JSON Pointer, with `*` where the elements of an array were taken together. */
  readonly path: string;
  /** One sentence, with the values and where they are written. */
  readonly message: string;
}
