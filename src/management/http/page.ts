/** Cuts the rows that a listing read into the page that it returns. */

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Id of its last row, with which the next page begins; null: it is the last page. */
  readonly next: string | null;
}

/** @param found up to `limit + 1` rows: one more than the page has shows that there is another page */
export function pageOf<Row extends { readonly id: string }>(
  found: readonly Row[],
  limit: number,
): Page<Row> {
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
