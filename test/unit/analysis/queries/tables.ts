/** The tables of events, made of plain rows in either database by the same SQL. */
import { columnsOf, type EventTable, eventTables } from '../../../../src/analysis/storage/rows.js';
import type { Rows } from './oracle.js';

/** SQL that makes the tables, empty. */
export function createTables(types: 'duckdb' | 'postgres'): string[] {
  return eventTables.map((table) => {
    const columns = columnsOf[table].map((column) => `"${column.name}" ${column[types]}`);
    return `create table ${table} (${columns.join(', ')})`;
  });
}

/** SQL that puts `rows` in the place of what the tables have. */
export function fillTables({ exposures, metricEvents }: Rows): string[] {
  return [
    ...eventTables.map((table) => `delete from ${table}`),
    ...insert('exposures', exposures),
    ...insert('metric_events', metricEvents),
  ];
}

function insert(table: EventTable, rows: readonly object[]): string[] {
  if (rows.length === 0) return [];
  const tuples = rows.map((row) => {
    const values = columnsOf[table].map(({ name }) => literal(Reflect.get(row, name)));
    return `(${values.join(', ')})`;
  });
  return [`insert into ${table} values ${tuples.join(', ')}`];
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}
