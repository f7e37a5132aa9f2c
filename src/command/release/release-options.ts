/** What all commands of a release share: which release is meant, the request that reads it, and the line that says where it stands. */

import type { Command } from 'commander';
import type { Release } from '../../contract/schemas/release.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { type ConnectionOptions, printResponse, withConnection } from '../client/connection.js';
import { parseRelease } from '../terminal/parse-option.js';
import { formatState } from './format-release.js';

/** Adds a command that is about one release, with its arguments `<environment> <release>`. */
export function addReleaseCommand(releases: Command, name: string, description: string): Command {
  return withConnection(releases.command(name))
    .description(description)
    .argument('<environment>', 'environment of the release')
    .argument('<release>', 'number of the release', parseRelease);
}

/** Parameters of the path. */
export interface ReleaseParams {
  readonly env: string;
  readonly release: string;
}

export function paramsOf(env: string, release: number): ReleaseParams {
  return { env, release: String(release) };
}

export function readRelease(
  client: AdminClient,
  params: ReleaseParams,
): Promise<ClientResponse<Release>> {
  return client.request('GET /environments/:env/releases/:release', { params });
}

/** Prints where the release stands now: `Release 3 of prod is approved.` */
export function printState(options: ConnectionOptions, response: ClientResponse<Release>): void {
  printResponse(options, response, ({ value }) => `${formatState(value)}\n`);
}
