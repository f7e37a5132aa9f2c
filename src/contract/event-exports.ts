/** What can be exported of players' events, and how. */

/** As SQL names them (docs/warehouse.md). */
export const eventTableNames = ['exposures', 'metric_events'] as const;
export type EventTableName = (typeof eventTableNames)[number];

export const exportFormats = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];
