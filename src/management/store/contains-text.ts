/** Looks for a text in a column, in whatever case, the same way in both databases. */
import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * Passes everything that contains the text, and perhaps more: databases agree on the cases of ASCII only, so other characters
 * are compared afterwards.
 * @param text in lower case
 */
export function containsText(column: Expression<unknown>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(special, '!$&').replace(beyondAscii, '%')}%`;
  return sql<SqlBool>`lower(${column}) like ${pattern} escape '!'`;
}

const special = /[!%_]/g;
const beyondAscii = /[^ -~]+/g;
