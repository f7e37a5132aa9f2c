/** Which metric events came lately: what people choose from when they define a metric. */
import type { EventNames, EventNamesRequest } from '../messages.js';
import type { EventDatabase } from './event-database.js';
import { day, daysInMs, integer, Statement } from './statement.js';

export async function eventNames(
  database: EventDatabase,
  { environment, days, nowMs, namesMax }: EventNamesRequest,
): Promise<EventNames> {
  const statement = new Statement();
  const { byBytes } = database.dialect;
  const rows = await statement.run(
    database,
    `select e.name, cast(count(*) as float8) as events from metric_events e
     where e.environment = ${statement.text(environment)} and e.day >= ${day(nowMs - daysInMs(days))}
     group by e.name order by events desc, ${byBytes('e.name')} limit ${integer(namesMax + 1)}`,
  );
  const names = rows.slice(0, namesMax).map(({ name }) => String(name));
  return { names, isCut: rows.length > namesMax };
}
