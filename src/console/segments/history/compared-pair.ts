/** Which two revisions of a segment are shown beside each other. Pure. */

interface Numbered {
  readonly revision: number;
}

export interface ComparedPair {
  readonly from: number;
  readonly to: number;
}

/**
 * What was chosen; else the newest and the one before it, which need not be one less: retention may have removed some.
 * @param rows newest first
 */
export function comparedPair(
  rows: readonly Numbered[],
  chosen: Partial<ComparedPair>,
): ComparedPair {
  const to = chosen.to ?? rows[0]?.revision ?? 1;
  const before = rows.find(({ revision }) => revision < to)?.revision ?? to;
  return { from: chosen.from ?? before, to };
}
