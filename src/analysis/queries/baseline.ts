/** What a metric was like lately, for the size of a sample: as if each user's first event of the period were an exposure. */
import type { BaselineRequest, BaselineStatistics } from '../messages.js';
import type { EventDatabase } from './event-database.js';
import { analyseUsers, createUsers, newestReceipt, uidOf } from './exposed-users.js';
import { metricStatistics } from './metric-sums.js';
import { day, daysInMs, integer, Statement } from './statement.js';

/** The one arm of all users. */
const everybody = ['all'];

export async function baseline(
  database: EventDatabase,
  request: BaselineRequest,
): Promise<BaselineStatistics> {
  const { environment, metric, days, nowMs } = request;
  const startedAtMs = nowMs - daysInMs(days);
  const dataUntilMs = await newestReceipt(database, environment);
  const horizonMs = dataUntilMs ?? startedAtMs;
  const users = await findUsers(database, environment, startedAtMs);
  const scope = { environment, startedAtMs, endedAtMs: null, horizonMs };
  const { sums } = await metricStatistics(database, metric, scope, everybody);
  const { n = 0, sumX = 0, sumXX = 0, sumY = 0, sumYY = 0, sumXY = 0 } = sums[0] ?? {};
  return { dataUntilMs, n, sumX, sumXX, sumY, sumYY, sumXY, newUsersPerDay: users / days };
}

/** Makes the table of users. @returns how many */
async function findUsers(
  database: EventDatabase,
  environment: string,
  startedAtMs: number,
): Promise<number> {
  await createUsers(database);
  const statement = new Statement();
  const atMs = database.dialect.epochMs('e."at"');
  await statement.run(
    database,
    `insert into loadout_users
     select ${uidOf('0')}, ${database.dialect.shortKey('u')}, 0, first_ms, day from (
       select e.u, min(${atMs}) as first_ms, min(e.day) as day from metric_events e
       where e.environment = ${statement.text(environment)} and e.day >= ${day(startedAtMs)}
         and ${atMs} >= ${integer(startedAtMs)}
       group by e.u) as firsts`,
  );
  await analyseUsers(database);
  const [row] = await new Statement().run(
    database,
    'select cast(count(*) as float8) as users from loadout_users',
  );
  return Number(row?.['users']);
}
