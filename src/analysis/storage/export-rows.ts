/** Writes rows of a table to a file for people. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ExportRequest } from '../process-messages.js';
import { rowsOfQuery } from './duckdb.js';
import { columnsOf, type EventTable } from './rows.js';
import { quoted } from './views.js';

const optionsOf = { ndjson: 'FORMAT json', csv: 'FORMAT csv, HEADER', parquet: 'FORMAT parquet' };

/**
 * @param rows a query for rows of the table
 * @returns how many there were
 */
export async function exportRows(
  connection: DuckDBConnection,
  { table, format, path }: Pick<ExportRequest, 'table' | 'format' | 'path'>,
  rows: string,
): Promise<number> {
  const written = format === 'csv' ? spreadsheetRows(table, rows) : rows;
  const [copied] = await rowsOfQuery(
    connection,
    `COPY (${written}) TO ${quoted(path)} (${optionsOf[format]})`,
  );
  return Number(copied?.['Count'] ?? 0);
}

/** A spreadsheet takes a text that begins so for a formula, and clients choose the texts (OWASP, CSV injection). */
const formulaStarts = ['=', '+', '-', '@', '\t', '\r', '\n'];

/** The same rows, with an apostrophe in front of such texts. */
function spreadsheetRows(table: EventTable, rows: string): string {
  const starts = formulaStarts.map((start) => `chr(${start.charCodeAt(0)})`).join(', ');
  const columns = columnsOf[table].map(({ name, duckdb }) =>
    duckdb === 'VARCHAR'
      ? `CASE WHEN left("${name}", 1) IN (${starts}) THEN '''' || "${name}" ELSE "${name}" END AS "${name}"`
      : `"${name}"`,
  );
  return `SELECT ${columns.join(', ')} FROM (${rows})`;
}
