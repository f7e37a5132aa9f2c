/** `loadout events`: how events of players are stored, copies of them, and users who are to be forgotten. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import {
  type EventTableName,
  type ExportFormat,
  eventTableNames,
  exportFormats,
} from '../../contract/event-exports.js';
import type { EventsStatusJson } from '../../contract/operations/events.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import {
  type ConnectionOptions,
  type EnvironmentOptions,
  openClient,
  printResponse,
  withConnection,
  withEnvironment,
} from '../client/connection.js';
import { download } from '../client/download.js';
import { confirm } from '../terminal/confirm.js';
import { counted } from '../terminal/counted.js';
import { CommandFailure } from '../terminal/failure.js';
import { oneLine, print, printLine } from '../terminal/output.js';
import { formatBytes, showProgress } from '../terminal/progress.js';

interface ExportOptions extends EnvironmentOptions {
  readonly table: EventTableName;
  readonly format: ExportFormat;
  readonly from?: string;
  readonly to?: string;
  readonly out: string;
  readonly force: boolean;
}

export function eventsCommand(): Command {
  const command = new Command('events').description('events of players: exposures and metrics');
  withConnection(command.command('status'))
    .description('show where events go, and whether they are stored')
    .action(showStatus);
  withEnvironment(command.command('names'))
    .description('list the metric events of the last days, which metrics can be made of')
    .action(listNames);
  withEnvironment(command.command('export'))
    .description('copy the stored events of an environment to a file')
    .requiredOption('--out <file>', 'the file to make')
    .addOption(
      new Option('--table <table>', 'which events').choices(eventTableNames).default('exposures'),
    )
    .addOption(
      new Option('--format <format>', 'of the file').choices(exportFormats).default('ndjson'),
    )
    .option('--from <day>', 'first day of receipt (UTC), such as 2026-11-24')
    .option('--to <day>', 'last day of receipt (UTC)')
    .option('--force', 'replace the file if it is there', false)
    .addHelpText(
      'after',
      '\nEvents are personal data: keep the file accordingly. With --events-to local, a server has the events that it received itself.',
    )
    .action(exportEvents);
  withEnvironment(command.command('forget <user>'))
    .description('remove the events of a user, by the user id that the game sends')
    .option('--yes', 'do not ask for confirmation', false)
    .addHelpText(
      'after',
      '\nWith --events-to local, run it for each server of the fleet: each has the events that it received itself.',
    )
    .action(forgetUser);
  return command;
}

async function showStatus(options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('GET /events', {});
  printResponse(options, response, ({ value }) => formatStatus(value));
}

function formatStatus(status: EventsStatusJson): string {
  const { to, state, detail, failingSince, waiting, sinceStart, stored, storedAt } = status;
  if (to === 'off') return 'This server takes no events (--events-to off).\n';
  const lines = [
    `Events go to:  ${to}`,
    `State:         ${state}${failingSince === null ? '' : ` since ${failingSince}`}`,
    ...(detail === null ? [] : [`               ${detail}`]),
    `Waiting:       ${counted(waiting.files, 'file')} (${formatBytes(waiting.bytes)})${waiting.oldestAt === null ? '' : `, the oldest from ${waiting.oldestAt}`}`,
    `Last stored:   ${storedAt ?? 'not since the start'}`,
    `Since start:   ${sinceStart.exposures} exposures, ${sinceStart.metricEvents} metric events`,
  ];
  if (stored !== null) {
    const { exposuresBytes, metricEventsBytes } = stored;
    lines.push(
      `Stored:        ${formatBytes(exposuresBytes)} of exposures, ${formatBytes(metricEventsBytes)} of metric events (counted hourly)`,
    );
  }
  const { filesSetAside, filesDropped } = sinceStart;
  if (filesSetAside > 0) lines.push(`Damaged:       ${counted(filesSetAside, 'file')}`);
  if (filesDropped > 0) lines.push(`Dropped:       ${counted(filesDropped, 'file')}`);
  return `${lines.join('\n')}\n`;
}

async function listNames(options: EnvironmentOptions): Promise<void> {
  const { env } = options;
  const route = 'GET /environments/:env/events/names';
  const response = await openClient(options).request(route, { params: { env } });
  printResponse(options, response, ({ value: { names, namesCut } }) => {
    if (names.length === 0) return 'No metric events came lately.\n';
    const more = namesCut ? `There are more than these ${names.length}.\n` : '';
    return `${names.map(oneLine).join('\n')}\n${more}`;
  });
}

async function exportEvents(options: ExportOptions): Promise<void> {
  const { env, table, format, from, to, out } = options;
  if (existsSync(out) && !options.force) {
    throw new CommandFailure(`${out} is there already. Name another file, or give --force.`);
  }
  const partial = `${out}.partial`;
  rmSync(partial, { force: true });
  try {
    const query = { table, format, ...(from && { from }), ...(to && { to }) };
    const asked = openClient(options).stream('GET /environments/:env/events/export', {
      params: { env },
      query,
    });
    await download(await showProgress('The server makes the file', asked), partial, 'export');
    renameSync(partial, out);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  const { size: bytes } = statSync(out);
  if (options.json) printLine(JSON.stringify({ file: out, bytes }));
  else print(`Exported ${table} of ${env} to ${out} (${formatBytes(bytes)}).\n`);
}

async function forgetUser(u: string, options: EnvironmentOptions): Promise<void> {
  const { env, yes } = options;
  const client = openClient(options);
  const environment = await findEnvironment(client, env);
  const what = `All events of the user ${u} in ${env} will be removed. This cannot be undone.`;
  await confirm(what, wordFor(environment), yes);
  const response = await client.request('POST /environments/:env/events/forget', {
    params: { env },
    body: { u },
  });
  printResponse(options, response, ({ value }) => `Removed ${counted(value.rows, 'row')}.\n`);
}
