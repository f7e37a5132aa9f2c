/**
 * The two tables of events, row by row: the same columns in Parquet, in PostgreSQL and in what an HTTP collector is sent
 * (D97). `at` is a reserved word of DuckDB: SQL quotes it (`"at"`) or qualifies it (`e.at`).
 */
import { eventTableNames } from '../../contract/event-exports.js';
import type { EventAttribute } from '../../published/event-line.js';

export const eventTables = eventTableNames;
export type EventTable = (typeof eventTables)[number];

interface EventRow {
  readonly environment: string;
  /** User id as the client sent it, or its keyed hash (user-ids.ts). Never empty. */
  readonly u: string;
  /** When it happened by the client's clock, within [received_at - 7 days, received_at]: `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
  readonly at: string;
  /** When the server received it, in the same form. */
  readonly received_at: string;
  /** UTC day of `received_at`, `YYYY-MM-DD`. */
  readonly day: string;
  /** Chosen by the client; the same event sent again has the same. */
  readonly eid: string;
  readonly attributes: Readonly<Record<string, EventAttribute>> | null;
}

/** A player saw what an experiment's rule gave. */
export interface ExposureRow extends EventRow {
  readonly experiment: string;
  /** Of the experiment, valid at `at`; from 1. */
  readonly phase: number;
  /** As the client reported it. */
  readonly variant: string;
  /** Content id, lower case. */
  readonly content: string;
  /** The variant is not the one that the phase's rule gives this user. */
  readonly contradiction: boolean;
}

export interface MetricEventRow extends EventRow {
  readonly name: string;
  readonly value: number;
  /** It came with an events key, which no game carries. */
  readonly trusted: boolean;
}

interface Column {
  readonly name: string;
  /** Its type in DuckDB, and so in Parquet. */
  readonly duckdb: string;
  readonly postgres: string;
}

const text = (name: string): Column => ({ name, duckdb: 'VARCHAR', postgres: 'text' });
const instant = (name: string): Column => ({
  name,
  duckdb: 'TIMESTAMP',
  postgres: 'timestamp(3)',
});
const flag = (name: string): Column => ({ name, duckdb: 'BOOLEAN', postgres: 'boolean' });
const day: Column = { name: 'day', duckdb: 'DATE', postgres: 'date' };
const attributes: Column = { name: 'attributes', duckdb: 'JSON', postgres: 'jsonb' };

/** In the order of the tables. */
export const columnsOf: Readonly<Record<EventTable, readonly Column[]>> = {
  exposures: [
    text('environment'),
    text('experiment'),
    { name: 'phase', duckdb: 'INTEGER', postgres: 'integer' },
    text('variant'),
    text('u'),
    instant('at'),
    instant('received_at'),
    day,
    text('content'),
    flag('contradiction'),
    text('eid'),
    attributes,
  ],
  metric_events: [
    text('environment'),
    text('name'),
    text('u'),
    { name: 'value', duckdb: 'DOUBLE', postgres: 'double precision' },
    instant('at'),
    instant('received_at'),
    day,
    flag('trusted'),
    text('eid'),
    attributes,
  ],
};

/** What makes a row the same event as another: it is kept once. */
export const keyOf: Readonly<Record<EventTable, readonly string[]>> = {
  exposures: ['environment', 'experiment', 'u', 'eid'],
  metric_events: ['environment', 'u', 'eid'],
};
