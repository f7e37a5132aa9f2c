/** `loadout audit`: who did what, when and from where. */

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { Command } from 'commander';
import type { AuditEvent } from '../../contract/operations/audit.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { CommandFailure, misuse, reasonOf } from '../terminal/failure.js';
import { auditShownDefault, auditShownMax } from '../terminal/limits.js';
import { printLine, printNote } from '../terminal/output.js';
import { wholeNumber } from '../terminal/parse-option.js';
import { parsePast, pastHelp } from '../terminal/parse-time.js';
import { formatAuditLine, formatAuditTable, indexNotes } from './format-audit.js';

interface AuditOptions extends ConnectionOptions {
  readonly env?: string;
  readonly user?: string;
  readonly action?: string;
  readonly name?: string;
  readonly words?: string;
  readonly path?: string;
  readonly value?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly follow: boolean;
  readonly all: boolean;
}

export function auditCommand(): Command {
  return withConnection(new Command('audit'))
    .description('list the events of the audit log, newest first')
    .option('--env <environment>', 'only events in this environment')
    .option('--user <user>', 'only events of this user, by name or id')
    .option(
      '--action <action>',
      'only this action, such as content.publish; or content for all of its actions',
    )
    .option(
      '--name <name>',
      'only events of this content (with its syncs and imports), segment, key, ...',
    )
    .option('--words <words>', 'only events with these words in a note, a name or a user’s name')
    .option(
      '--path <path>',
      'only events that changed this path: a JSON pointer with all below it, or part of one',
    )
    .option(
      '--value <value>',
      'only events that changed this value, or to it: 4.99, true, "whole text", part of a text',
    )
    .option('--since <when>', `such as ${pastHelp}`, parsePast)
    .option('--until <when>', 'end, likewise', parsePast)
    .option(
      `--limit <count>`,
      `events to show (default: ${auditShownDefault})`,
      wholeNumber(1, auditShownMax),
    )
    .option('--all', 'all events, oldest first; with --json one event per line', false)
    .option('--follow', 'print events as they happen, from now (or --since) on', false)
    .action(showAudit);
}

async function showAudit(options: AuditOptions): Promise<void> {
  const { follow, all, limit } = options;
  if (follow && all) throw misuse('--follow and --all exclude each other.');
  if (limit !== undefined && (follow || all)) throw misuse('--limit is for a page of events.');
  if (follow) {
    await printStream(options, 'GET /audit/stream');
    throw new CommandFailure('The server ended the stream.');
  }
  if (all) return printStream(options, 'GET /audit/export');
  const response = await openClient(options).request('GET /audit', {
    query: { ...filterOf(options), limit: limit ?? auditShownDefault },
  });
  printResponse(options, response, ({ value: { events, index } }) => {
    const notes = index === null ? [] : indexNotes(index);
    return [formatAuditTable(events), ...notes].join('\n');
  });
  if (response.value.next !== null && !options.json) {
    printNote(`There are older events: --limit lists up to ${auditShownMax}, --all all of them.`);
  }
}

/** Prints each event as it arrives. */
async function printStream(
  options: AuditOptions,
  route: 'GET /audit/stream' | 'GET /audit/export',
): Promise<void> {
  const { body } = await openClient(options).stream(route, { query: filterOf(options) });
  if (body === null) return;
  const lines = createInterface({
    input: Readable.fromWeb(body),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  try {
    for await (const line of lines) {
      if (line === '') continue;
      printLine(options.json ? line : formatAuditLine(JSON.parse(line) as AuditEvent));
    }
  } catch (error) {
    throw new CommandFailure(`The stream was cut off: ${reasonOf(error)}.`);
  }
}

function filterOf({ env, since, until, ...options }: AuditOptions) {
  const { user, action, name, words, path, value } = options;
  return { environment: env, user, action, name, words, path, value, from: since, until };
}
