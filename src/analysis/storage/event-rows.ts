/** Makes rows of events: JSON texts with the columns of rows.ts and the name of their table. */
import type { EventLine, ExposureEvent, MetricEvent } from '../../published/event-line.js';
import type { ExperimentRules, ReportedRule, ResolvedExposure } from './experiment-rules.js';
import type { ForgottenUsers } from './forgotten-users.js';
import type { EventTable, ExposureRow, MetricEventRow } from './rows.js';
import { storable } from './storable.js';
import type { UserIds } from './user-ids.js';

export interface MadeRow {
  readonly table: EventTable;
  /** Without line breaks. */
  readonly json: string;
}

interface EventRowsParts {
  readonly experiments: ExperimentRules;
  readonly ids: UserIds;
  readonly forgotten: Pick<ForgottenUsers, 'has'>;
}

export class EventRows {
  readonly #parts: EventRowsParts;
  /** Entries of exposures whose rule was of no experiment at their time. */
  withoutExperiment = 0;

  constructor(parts: EventRowsParts) {
    this.#parts = parts;
  }

  /** One row per metric event; one per experiment of an exposure, and none for a user who was forgotten since. */
  of(line: EventLine): readonly MadeRow[] {
    if (this.#parts.forgotten.has(line)) return [];
    return line.e.t === 'metric' ? [this.#metricRow(line, line.e)] : this.#exposures(line, line.e);
  }

  // Rows are written out member by member: spreading what both have took twice as long.
  #metricRow({ r, env, u, k, p }: EventLine, { n, x, at, eid }: MetricEvent): MadeRow {
    const receivedAt = instantText(r);
    const row: Tabled<MetricEventRow> = {
      table: 'metric_events',
      environment: env,
      name: storable(n),
      u: storable(this.#parts.ids.idOf(u)),
      value: x,
      trusted: k === 1,
      at: instantText(at),
      received_at: receivedAt,
      day: receivedAt.slice(0, dayChars),
      eid: storable(eid),
      attributes: p === undefined ? null : storableValues(p),
    };
    return { table: row.table, json: JSON.stringify(row) };
  }

  #exposures(line: EventLine, { id, seg, at }: ExposureEvent): readonly MadeRow[] {
    const content = id.toLowerCase();
    const { env: environment, u } = line;
    return seg.flatMap(({ n: segment, v: variant }) => {
      if (typeof segment !== 'string' || typeof variant !== 'string') return [];
      const reported = { environment, content, segment, variant, u, at };
      const found = this.#parts.experiments.resolve(reported);
      if (found.length === 0) this.withoutExperiment += 1;
      return found.map((resolved) => this.#exposureRow(line, reported, resolved));
    });
  }

  #exposureRow(
    { r, e, p }: EventLine,
    { environment, content, variant, u, at }: ReportedRule,
    { experiment, phase, contradiction }: ResolvedExposure,
  ): MadeRow {
    const receivedAt = instantText(r);
    const row: Tabled<ExposureRow> = {
      table: 'exposures',
      environment,
      experiment,
      phase,
      variant: storable(variant),
      u: storable(this.#parts.ids.idOf(u)),
      at: instantText(at),
      received_at: receivedAt,
      day: receivedAt.slice(0, dayChars),
      content: storable(content),
      contradiction,
      eid: storable(e.eid),
      attributes: p === undefined ? null : storableValues(p),
    };
    return { table: row.table, json: JSON.stringify(row) };
  }
}

type Tabled<Row> = Row & { readonly table: EventTable };

const dayChars = 'YYYY-MM-DD'.length;
const msPerDay = 86_400_000;

/** The day that was asked for last: events of a file are of one, mostly. */
let knownDay = 0;
let knownDayText = '1970-01-01';

/** UTC, in the form that SQL databases read without being told: `2026-11-24 23:06:06.123`. */
export function instantText(ms: number): string {
  const day = Math.floor(ms / msPerDay);
  if (day !== knownDay) {
    knownDayText = new Date(ms).toISOString().slice(0, dayChars);
    knownDay = day;
  }
  const rest = ms - day * msPerDay;
  const seconds = Math.floor(rest / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${knownDayText} ${time}.${String(rest % 1_000).padStart(3, '0')}`;
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** @param number below 60 */
function two(number: number): string {
  return twoDigits[number] as string;
}

type Attributes = NonNullable<EventLine['p']>;

function storableValues(values: Attributes): Attributes {
  const kept: Record<string, Attributes[string]> = {};
  for (const [name, value] of Object.entries(values)) {
    kept[storable(name)] = typeof value === 'string' ? storable(value) : value;
  }
  return kept;
}
