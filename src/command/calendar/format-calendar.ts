/** A calendar as text: a row for each time, by day, then the conflicts. */
import type {
  Calendar,
  CalendarConflict,
  CalendarEntry,
  CalendarRelease,
  CalendarWindow,
} from '../../contract/operations/calendar.js';
import { counted } from '../terminal/counted.js';
import { oneLine } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';

interface Row {
  /** null: it has always been so. */
  readonly from: string | null;
  readonly until: string | null;
  readonly isLocal: boolean;
  readonly what: string;
  readonly state: string;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function formatCalendar(calendar: Calendar): string {
  const rows = calendar.entries.flatMap(rowsOf).sort(byTime);
  const days = rows.map(({ from }) => dayText(from));
  const columns: readonly Column<number>[] = [
    { title: 'DAY', text: (at) => (days[at] === days[at - 1] ? '' : (days[at] ?? '')) },
    { title: 'FROM', text: (at) => timeText(rows[at]?.from ?? null) },
    { title: 'UNTIL', text: (at) => endText(rows[at]) },
    { title: 'CLOCK', text: (at) => (rows[at]?.isLocal === true ? 'player time' : 'UTC') },
    { title: 'WHAT', text: (at) => rows[at]?.what ?? '' },
    { title: 'STATE', text: (at) => rows[at]?.state ?? '' },
  ];
  const nothing = `Nothing between ${calendar.from} and ${calendar.until}.`;
  const table = formatTable(columns, [...rows.keys()], nothing);
  return calendar.conflicts.length === 0 ? table : `${table}\n${formatConflicts(calendar)}`;
}

/** Says what the calendar lacks; '' where it is whole. */
export function truncatedText({ truncated }: Calendar): string {
  const parts = (['entries', 'occurrences', 'conflicts'] as const).filter(
    (part) => truncated[part],
  );
  return parts.length === 0
    ? ''
    : `Not all ${parts.join(' and ')} are shown: choose a shorter range.`;
}

function formatConflicts({ conflicts }: Calendar): string {
  const lines = conflicts.map(({ reason, when }) => `  ${whenText(when)}: ${oneLine(reason)}`);
  return `${counted(conflicts.length, 'conflict')}:\n${lines.join('\n')}\n`;
}

/** In UTC. */
function whenText({ from, until }: CalendarConflict['when']): string {
  const begin = from === null ? [] : [`from ${momentText(from)}`];
  const end = until === null ? [] : [`until ${momentText(until)}`];
  return begin.length + end.length === 0 ? 'always' : `${[...begin, ...end].join(' ')} UTC`;
}

function rowsOf(entry: CalendarEntry): Row[] {
  switch (entry.kind) {
    case 'window': {
      const [what, state] = [windowText(entry), windowState(entry)];
      return entry.occurrences.map(({ from, until }) => {
        return { from, until, isLocal: entry.local, what, state };
      });
    }
    case 'release':
      return [{ ...timesOf(entry), what: releaseText(entry), state: entry.state }];
    case 'step': {
      const what = `release ${entry.release}: step ${entry.step + 1}, ${entry.percent} %`;
      return [{ ...timesOf(entry), what, state: '' }];
    }
  }
}

function timesOf({
  from,
  until,
}: Pick<CalendarRelease, 'from' | 'until'>): Pick<Row, 'from' | 'until' | 'isLocal'> {
  return { from, until, isLocal: false };
}

function windowText({ content, segment, variants }: CalendarWindow): string {
  const test = variants === null ? '' : `, ${counted(variants.length, 'variant')}`;
  return `${content}: ${segment}${test}`;
}

function windowState({ live, release, revision }: CalendarWindow): string {
  if (live) return 'live';
  return release === null ? `draft ${revision}` : `with release ${release}`;
}

function releaseText({ release, title, contents, contentsLeftOut }: CalendarRelease): string {
  const count = contents.length + contentsLeftOut;
  const what = count === 1 ? (contents[0] ?? '') : counted(count, 'content');
  return `release ${release}: ${title} (${what})`;
}

function byTime(a: Row, b: Row): number {
  const [one, other] = [a.from ?? '', b.from ?? ''];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Wall time is read as if it were UTC, which changes neither its day nor its time. */
function dayText(time: string | null): string {
  if (time === null) return 'always';
  const date = time.slice(0, 10);
  return `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`;
}

function timeText(time: string | null): string {
  return time === null ? '' : time.slice(11, 16);
}

/** The day is left out where it is that of the begin. */
function endText(row: Row | undefined): string {
  const until = row?.until ?? null;
  if (until === null) return '';
  const isSameDay = until.slice(0, 10) === row?.from?.slice(0, 10);
  return isSameDay ? timeText(until) : `${dayText(until)} ${timeText(until)}`;
}

function momentText(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}
