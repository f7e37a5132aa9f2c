/**
 * What an analysis must find, worked out user by user from plain rows, as the design page words it. Shares no code with the queries:
 * it goes through all rows again for every user, metric and day.
 */
import type {
  AnalysisMetric,
  AnalysisRequest,
  CumulativeSums,
  MetricStatistics,
  MetricSums,
  PreSums,
} from '../../../../src/analysis/messages.js';
import type { QueriedStatistics } from '../../../../src/analysis/queries/analyse.js';
import type { ExposureRow, MetricEventRow } from '../../../../src/analysis/storage/rows.js';

const day = 24 * 60 * 60 * 1000;

export interface Rows {
  readonly exposures: readonly ExposureRow[];
  readonly metricEvents: readonly MetricEventRow[];
}

interface User {
  readonly u: string;
  readonly variant: string;
  readonly crossed: boolean;
  readonly firstMs: number;
  readonly day: string;
  readonly segment: string | null;
}

interface Values {
  readonly x: number;
  readonly y: number;
  readonly p: number;
  readonly h: number;
}

export function instant(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

export function oracle(rows: Rows, request: AnalysisRequest): QueriedStatistics {
  const exposures = rows.exposures.filter(
    (row) =>
      row.environment === request.environment &&
      row.experiment === request.experiment &&
      row.phase === request.phase &&
      instant(row.at) < (request.endedAtMs ?? Number.POSITIVE_INFINITY),
  );
  const users = usersOf(exposures, request);
  const received = [...rows.exposures, ...rows.metricEvents]
    .filter((row) => row.environment === request.environment)
    .map((row) => instant(row.received_at));
  const dataUntilMs = received.length === 0 ? null : Math.max(...received);
  const horizonMs = Math.min(
    dataUntilMs ?? request.startedAtMs,
    request.endedAtMs ?? Number.POSITIVE_INFINITY,
  );
  const events = rows.metricEvents.filter(
    (row) =>
      row.environment === request.environment &&
      instant(row.at) < (request.endedAtMs ?? Number.POSITIVE_INFINITY),
  );
  const metricOf = (
    metric: AnalysisMetric,
    some: readonly User[],
    isCounted: (user: User) => boolean = () => true,
  ) => statisticsOf({ metric, events, horizonMs, variants: request.variants, isCounted }, some);
  const primary = request.metrics.find(({ name }) => name === request.primary);
  return {
    dataUntilMs,
    exposures: request.variants.map((variant) => ({
      variant,
      users: users.filter((user) => user.variant === variant).length,
      crossovers: users.filter((user) => user.variant === variant && user.crossed).length,
      contradictions: distinct(
        exposures.filter((row) => row.variant === variant && row.contradiction).map(({ u }) => u),
      ).length,
    })),
    unknownVariants: distinct(
      exposures.filter((row) => !request.variants.includes(row.variant)).map(({ u }) => u),
    ).length,
    daily: distinct(users.map((user) => user.day))
      .toSorted()
      .flatMap((on) =>
        request.variants.map((variant) => ({
          day: on,
          variant,
          exposed: users.filter((user) => user.day === on && user.variant === variant).length,
        })),
      )
      .filter(({ exposed }) => exposed > 0),
    metrics: request.metrics.map((metric) => metricOf(metric, users)),
    cumulative:
      primary === undefined
        ? []
        : cumulativeOf(primary, users, events, horizonMs, request.variants),
    segments:
      primary === undefined || request.segment === null
        ? []
        : segmentsOf(users).map(({ value, isOther, members }) => ({
            value,
            isOther,
            metric: metricOf(primary, users, (user) => members.includes(user)),
          })),
  };
}

function usersOf(exposures: readonly ExposureRow[], request: AnalysisRequest): User[] {
  const believed = exposures.filter(
    (row) => !row.contradiction && request.variants.includes(row.variant),
  );
  return distinct(believed.map(({ u }) => u)).map((u) => {
    const own = believed
      .filter((row) => row.u === u)
      .toSorted(
        (a, b) =>
          instant(a.at) - instant(b.at) ||
          request.variants.indexOf(a.variant) - request.variants.indexOf(b.variant),
      );
    const first = own[0] as ExposureRow;
    const sameTime = exposures.filter(
      (row) => row.u === u && !row.contradiction && instant(row.at) === instant(first.at),
    );
    const segments = sameTime
      .map((row) => row.attributes?.[request.segment ?? ''])
      .filter((value) => value !== undefined && value !== null)
      .map(String)
      .toSorted();
    return {
      u,
      variant: first.variant,
      crossed: distinct(own.map(({ variant }) => variant)).length > 1,
      firstMs: instant(first.at),
      day: own.map((row) => row.day).toSorted()[0] as string,
      segment: segments[0] ?? null,
    };
  });
}

function windowOf(metric: AnalysisMetric): [number, number] {
  if (metric.kind === 'retention') return [(metric.day ?? 1) * day, ((metric.day ?? 1) + 1) * day];
  return [0, metric.windowDays === null ? Number.POSITIVE_INFINITY : metric.windowDays * day];
}

function isComplete(metric: AnalysisMetric, user: User, horizonMs: number): boolean {
  const [, until] = windowOf(metric);
  return until === Number.POSITIVE_INFINITY || user.firstMs + until <= horizonMs;
}

/** Once each, the smallest value of those sent several times. */
function withoutDuplicates(events: readonly MetricEventRow[]): MetricEventRow[] {
  const keys = distinct(events.map(({ eid, name }) => `${name} ${eid}`));
  return keys.map((key) => {
    const same = events.filter(({ eid, name }) => `${name} ${eid}` === key);
    const value = Math.min(...same.map(clean));
    const on = same.map((row) => row.day).toSorted()[0] as string;
    return { ...(same[0] as MetricEventRow), value, day: on };
  });
}

function clean({ value }: MetricEventRow): number {
  return Math.abs(value ?? 0) <= 1e12 ? (value ?? 0) : 0;
}

function capped(metric: AnalysisMetric, events: readonly MetricEventRow[]): MetricEventRow[] {
  const most = metric.cap.perUserDay ?? Number.POSITIVE_INFINITY;
  const ordered = events.toSorted((a, b) => instant(a.at) - instant(b.at) || compare(a.eid, b.eid));
  return ordered.filter((event, place) => {
    const before = ordered
      .slice(0, place)
      .filter(
        (row) => row.day === event.day && (metric.kind !== 'ratio' || row.name === event.name),
      );
    return before.length < most;
  });
}

function isOf(metric: AnalysisMetric, event: MetricEventRow): boolean {
  if (metric.trusted && !event.trusted) return false;
  return (
    event.name === metric.event || (metric.kind === 'ratio' && event.name === metric.denominator)
  );
}

/** What counts for a user, of events received on `lastDay` at the latest. */
function countedOf(
  metric: AnalysisMetric,
  user: User,
  events: readonly MetricEventRow[],
): { post: MetricEventRow[]; pre: MetricEventRow[] } {
  const own = events.filter((event) => event.u === user.u && isOf(metric, event));
  const [from, until] = windowOf(metric);
  const post = own.filter(
    ({ at }) => instant(at) >= user.firstMs + from && instant(at) < user.firstMs + until,
  );
  const pre = own.filter(
    ({ at }) => instant(at) >= user.firstMs - 7 * day && instant(at) < user.firstMs,
  );
  return {
    post: capped(metric, withoutDuplicates(post)),
    pre: capped(metric, withoutDuplicates(pre)),
  };
}

function worth(metric: AnalysisMetric, events: readonly MetricEventRow[]): number {
  const sum = (name: string) =>
    events.filter((event) => event.name === name).reduce((total, event) => total + event.value, 0);
  switch (metric.kind) {
    case 'count':
      return events.length;
    case 'conversion':
    case 'retention':
      return events.length > 0 ? 1 : 0;
    case 'sum':
    case 'ratio':
      return sum(metric.event);
  }
}

function below(metric: AnalysisMetric, events: readonly MetricEventRow[]): number {
  if (metric.kind !== 'ratio') return 0;
  return events
    .filter((event) => event.name === metric.denominator)
    .reduce((total, event) => total + event.value, 0);
}

const hasPre = ({ kind }: AnalysisMetric) => kind !== 'ratio' && kind !== 'retention';

interface Task {
  readonly metric: AnalysisMetric;
  readonly events: readonly MetricEventRow[];
  readonly horizonMs: number;
  readonly variants: readonly string[];
  /** Whose values are added up; all of them say where values are cut. */
  readonly isCounted: (user: User) => boolean;
}

function statisticsOf(
  { metric, events, horizonMs, variants, isCounted }: Task,
  users: readonly User[],
): MetricStatistics {
  const values = users
    .filter((user) => isComplete(metric, user, horizonMs))
    .map((user) => {
      const { post, pre } = countedOf(metric, user, events);
      const [x, y] = [worth(metric, post), below(metric, post)];
      return { user, x, y, p: worth(metric, pre), h: pre.length > 0 ? 1 : 0 };
    });
  const cut = cutOf(
    metric,
    values.map(({ x }) => x),
  );
  const cutValues = values
    .filter(({ user }) => isCounted(user))
    .map((each) => ({
      ...each,
      x: Math.min(each.x, cut ?? Number.POSITIVE_INFINITY),
      p: Math.min(each.p, cut ?? Number.POSITIVE_INFINITY),
    }));
  return {
    name: metric.name,
    winsorisedAt: cut,
    sums: variants.flatMap((variant) =>
      [false, true].flatMap((crossed): MetricSums[] => {
        const own = cutValues.filter(
          ({ user }) => user.variant === variant && user.crossed === crossed,
        );
        if (crossed && own.length === 0) return [];
        return [{ variant, crossed, ...sumsOf(own), pre: hasPre(metric) ? preOf(own) : null }];
      }),
    ),
  };
}

/** Interpolated between the two values nearest to the quantile. */
function cutOf({ kind, cap }: AnalysisMetric, all: readonly number[]): number | null {
  const values = all.filter((x) => x !== 0).toSorted((a, b) => a - b);
  if (cap.winsorise === null || (kind !== 'count' && kind !== 'sum') || values.length === 0)
    return null;
  const at = cap.winsorise * (values.length - 1);
  const [low, high] = [values[Math.floor(at)] as number, values[Math.ceil(at)] as number];
  const cut = low + (high - low) * (at - Math.floor(at));
  return cut > 0 ? cut : null;
}

function sumsOf(values: readonly Values[]): Omit<MetricSums, 'variant' | 'crossed' | 'pre'> {
  return {
    n: values.length,
    sumX: total(values, ({ x }) => x),
    sumXX: total(values, ({ x }) => x * x),
    sumY: total(values, ({ y }) => y),
    sumYY: total(values, ({ y }) => y * y),
    sumXY: total(values, ({ x, y }) => x * y),
  };
}

function preOf(values: readonly Values[]): PreSums {
  return {
    sumH: total(values, ({ h }) => h),
    sumP: total(values, ({ p }) => p),
    sumPP: total(values, ({ p }) => p * p),
    sumXP: total(values, ({ x, p }) => x * p),
    sumXH: total(values, ({ x, h }) => x * h),
  };
}

function total(values: readonly Values[], of: (values: Values) => number): number {
  return values.reduce((sum, each) => sum + of(each), 0);
}

function cumulativeOf(
  metric: AnalysisMetric,
  everyone: readonly User[],
  events: readonly MetricEventRow[],
  horizonMs: number,
  variants: readonly string[],
): CumulativeSums[] {
  const users = everyone.filter((user) => isComplete(metric, user, horizonMs));
  const final = users.map((user) => worth(metric, countedOf(metric, user, events).post));
  const cut = cutOf(metric, final) ?? Number.POSITIVE_INFINITY;
  const [, until] = windowOf(metric);
  const joined = (user: User) =>
    until === Number.POSITIVE_INFINITY ? user.day : later(user.day, dayOf(user.firstMs + until));
  if (users.length === 0) return [];
  // Of conversion and retention, events after the first change nothing.
  const isAny = metric.kind === 'conversion' || metric.kind === 'retention';
  const changes = users.flatMap((user) => {
    const days = countedOf(metric, user, events).post.map((event) =>
      later(event.day, joined(user)),
    );
    return [joined(user), ...(isAny ? days.toSorted().slice(0, 1) : days)];
  });
  return daysBetween([...changes, dayOf(horizonMs)]).flatMap((on) =>
    variants.flatMap((variant) =>
      [false, true].flatMap((crossed): CumulativeSums[] => {
        const own = users.filter((user) => user.variant === variant && user.crossed === crossed);
        if (own.length === 0) return [];
        const values = own
          .filter((user) => joined(user) <= on)
          .map((user) => {
            const post = countedOf(metric, user, events).post.filter((event) => event.day <= on);
            return { x: Math.min(worth(metric, post), cut), y: below(metric, post), p: 0, h: 0 };
          });
        return [{ day: on, variant, crossed, ...sumsOf(values), pre: null }];
      }),
    ),
  );
}

function daysBetween(days: readonly string[]): string[] {
  const ordered = days.toSorted();
  const [first, last] = [ordered[0], ordered.at(-1)];
  const all: string[] = [];
  for (
    let on = first;
    on !== undefined && last !== undefined && on <= last;
    on = dayOf(Date.parse(on) + day)
  )
    all.push(on);
  return all;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function segmentsOf(users: readonly User[]) {
  const ordered = distinct(users.map(({ segment }) => segment))
    .map((value) => ({ value, members: users.filter(({ segment }) => segment === value) }))
    .toSorted(
      (a, b) =>
        b.members.length - a.members.length ||
        Number(a.value === null) - Number(b.value === null) ||
        compare(a.value ?? '', b.value ?? ''),
    );
  const others = ordered.slice(20).flatMap(({ members }) => members);
  return [
    ...ordered.slice(0, 20).map((segment) => ({ ...segment, isOther: false })),
    ...(others.length === 0 ? [] : [{ value: null, isOther: true, members: others }]),
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
