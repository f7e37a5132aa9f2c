/** Events of players: where they are, what is taken out of them, and whom they forget. */
import { z } from 'zod';
import { eventTableNames, exportFormats } from '../event-exports.js';
import { operation } from '../operation.js';
import { environmentParams } from '../schemas/common.js';

const tag = 'operations';
const countSchema = z.int().min(0);
const daySchema = z.iso.date().describe('UTC day of receipt, `YYYY-MM-DD`, inclusive.');
/** As the body of `POST /api/v1/events` takes them. */
const userIdCharsMax = 65_536;

const statusSchema = z.object({
  to: z
    .enum(['local', 'postgres', 'http', 'off'])
    .describe('Where events go (`--events-to`); `http`: to a collector.'),
  state: z
    .enum(['ok', 'failing', 'disk_full', 'sink_unavailable', 'duckdb_unavailable', 'off'])
    .describe(
      'Whether they are stored at present. `sink_unavailable`: the database or the collector does not take them. `duckdb_unavailable`: this machine has no DuckDB. They wait in files meanwhile.',
    ),
  detail: z
    .string()
    .nullable()
    .describe('What the last attempt failed with; for owners of the server.'),
  failingSince: z.string().nullable(),
  storedAt: z.string().nullable().describe('When a batch was stored last, since the start.'),
  waiting: z
    .object({ files: countSchema, bytes: countSchema, oldestAt: z.string().nullable() })
    .describe('Sealed event files that are not stored yet.'),
  sinceStart: z.object({
    events: countSchema,
    exposures: countSchema.describe('Rows.'),
    metricEvents: countSchema.describe('Rows.'),
    withoutExperiment: countSchema.describe(
      'Entries of exposures whose rule was of no experiment.',
    ),
    unreadable: countSchema.describe('Lines of damaged files.'),
    filesSetAside: countSchema,
    filesDropped: countSchema.describe('For want of room, before they were stored.'),
    failures: countSchema,
  }),
  stored: z
    .object({ exposuresBytes: countSchema, metricEventsBytes: countSchema })
    .nullable()
    .describe('Parquet files; null elsewhere, and before they were counted.'),
});

export type EventsStatusJson = z.output<typeof statusSchema>;

export const getEventsStatus = operation('GET /events', {
  tag,
  operationId: 'getEventsStatus',
  description: 'How the server that responds stores the events of players.',
  role: 'viewer',
  // It holds nothing of an environment, so it is the same for all users.
  scoped: true,
  responses: { 200: statusSchema },
});

export const listEventNames = operation('GET /environments/:env/events/names', {
  tag,
  operationId: 'listEventNames',
  description:
    'Names of the metric events that players of an environment sent in the last 7 days, the most frequent first, at most 300: what metrics can be made of. With `--events-to local`, of those that this server received.',
  role: 'viewer',
  head: false,
  params: environmentParams,
  responses: {
    200: z.object({
      names: z.array(z.string()).readonly(),
      namesCut: z.boolean().describe('There are more than are listed.'),
    }),
  },
  problems: ['events_off', 'analysis_busy', 'analysis_failed'],
});

export const exportEvents = operation('GET /environments/:env/events/export', {
  tag,
  operationId: 'exportEvents',
  description:
    'Gives the stored events of an environment as one file, each event once. They are personal data. Those of a deleted environment stay until retention removes them, and can be exported until then. With `--events-to local`, a server has only those that it received itself. CSV is for spreadsheets: a text that they would take for a formula has an apostrophe in front.',
  role: 'owner',
  head: false,
  params: environmentParams,
  query: z.object({
    table: z.enum(eventTableNames).default('exposures'),
    format: z.enum(exportFormats).default('ndjson'),
    from: daySchema.optional(),
    to: daySchema.optional(),
  }),
  responses: { 200: z.string().meta({ format: 'binary', description: 'The file.' }) },
  responseType: 'application/octet-stream',
  problems: ['events_off', 'analysis_busy', 'analysis_failed'],
});

export const forgetUser = operation('POST /environments/:env/events/forget', {
  tag,
  operationId: 'forgetEventsOfUser',
  description:
    'Removes the events of a user: stored ones, those that wait, and those that were received before and are on the way; also of an environment that is deleted. With `--events-to local`, the events that this server received; with a collector, what was not sent yet.',
  role: 'owner',
  params: environmentParams,
  body: z.strictObject({
    u: z.string().min(1).max(userIdCharsMax).describe('User id, as clients send it.'),
  }),
  responses: { 200: z.object({ rows: countSchema.describe('Stored rows that were removed.') }) },
  problems: ['events_off', 'analysis_busy', 'analysis_failed'],
});
