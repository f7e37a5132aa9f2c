/** Texts of clients, as every sink can keep them. */

/** Almost all texts are printable ASCII. */
const isStorable = /^[ -~]*$/;
const notStorable = /[\0\p{Surrogate}]/gu;

/** DuckDB reads no half of a surrogate pair, and PostgreSQL keeps no U+0000: both become U+FFFD. */
export function storable(text: string): string {
  return isStorable.test(text) ? text : text.replace(notStorable, '\uFFFD');
}
