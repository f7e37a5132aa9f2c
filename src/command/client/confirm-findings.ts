/**
 * Asks about findings before values that probably are a mistake reach players (D91): a person at a terminal is asked about
 * every finding, a script sends what its options say. Without a terminal and without options a request is sent as it always was.
 */

import type { Command } from 'commander';
import type { Finding } from '../../contract/schemas/guard.js';
import { confirm as askPerson } from '../terminal/confirm.js';
import { io } from '../terminal/io.js';
import { oneLine, printNote } from '../terminal/output.js';
import type { ClientResponse } from './admin-client.js';
import { ConfirmationRequired } from './confirmation-required.js';
import type { ConnectionOptions } from './connection.js';

export interface FindingsOptions extends ConnectionOptions {
  /** The digest of the findings that were looked at. */
  readonly confirm?: string;
  readonly strict?: boolean;
}

/** What goes along with a request that publishes. */
export interface ConfirmArguments {
  readonly confirm: string | undefined;
  readonly query: { readonly strict: 'true' | undefined };
}

/** Adds `--confirm` and `--strict`. The command has a `--yes`. */
export function withFindings(command: Command): Command {
  return command
    .option('--confirm <digest>', 'publish in spite of the findings that have this digest')
    .option('--strict', 'fail while there are unconfirmed findings', false);
}

/** Adds `--yes` as well, for a command that asks nothing else. */
export function withFindingsAndYes(command: Command): Command {
  return withFindings(command.option('--yes', 'do not ask, publish in spite of findings', false));
}

/**
 * Sends a request that publishes; if it has to be confirmed, a person is asked, and `--yes` confirms.
 * @param send makes the request
 * @throws CommandFailure
 */
export async function sendConfirmed<T>(
  options: FindingsOptions,
  send: (asked: ConfirmArguments) => Promise<ClientResponse<T>>,
): Promise<ClientResponse<T>> {
  const { confirm, yes, strict } = options;
  const isPerson = io().stdin.isTTY === true && io().stderr.isTTY === true;
  const asks = confirm === undefined && yes !== true && isPerson;
  const query = { strict: strict === true || asks ? ('true' as const) : undefined };
  try {
    return await send({ confirm, query });
  } catch (error) {
    const isAsked = error instanceof ConfirmationRequired && (asks || yes === true);
    if (!isAsked || confirm !== undefined) throw error;
    if (asks) {
      printFindings(error.findings);
      await askPerson('The change with these findings is about to reach players.', 'yes', false);
    }
    return send({ confirm: error.digest, query });
  }
}

function printFindings(findings: readonly Finding[]): void {
  for (const { content, path, message } of findings) {
    printNote(oneLine(`finding: ${content}${path}: ${message}`));
  }
}
