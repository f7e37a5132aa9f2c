/** The context of a builder's controls, and the numbers of its conditions. */
import type { FrequentValue } from './value-options.js';

export interface BuilderContext {
  readonly attributes: readonly string[];
  /** Why the attribute may be misspelled; null: no reason. */
  readonly doubtOf: (field: string) => string | null;
  /** Its frequent values in requests. */
  readonly valuesOf: (field: string) => readonly FrequentValue[];
  /** The condition that was added last, which takes the focus. */
  readonly added: { id: string | null };
}

/** `2.1`: the first condition of the second bracket. */
export function formatPath(path: readonly number[]): string {
  return path.map((place) => place + 1).join('.');
}
