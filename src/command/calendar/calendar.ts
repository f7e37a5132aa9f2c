/** `loadout calendar`: windows, releases and ramps of an environment in time, and what touches the same at the same time. */

import { Command } from 'commander';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { printNote } from '../terminal/output.js';
import { aheadHelp, parseMoment } from '../terminal/parse-time.js';
import { formatCalendar, truncatedText } from './format-calendar.js';

interface CalendarOptions extends ConnectionOptions {
  readonly from?: string;
  readonly until?: string;
}

export function calendarCommand(): Command {
  return withConnection(new Command('calendar'))
    .description('show windows and releases by day, and their conflicts')
    .argument('<environment>', 'environment to show')
    .option('--from <when>', `begin, such as ${aheadHelp}; today by default`, parseMoment)
    .option('--until <when>', 'end, likewise; four weeks after the begin by default', parseMoment)
    .action(showCalendar);
}

async function showCalendar(env: string, options: CalendarOptions): Promise<void> {
  const { from = todayText(), until } = options;
  const response = await openClient(options).request('GET /environments/:env/calendar', {
    params: { env },
    query: { from, until },
  });
  printResponse(options, response, ({ value }) => formatCalendar(value));
  const truncated = truncatedText(response.value);
  if (truncated !== '') printNote(truncated);
}

/** Midnight UTC. */
function todayText(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}
