/**
 * SQL for what each user of `loadout_users` has of a metric. The steps are common table expressions, each of which says what it has a row for:
 *
 *   received     an event that counts (`post`) or came before the first exposure (not `post`), once however often it is there
 *   counted      the same without those beyond the cap per user and day
 *   user_values  a user with any: x, y (below the line of a ratio), p and h (before the first exposure)
 *   cut          one row: where winsorising cuts
 */
import type { AnalysisMetric } from '../messages.js';
import type { EventDatabase } from './event-database.js';
import { receivedFrom } from './exposed-users.js';
import { hasPrePeriod, preMs, windowOf, winsoriseOf } from './metric-window.js';
import { integer, Statement } from './statement.js';

/** The period whose events are looked at, and whose they are. */
export interface Scope {
  readonly environment: string;
  readonly startedAtMs: number;
  /** Exclusive; null: still under way. */
  readonly endedAtMs: number | null;
  /** When the newest event was received, or the period ended: a window that ends later is not complete. */
  readonly horizonMs: number;
}

/** Larger ones, which the server does not take, and NaN count as an event with the value 0. */
const valueMax = '1e12';

/** The latest first exposure of users whose window is complete; null: the metric has no window. */
export function firstMsMax(metric: AnalysisMetric, { horizonMs }: Scope): number | null {
  const { untilMs } = windowOf(metric);
  return untilMs === null ? null : horizonMs - untilMs;
}

/** `received` and `counted`. */
function countedEvents(
  statement: Statement,
  database: EventDatabase,
  metric: AnalysisMetric,
  scope: Scope,
  hasDay: boolean,
): string {
  const { perUserDay } = metric.cap;
  // Where one event is as good as many, neither repetitions nor a cap change anything.
  const isAny = metric.kind === 'conversion' || metric.kind === 'retention';
  const isCapped = perUserDay !== null && !isAny;
  const isGrouped = isAny || database.mayRepeat;
  const key = [
    { sql: 'u.uid', name: 'uid' },
    { sql: 'e.at_ms >= u.first_ms', name: 'post' },
    ...(isAny ? [] : eventKey(database, metric, isCapped)),
  ];
  const values = [
    ...(hasValue(metric) ? ['value'] : []),
    ...(isCapped ? ['at_ms'] : []),
    ...(isCapped || hasDay ? ['day'] : []),
  ];
  const columns = [
    ...key.map(({ sql, name }) => `${sql} as ${name}`),
    ...values.map((name) => (isGrouped ? `min(e.${name}) as ${name}` : `e.${name}`)),
  ];
  const received = `received as (
    select ${columns.join(', ')}
    from (${eventsSql(statement, database, metric, scope)}) as e
    join loadout_users u on u.key = e.key
    where ${conditionsOf(metric, scope).join(' and ')}
    ${isGrouped ? `group by ${key.map(({ sql }) => sql).join(', ')}` : ''})`;
  return `${received}, counted as (${isCapped ? cappedSql(metric, perUserDay) : 'select * from received'})`;
}

function hasValue({ kind }: AnalysisMetric): boolean {
  return kind === 'sum' || kind === 'ratio';
}

/** What a user's events are told apart by: without repetitions, as far as later steps need it. */
function eventKey(
  { dialect, mayRepeat }: EventDatabase,
  { kind }: AnalysisMetric,
  isCapped: boolean,
): { sql: string; name: string }[] {
  const eid = isCapped ? dialect.byBytes('e.eid') : dialect.shortKey('e.eid');
  return [
    ...(isCapped || mayRepeat ? [{ sql: eid, name: 'eid' }] : []),
    ...(kind === 'ratio' ? [{ sql: 'e.name', name: 'name' }] : []),
  ];
}

function cappedSql({ kind }: AnalysisMetric, perUserDay: number): string {
  const name = kind === 'ratio' ? ', name' : '';
  const order = `partition by uid, post, day${name} order by at_ms, eid`;
  return `select * from (select r.*, row_number() over (${order}) as place from received r) as placed
    where place <= ${integer(perUserDay)}`;
}

/** Events of the metric's names in the period. */
function eventsSql(
  statement: Statement,
  { dialect }: EventDatabase,
  metric: AnalysisMetric,
  { environment, startedAtMs, endedAtMs }: Scope,
): string {
  const atMs = dialect.epochMs('e."at"');
  const names = [metric.event, metric.kind === 'ratio' ? metric.denominator : null].filter(
    (name) => name !== null,
  );
  const conditions = [
    `e.environment = ${statement.text(environment)}`,
    `e.name in (${names.map((name) => statement.text(name)).join(', ')})`,
    ...(metric.trusted ? ['e.trusted'] : []),
    receivedFrom('e.day', startedAtMs - preMs, endedAtMs),
    ...(endedAtMs === null ? [] : [`${atMs} < ${integer(endedAtMs)}`]),
  ];
  return `select ${dialect.shortKey('e.u')} as key, ${atMs} as at_ms, e.eid, e.name, e.day,
      case when abs(e.value) <= ${valueMax} then e.value else 0 end as value
    from metric_events e where ${conditions.join(' and ')}`;
}

function conditionsOf(metric: AnalysisMetric, scope: Scope): string[] {
  const hasPre = hasPrePeriod(metric);
  const { fromMs, untilMs } = windowOf(metric);
  const latest = firstMsMax(metric, scope);
  const conditions = [`e.at_ms >= u.first_ms + ${integer(hasPre ? -preMs : fromMs)}`];
  if (untilMs !== null) conditions.push(`e.at_ms < u.first_ms + ${integer(untilMs)}`);
  if (latest !== null) conditions.push(`u.first_ms <= ${integer(latest)}`);
  return conditions;
}

/** What is made of a user's events: SQL for aggregates over `counted`. */
export interface ValueExpressions {
  readonly x: string;
  readonly y: string;
}

export function valueExpressions(
  statement: Statement,
  metric: AnalysisMetric,
  isPost: 'post' | 'not post',
): ValueExpressions {
  const only = (aggregate: string, filter = isPost as string) =>
    `coalesce(cast(${aggregate} filter (where ${filter}) as float8), 0)`;
  const ofName = (name: string) =>
    only('sum(value)', `${isPost} and name = ${statement.text(name)}`);
  switch (metric.kind) {
    case 'count':
      return { x: only('count(*)'), y: '0' };
    case 'sum':
      return { x: only('sum(value)'), y: '0' };
    case 'conversion':
    case 'retention':
      return { x: only('max(1)'), y: '0' };
    case 'ratio':
      return { x: ofName(metric.event), y: ofName(metric.denominator ?? metric.event) };
  }
}

/** `counted` of the metric whose events were stored. */
export const storedEvents = 'counted as (select * from loadout_counted)';

const storedTable =
  'create temporary table loadout_counted (uid bigint, post boolean, name varchar, value float8, day date)';

/** Keeps `counted` of one metric in a temporary table: the events of the primary metric are needed several times. */
export async function storeEvents(
  database: EventDatabase,
  metric: AnalysisMetric,
  scope: Scope,
): Promise<void> {
  await new Statement().run(database, storedTable);
  const statement = new Statement();
  const counted = countedEvents(statement, database, metric, scope, true);
  const name = metric.kind === 'ratio' ? 'name' : 'cast(null as varchar)';
  const value = hasValue(metric) ? 'value' : 'cast(null as float8)';
  await statement.run(
    database,
    `insert into loadout_counted with ${counted} select uid, post, ${name}, ${value}, day from counted`,
  );
}

/**
 * All four steps: `with …`.
 * @param isStored whether `storeEvents` has stored the metric's events
 */
export function userValues(
  statement: Statement,
  database: EventDatabase,
  metric: AnalysisMetric,
  scope: Scope,
  isStored: boolean,
): string {
  const hasPre = hasPrePeriod(metric);
  const counted = isStored
    ? storedEvents
    : countedEvents(statement, database, metric, scope, false);
  const { x, y } = valueExpressions(statement, metric, 'post');
  const { x: p } = valueExpressions(statement, metric, 'not post');
  const pre = hasPre
    ? `${p} as p, max(case when post then 0 else 1 end) as h`
    : 'cast(0 as float8) as p, 0 as h';
  const quantile = winsoriseOf(metric);
  const cut =
    quantile === null
      ? 'select cast(null as float8) as at_value'
      : `select case when quantile > 0 then quantile end as at_value from (
          select percentile_cont(${quantile}) within group (order by x) as quantile
          from user_values where x <> 0) as quantiles`;
  return `with ${counted},
    user_values as materialized (select uid, ${x} as x, cast(${y} as float8) as y, ${pre} from counted group by uid),
    cut as (${cut})`;
}

/** `name`, cut where winsorising cuts: for queries over `cut`. */
export function winsorised(metric: AnalysisMetric, name: string): string {
  return winsoriseOf(metric) === null
    ? name
    : `case when ${name} > cut.at_value then cut.at_value else ${name} end`;
}
