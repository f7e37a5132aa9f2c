/**
 * The users of an experiment's phase by first exposure, in a temporary table that the metrics are joined with:
 * `loadout_users(uid, key, arm, first_ms, day)`. `key` stands for the user id. `arm` is the variant's place in the request, doubled, plus one if the user crossed over. `uid` is a number that contains
 * the arm: what is grouped by it needs no second join with the users.
 */
import type { AnalysisRequest, VariantExposures } from '../messages.js';
import { eventTables } from '../storage/rows.js';
import type { EventDatabase } from './event-database.js';
import { day, daysInMs, integer, Statement } from './statement.js';

/** Bits of a variant's place beside the time of an exposure: both in one integer, the smallest of which is the first exposure. */
const placeBits = 10;
const variantsMax = 2 ** placeBits;
const armBits = placeBits + 1;

/** An event is received at most this long after it happened. */
const lateMsMax = daysInMs(7);

export interface Arm {
  readonly variant: string;
  readonly crossed: boolean;
}

export function armOf(variants: readonly string[], arm: number): Arm {
  return { variant: variants[arm >> 1] as string, crossed: (arm & 1) === 1 };
}

/** SQL that keeps days of receipt on which an event of the given time can have come: whole partitions are left out by it. */
export function receivedFrom(column: string, fromMs: number, untilMs: number | null): string {
  const from = `${column} >= ${day(fromMs)}`;
  return untilMs === null ? from : `${from} and ${column} <= ${day(untilMs + lateMsMax)}`;
}

const seenTable =
  'create temporary table loadout_seen (u varchar, place integer, contradiction boolean, first_ms bigint, day date)';

/** Makes the table of users, empty. */
export async function createUsers(database: EventDatabase): Promise<void> {
  await new Statement().run(
    database,
    `create temporary table loadout_users
     (uid bigint, key ${database.dialect.shortKeyType}, arm integer, first_ms bigint, day date)`,
  );
}

/** Makes the table of users. Exposures that contradict the user's bucket make no user. */
export async function findExposedUsers(
  database: EventDatabase,
  request: AnalysisRequest,
): Promise<void> {
  if (request.variants.length > variantsMax) throw new RangeError('Too many variants.');
  await new Statement().run(database, seenTable);
  const seen = new Statement();
  await seen.run(database, seenSql(seen, database, request));
  await createUsers(database);
  await new Statement().run(database, usersSql(database));
  await analyseUsers(database);
}

/** Tells the planner how many there are. */
export async function analyseUsers(database: EventDatabase): Promise<void> {
  await new Statement().run(database, 'analyze loadout_users');
}

function seenSql(statement: Statement, { dialect }: EventDatabase, request: AnalysisRequest) {
  const { environment, experiment, phase, startedAtMs, endedAtMs, variants } = request;
  const places = variants.map((variant, place) => `(${place}, ${statement.text(variant)})`);
  const atMs = dialect.epochMs('e."at"');
  const ended = endedAtMs === null ? '' : `and ${atMs} < ${integer(endedAtMs)}`;
  return `insert into loadout_seen
    select e.u, coalesce(v.place, -1), e.contradiction, min(${atMs}), min(e.day)
    from exposures e left join (values ${places.join(', ')}) as v (place, variant) on v.variant = e.variant
    where e.environment = ${statement.text(environment)} and e.experiment = ${statement.text(experiment)}
      and e.phase = ${integer(phase)} ${ended}
      and ${receivedFrom('e.day', startedAtMs, endedAtMs)}
    group by e.u, coalesce(v.place, -1), e.contradiction`;
}

const firstSql = `select u, min((first_ms << ${placeBits}) + place) as first,
    case when min(place) < max(place) then 1 else 0 end as crossed, min(day) as day
  from loadout_seen where not contradiction and place >= 0 group by u`;

const armsSql = `select u, first >> ${placeBits} as first_ms, day,
    cast(first & ${variantsMax - 1} as integer) * 2 + crossed as arm from (${firstSql}) as firsts`;

function usersSql({ dialect }: EventDatabase): string {
  return `insert into loadout_users
    select ${uidOf('arm')}, ${dialect.shortKey('u')}, arm, first_ms, day from (${armsSql}) as arms`;
}

/** SQL that numbers users. */
export function uidOf(arm: string): string {
  return `(row_number() over () << ${armBits}) + ${arm}`;
}

/** SQL for the arm of a user. */
export function armOfUid(uid: string): string {
  return `cast(${uid} & ${2 ** armBits - 1} as integer)`;
}

export interface Exposures {
  readonly exposures: readonly VariantExposures[];
  readonly unknownVariants: number;
  readonly daily: readonly { day: string; variant: string; exposed: number }[];
}

/** Counts what `findExposedUsers` found. */
export async function countExposures(
  database: EventDatabase,
  variants: readonly string[],
): Promise<Exposures> {
  const ask = (sql: string) => new Statement().run(database, sql);
  const arms = await armsOf(database);
  const contradictions = await ask(
    'select place, cast(count(*) as float8) as users from loadout_seen where contradiction group by place',
  );
  const unknown = await ask(
    'select cast(count(distinct u) as float8) as users from loadout_seen where place < 0',
  );
  const daily = await ask(
    `select cast(day as varchar) as day, arm >> 1 as place, cast(count(*) as float8) as users
     from loadout_users group by day, arm >> 1 order by day, place`,
  );
  return {
    exposures: variants.map((variant, place) => ({
      variant,
      users: (arms.get(place * 2) ?? 0) + (arms.get(place * 2 + 1) ?? 0),
      crossovers: arms.get(place * 2 + 1) ?? 0,
      contradictions: Number(contradictions.find((row) => row['place'] === place)?.['users'] ?? 0),
    })),
    unknownVariants: Number(unknown[0]?.['users']),
    daily: daily.map(({ day: on, place, users }) => ({
      day: String(on),
      variant: variants[Number(place)] as string,
      exposed: Number(users),
    })),
  };
}

/** Users of each arm with a first exposure at most then; null: all. */
export async function armsOf(
  database: EventDatabase,
  firstMsMax: number | null = null,
): Promise<ReadonlyMap<number, number>> {
  const until = firstMsMax === null ? '' : `where first_ms <= ${integer(firstMsMax)}`;
  const rows = await new Statement().run(
    database,
    `select arm, cast(count(*) as float8) as users from loadout_users ${until} group by arm`,
  );
  return new Map(rows.map(({ arm, users }) => [Number(arm), Number(users)]));
}

/** When the newest event of the environment was received, in milliseconds since 1970; null without events. */
export async function newestReceipt(
  database: EventDatabase,
  environment: string,
): Promise<number | null> {
  const statement = new Statement();
  const ofEnvironment = `environment = ${statement.text(environment)}`;
  const newest = (column: string, more = '') =>
    eventTables
      .map((table) => `select max(${column}) as newest from ${table} where ${ofEnvironment}${more}`)
      .join(' union all ');
  const [last] = await statement.run(
    database,
    `select cast(max(newest) as varchar) as newest from (${newest('day')}) as newest_days`,
  );
  if ((last?.['newest'] ?? null) === null) return null;
  // Receipts of all days would have to be looked at one by one.
  const onLast = ` and day = ${day(Date.parse(String(last?.['newest'])))}`;
  const [row] = await statement.run(
    database,
    `select cast(${database.dialect.epochMs('max(newest)')} as float8) as newest
     from (${newest('received_at', onLast)}) as newest_receipts`,
  );
  return Number(row?.['newest']);
}
