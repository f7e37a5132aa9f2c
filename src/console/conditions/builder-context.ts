/** What all controls of a condition builder know, and how they name the places of rules. */

export interface BuilderContext {
  readonly attributes: readonly string[];
  /** Whether anything else has the attribute of that name. */
  readonly isUsed: (field: string) => boolean;
  /** The rule that was added last takes the focus. */
  readonly added: { id: string | null };
}

/** `2.1`: the first rule of the second group. */
export function wordPath(path: readonly number[]): string {
  return path.map((place) => place + 1).join('.');
}
