/** The context of a builder's controls, and the numbers of its conditions. */

export interface BuilderContext {
  readonly attributes: readonly string[];
  /** Whether anything else uses the attribute. */
  readonly isUsed: (field: string) => boolean;
  /** The condition that was added last, which takes the focus. */
  readonly added: { id: string | null };
}

/** `2.1`: the first condition of the second bracket. */
export function formatPath(path: readonly number[]): string {
  return path.map((place) => place + 1).join('.');
}
