/** The options of all commands that use the admin API, and the client they configure. */

import { type Command, Option } from 'commander';
import { print, printLine } from '../terminal/output.js';
import { parseUrl } from '../terminal/parse-option.js';
import { readSecret } from '../terminal/secrets.js';
import { AdminClient, type ClientResponse } from './admin-client.js';

export interface ConnectionOptions {
  readonly url: string;
  readonly json: boolean;
  /** Of commands that publish: wait for all servers that share the store. */
  readonly waitFleet?: boolean;
  /** Of commands that ask before a dangerous act: do not. */
  readonly yes?: boolean;
}

export interface EnvironmentOptions extends ConnectionOptions {
  readonly env: string;
}

/** Adds `--url` and `--json`. */
export function withConnection(command: Command): Command {
  return command
    .addOption(
      new Option('--url <url>', 'address of the admin API')
        .env('LOADOUT_URL')
        .default('http://127.0.0.1:8081')
        .argParser(parseUrl),
    )
    .option('--json', "print the server's response as JSON", false);
}

/** Adds `--env`, and what `withConnection` adds. */
export function withEnvironment(command: Command): Command {
  return withConnection(
    command.addOption(
      new Option('--env <environment>', 'environment to work in')
        .env('LOADOUT_ENV')
        .makeOptionMandatory(),
    ),
  );
}

/** Adds `--wait-fleet`, for a command whose every request that is not a GET publishes what it changes. */
export function withFleetWait(command: Command): Command {
  return command.option(
    '--wait-fleet',
    'wait until all servers of the store serve the change; exit with 1 if some do not',
    false,
  );
}

/** Adds `--yes`, for a command that asks before a dangerous act in a protected environment. */
export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation in a protected environment', false);
}

export function openClient(options: ConnectionOptions): AdminClient {
  return new AdminClient(options.url, readSecret('LOADOUT_TOKEN'), options.waitFleet === true);
}

/** Prints the response: with `--json` the server's own text, otherwise what `format` makes of it. */
export function printResponse<T>(
  options: ConnectionOptions,
  response: ClientResponse<T>,
  format: (response: ClientResponse<T>) => string,
): void {
  if (options.json) printLine(response.text);
  else print(format(response));
}
