/** A point in time for people in several places: their own time zone, and UTC. Pure. */

/** @param zone IANA name; left out: the browser's */
export function formatZoned(at: string, zone?: string): string {
  const date = new Date(at);
  const local = new Intl.DateTimeFormat('en-GB', { ...dayAndTime, timeZone: zone });
  const name = local.resolvedOptions().timeZone;
  if (name === 'UTC') return `${local.format(date)} UTC`;
  // The day of UTC is named only where it is another one.
  const isSameDay = day(zone).format(date) === day('UTC').format(date);
  const utc = new Intl.DateTimeFormat('en-GB', {
    ...(isSameDay ? time : dayAndTime),
    timeZone: 'UTC',
  });
  return `${local.format(date)} ${name} (${utc.format(date)} UTC)`;
}

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const dayAndTime = { weekday: 'short', day: 'numeric', month: 'short', ...time } as const;

function day(zone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeZone: zone });
}
