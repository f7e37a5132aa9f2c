/** A database with the tables `exposures` and `metric_events`, asked in the SQL that DuckDB and PostgreSQL share. */

export type SqlValue = string | number | boolean | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** The few expressions that the two write differently. */
export interface Dialect {
  /** Milliseconds since 1970 of a timestamp, as a 64-bit integer. */
  epochMs(timestamp: string): string;
  /** UTC day of milliseconds since 1970. */
  dayOf(epochMs: string): string;
  /**
   * What stands for a text where texts would take most of the time and memory of an analysis: equal for equal texts, and
   * different for different ones, but for a chance of 1 in 2^64.
   */
  shortKey(text: string): string;
  readonly shortKeyType: string;
  /** For an order by bytes, whatever the database's collation. */
  byBytes(text: string): string;
}

/** One transaction: what it makes is temporary, and gone at its end. */
export interface EventDatabase {
  readonly dialect: Dialect;
  /** A metric event may be in several rows: each is to be counted once. */
  readonly mayRepeat: boolean;
  /**
   * Counts and sums come as JavaScript numbers: the SQL casts them to `float8`. Days come as `YYYY-MM-DD`: the SQL casts them to `varchar`.
   * @param parameters of `$1`, `$2`, …
   */
  query(sql: string, parameters: readonly string[]): Promise<readonly SqlRow[]>;
}
