/** Adds up what users have of a metric, by arm: the sufficient statistics of one metric. */
import type { AnalysisMetric, MetricStatistics, MetricSums } from '../messages.js';
import type { EventDatabase, SqlRow } from './event-database.js';
import { armOf, armOfUid, armsOf } from './exposed-users.js';
import { firstMsMax, type Scope, userValues, winsorised } from './metric-values.js';
import { hasPrePeriod } from './metric-window.js';
import { Statement } from './statement.js';

/** Of rows with x, y, p and h. Users without any event add nothing to them. */
export const sumsSql = `cast(sum(x) as float8) as sum_x, cast(sum(x * x) as float8) as sum_xx,
  cast(sum(y) as float8) as sum_y, cast(sum(y * y) as float8) as sum_yy, cast(sum(x * y) as float8) as sum_xy,
  cast(sum(h) as float8) as sum_h, cast(sum(p) as float8) as sum_p, cast(sum(p * p) as float8) as sum_pp,
  cast(sum(x * p) as float8) as sum_xp, cast(sum(x * h) as float8) as sum_xh`;

/** Of each user with a value: uid, arm, x, y, p, h, and where values are cut. */
export function cutValuesSql(metric: AnalysisMetric): string {
  return `select v.uid, ${armOfUid('v.uid')} as arm, ${winsorised(metric, 'v.x')} as x, v.y,
      ${winsorised(metric, 'v.p')} as p, v.h, cut.at_value
    from user_values v cross join cut`;
}

/** @param isStored whether `storeEvents` has stored the metric's events */
export async function metricStatistics(
  database: EventDatabase,
  metric: AnalysisMetric,
  scope: Scope,
  variants: readonly string[],
  isStored = false,
): Promise<MetricStatistics> {
  const statement = new Statement();
  const rows = await statement.run(
    database,
    `${userValues(statement, database, metric, scope, isStored)}
     select arm, max(at_value) as at_value, ${sumsSql} from (${cutValuesSql(metric)}) as cut_values group by arm`,
  );
  const users = await armsOf(database, firstMsMax(metric, scope));
  return {
    name: metric.name,
    sums: sumsByArm(metric, variants, users, rows),
    winsorisedAt: cutOf(rows),
  };
}

/** The same in each row of a query over `cut`. */
export function cutOf(rows: readonly SqlRow[]): number | null {
  const cut = rows[0]?.['at_value'] ?? null;
  return cut === null ? null : Number(cut);
}

/** @param users of each arm, with or without a value; @param rows of arms with any value */
export function sumsByArm(
  metric: AnalysisMetric,
  variants: readonly string[],
  users: ReadonlyMap<number, number>,
  rows: readonly SqlRow[],
): MetricSums[] {
  const byArm = new Map(rows.map((row) => [Number(row['arm']), row]));
  return variants
    .flatMap((_, place) => [place * 2, place * 2 + 1])
    .filter((arm) => arm % 2 === 0 || users.has(arm))
    .map((arm) => ({
      ...armOf(variants, arm),
      n: users.get(arm) ?? 0,
      ...sumsOf(metric, byArm.get(arm) ?? {}),
    }));
}

function sumsOf(
  metric: AnalysisMetric,
  row: SqlRow,
): Omit<MetricSums, 'variant' | 'crossed' | 'n'> {
  const sum = (name: string) => Number(row[name] ?? 0);
  return {
    sumX: sum('sum_x'),
    sumXX: sum('sum_xx'),
    sumY: sum('sum_y'),
    sumYY: sum('sum_yy'),
    sumXY: sum('sum_xy'),
    pre: hasPrePeriod(metric)
      ? {
          sumH: sum('sum_h'),
          sumP: sum('sum_p'),
          sumPP: sum('sum_pp'),
          sumXP: sum('sum_xp'),
          sumXH: sum('sum_xh'),
        }
      : null,
  };
}
