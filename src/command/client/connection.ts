/** The options of all commands that use the admin API, and the client they configure. */

import { type Command, Option } from 'commander';
import { defaultUrl, findServer } from '../profile/find-server.js';
import { misuse } from '../terminal/failure.js';
import { print, printLine } from '../terminal/output.js';
import { parseUrl } from '../terminal/parse-option.js';
import { AdminClient, type ClientResponse } from './admin-client.js';

export interface ConnectionOptions {
  readonly url?: string;
  readonly profile?: string;
  readonly json: boolean;
  /** Of commands that publish: wait for all servers that share the store. */
  readonly waitFleet?: boolean;
  /** Of commands that ask before a dangerous act: do not. */
  readonly yes?: boolean;
}

export interface EnvironmentOptions extends ConnectionOptions {
  readonly env: string;
}

/** Adds `--url`, `--profile` and `--json`. */
export function withConnection(command: Command): Command {
  return withServer(command).option('--json', "print the server's response as JSON", false);
}

/** Adds `--url` and `--profile`, for a command whose output has one form. */
export function withServer(command: Command): Command {
  return (
    command
      .addOption(
        new Option(
          '--url <url>',
          `address of the admin API; by default the profile's, or ${defaultUrl}`,
        )
          .env('LOADOUT_URL')
          .argParser(parseUrl),
      )
      // Not `env`: a flag comes before LOADOUT_TOKEN, the variable after it (find-server.ts).
      .option('--profile <profile>', 'profile of `loadout login` (LOADOUT_PROFILE)')
      .hook('preAction', (_, command) => {
        const isFlag = (name: string) => command.getOptionValueSource(name) === 'cli';
        if (isFlag('url') && isFlag('profile')) {
          throw misuse('Give --url or --profile, not both: a profile has an address.');
        }
      })
  );
}

/** Adds `--env`, and what `withConnection` adds. */
export function withEnvironment(command: Command): Command {
  return withConnection(
    command
      .addOption(new Option('--env <environment>', 'environment to work in').env('LOADOUT_ENV'))
      .hook('preAction', (_, command) => {
        if (command.getOptionValue('env') === undefined) {
          throw misuse(
            'Name the environment with --env (or LOADOUT_ENV); `loadout env list` lists them.',
          );
        }
      }),
  );
}

/** As `withEnvironment`, for a command that can do without: `environmentOf` says when it cannot. */
export function withOptionalEnvironment(command: Command): Command {
  const option = new Option('--env <environment>', 'environment to work in').env('LOADOUT_ENV');
  return withConnection(command.addOption(option));
}

/** @throws CommandFailure without an environment, in the parser's words */
export function environmentOf({ env }: { readonly env?: string }): string {
  if (env === undefined) throw misuse("required option '--env <environment>' not specified");
  return env;
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
  const { url, token, profile } = findServer(options);
  const rejected =
    profile === null
      ? null
      : `The token of profile ${profile} is not known at ${url}. \`loadout login --profile ${profile}\` stores another one.`;
  return new AdminClient(url, token, { waitsForFleet: options.waitFleet === true, rejected });
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
