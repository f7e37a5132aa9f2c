/** The primary metric by a stored attribute of the first exposure: chosen afterwards, so exploratory. */
import type { AnalysisMetric, AnalysisRequest, AnalysisStatistics } from '../messages.js';
import type { EventDatabase, SqlRow } from './event-database.js';
import { receivedFrom } from './exposed-users.js';
import { cutOf, cutValuesSql, sumsByArm, sumsSql } from './metric-sums.js';
import { firstMsMax, type Scope, userValues } from './metric-values.js';
import { integer, Statement } from './statement.js';

/** Values that get a row of their own. */
const valuesMax = 20;

type Segments = AnalysisStatistics['segments'];

/** @param metric whose events `storeEvents` has stored */
export async function segmentSums(
  database: EventDatabase,
  request: AnalysisRequest & { readonly segment: string },
  metric: AnalysisMetric,
  scope: Scope,
): Promise<Segments> {
  await findSegments(database, request);
  const users = await usersBySegment(database, metric, scope);
  const sums = new Statement();
  const values = await sums.run(
    database,
    `${userValues(sums, database, metric, scope, true)}
     select s.place, arm, max(at_value) as at_value, ${sumsSql}
     from (${cutValuesSql(metric)}) as cut_values join loadout_segments s on s.uid = cut_values.uid
     group by s.place, arm`,
  );
  const ranks = await new Statement().run(database, ranksSql);
  return ranks.map(({ place, value }) => {
    const isHere = (row: SqlRow) => row['place'] === place;
    const arms = users
      .filter(isHere)
      .map((row): [number, number] => [Number(row['arm']), Number(row['users'])]);
    return {
      value: value === null || value === undefined ? null : String(value),
      isOther: Number(place) > valuesMax,
      metric: {
        name: metric.name,
        sums: sumsByArm(metric, request.variants, new Map(arms), values.filter(isHere)),
        // Of all users together: else segments would be compared by different values.
        winsorisedAt: cutOf(values),
      },
    };
  });
}

const tableSql =
  'create temporary table loadout_segments (uid bigint, value varchar, place integer)';

const ranksSql = `select place, case when place > ${valuesMax} then null else max(value) end as value
  from loadout_segments group by place order by place`;

/** Gives every user the place of the attribute's value, by number of users, from 1. */
async function findSegments(
  database: EventDatabase,
  request: AnalysisRequest & { readonly segment: string },
): Promise<void> {
  await new Statement().run(database, tableSql);
  const statement = new Statement();
  const { environment, experiment, phase, startedAtMs, endedAtMs, segment } = request;
  const atMs = database.dialect.epochMs('e."at"');
  const { byBytes, shortKey } = database.dialect;
  const value = `min(${byBytes(`(e.attributes ->> ${statement.text(segment)})`)})`;
  await statement.run(
    database,
    `insert into loadout_segments
     with firsts as (
       select u.uid, ${value} as value from exposures e join loadout_users u on u.key = ${shortKey('e.u')}
       where e.environment = ${statement.text(environment)} and e.experiment = ${statement.text(experiment)}
         and e.phase = ${integer(phase)} and not e.contradiction and ${atMs} = u.first_ms
         and ${receivedFrom('e.day', startedAtMs, endedAtMs)}
       group by u.uid),
     ranks as (select value, cast(row_number() over (order by count(*) desc, ${byBytes('value')}) as integer) as place from firsts group by value)
     select f.uid, f.value, least(r.place, ${valuesMax + 1})
     from firsts f join ranks r on r.value is not distinct from f.value`,
  );
}

function usersBySegment(
  database: EventDatabase,
  metric: AnalysisMetric,
  scope: Scope,
): Promise<readonly SqlRow[]> {
  const latest = firstMsMax(metric, scope);
  return new Statement().run(
    database,
    `select s.place, u.arm, cast(count(*) as float8) as users
     from loadout_segments s join loadout_users u on u.uid = s.uid
     ${latest === null ? '' : `where u.first_ms <= ${integer(latest)}`}
     group by s.place, u.arm`,
  );
}
