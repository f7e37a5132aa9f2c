/**
 * The primary metric day by day: its sums with what was received until the end of each day. SQL gives what each day adds to each arm's sums; a
 * user joins on the day of the first exposure's receipt or, of a metric with a window, on the day on which the window is complete.
 */
import type { AnalysisMetric, CumulativeSums } from '../messages.js';
import type { EventDatabase, SqlRow } from './event-database.js';
import { armOf } from './exposed-users.js';
import { firstMsMax, type Scope, storedEvents, valueExpressions } from './metric-values.js';
import { windowOf } from './metric-window.js';
import { daysInMs, integer, isoDay, Statement } from './statement.js';

const sumNames = ['n', 'sum_x', 'sum_xx', 'sum_y', 'sum_yy', 'sum_xy'] as const;

/**
 * @param metric whose events `storeEvents` has stored
 * @param cut where the final values are winsorised; null: they are not
 */
export async function cumulativeSums(
  database: EventDatabase,
  metric: AnalysisMetric,
  scope: Scope,
  variants: readonly string[],
  cut: number | null,
): Promise<CumulativeSums[]> {
  const joined = new Statement();
  const joins = await joined.run(database, joinsSql(database, metric, scope));
  const added = new Statement();
  const values = await added.run(database, addedSql(added, database, metric, cut));
  return cumulate(variants, [...joins, ...values], isoDay(scope.horizonMs));
}

function joinedDay({ dialect }: EventDatabase, metric: AnalysisMetric): string {
  const { untilMs } = windowOf(metric);
  return untilMs === null
    ? 'u.day'
    : `greatest(u.day, ${dialect.dayOf(`u.first_ms + ${integer(untilMs)}`)})`;
}

function joinsSql(database: EventDatabase, metric: AnalysisMetric, scope: Scope): string {
  const latest = firstMsMax(metric, scope);
  const day = joinedDay(database, metric);
  return `select u.arm, cast(${day} as varchar) as day, cast(count(*) as float8) as n
    from loadout_users u ${latest === null ? '' : `where u.first_ms <= ${integer(latest)}`}
    group by u.arm, ${day}`;
}

function addedSql(
  statement: Statement,
  database: EventDatabase,
  metric: AnalysisMetric,
  cut: number | null,
): string {
  const { x, y } = valueExpressions(statement, metric, 'post');
  const day = `greatest(c.day, ${joinedDay(database, metric)})`;
  return `with ${storedEvents},
    steps as (select c.uid, u.arm, ${day} as day, ${x} as x, ${y} as y
      from counted c join loadout_users u on u.uid = c.uid
      where c.post group by c.uid, u.arm, ${day}),
    so_far as (select uid, arm, day,
      sum(x) over (partition by uid order by day) as x, sum(y) over (partition by uid order by day) as y
      from steps),
    cut_values as (select uid, arm, day, ${cutSoFar(metric, cut)} as x, y from so_far),
    changes as (select arm, day, x, y,
      coalesce(lag(x) over (partition by uid order by day), 0) as x_before,
      coalesce(lag(y) over (partition by uid order by day), 0) as y_before
      from cut_values)
    select arm, cast(day as varchar) as day,
      cast(sum(x - x_before) as float8) as sum_x, cast(sum(x * x - x_before * x_before) as float8) as sum_xx,
      cast(sum(y - y_before) as float8) as sum_y, cast(sum(y * y - y_before * y_before) as float8) as sum_yy,
      cast(sum(x * y - x_before * y_before) as float8) as sum_xy
    from changes group by arm, day`;
}

/** Of conversion and retention a user counts once, however many days have an event. */
function cutSoFar({ kind }: AnalysisMetric, cut: number | null): string {
  if (kind === 'conversion' || kind === 'retention') return 'least(x, 1)';
  return cut === null ? 'x' : `least(x, cast('${cut}' as float8))`;
}

/** Adds up what each day brought, for every day from the first that did until `lastDay`, or later if events came later. */
function cumulate(
  variants: readonly string[],
  rows: readonly SqlRow[],
  lastDay: string,
): CumulativeSums[] {
  if (rows.length === 0) return [];
  const totals = new Map<number, Map<string, number>>();
  for (const { arm } of rows.toSorted((a, b) => Number(a['arm']) - Number(b['arm'])))
    totals.set(Number(arm), new Map());
  const days = daysOf([...rows.map((row) => String(row['day'])), lastDay]);
  return days.flatMap((day) => {
    for (const row of rows) if (row['day'] === day) add(totals.get(Number(row['arm'])), row);
    return [...totals].map(([arm, sums]) => ({
      day,
      ...armOf(variants, arm),
      n: sums.get('n') ?? 0,
      sumX: sums.get('sum_x') ?? 0,
      sumXX: sums.get('sum_xx') ?? 0,
      sumY: sums.get('sum_y') ?? 0,
      sumYY: sums.get('sum_yy') ?? 0,
      sumXY: sums.get('sum_xy') ?? 0,
      pre: null,
    }));
  });
}

function add(sums: Map<string, number> | undefined, row: SqlRow): void {
  for (const name of sumNames) sums?.set(name, (sums.get(name) ?? 0) + Number(row[name] ?? 0));
}

function daysOf(days: readonly string[]): string[] {
  const times = days.map((day) => Date.parse(day));
  const all = [];
  for (let at = Math.min(...times); at <= Math.max(...times); at += daysInMs(1))
    all.push(isoDay(at));
  return all;
}
