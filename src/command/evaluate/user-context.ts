/** The options that make one user context: what a game client would send. */

import type { Command } from 'commander';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { parseAppVersion } from '../terminal/parse-option.js';

export interface UserContextOptions {
  readonly user: string;
  readonly attributes: string;
  readonly appVersion?: string;
}

/** Adds `--user`, `--attributes` and `--app-version`. */
export function withUserContext(command: Command): Command {
  return command
    .option('-u, --user <id>', 'user id', '')
    .option('-p, --attributes <json>', 'attributes for segmentation, a JSON object', '{}')
    .option('-v, --app-version <version>', 'version of the app', parseCallerVersion);
}

/** Empty counts as none, as it does when a client sends it. */
function parseCallerVersion(text: string): string {
  return text === '' ? text : parseAppVersion(text);
}

/** JSON text of the context, its attributes as they were written. */
export function userContext({ user: u, appVersion: v, attributes }: UserContextOptions): string {
  return jsonBody({ u, v }, { p: strictJson(attributes, '--attributes') });
}
