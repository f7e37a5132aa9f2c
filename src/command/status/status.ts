/** `loadout status`: one screen about a server: what is wrong, its nodes, its environments, and releases under way. */

import { Command } from 'commander';
import type { Environment } from '../../contract/operations/environments.js';
import type { Finding } from '../../contract/operations/health/findings.js';
import type { FleetNode } from '../../contract/operations/nodes.js';
import type { ReleaseSummary } from '../../contract/schemas/release.js';
import type { AdminClient } from '../client/admin-client.js';
import { type ConnectionOptions, openClient, withConnection } from '../client/connection.js';
import { findServer } from '../profile/find-server.js';
import { io } from '../terminal/io.js';
import { print, printLine } from '../terminal/output.js';
import { formatStatus } from './format-status.js';

export interface Status {
  readonly url: string;
  readonly profile: string | null;
  /** Of the server that responded; null: it is not among its nodes yet. */
  readonly version: string | null;
  readonly state: 'healthy' | 'attention' | 'failing';
  readonly findings: readonly Finding[];
  /** The newest one of the store, which counts the changes of all environments. */
  readonly sequence: number;
  readonly nodes: readonly FleetNode[];
  readonly environments: readonly EnvironmentStatus[];
}

export interface EnvironmentStatus extends Pick<Environment, 'id' | 'name' | 'protected'> {
  readonly contents: { readonly total: number; readonly live: number; readonly drafts: number };
  /** Running ones. */
  readonly experiments: number;
  /** Those that ramp, are paused or are scheduled. */
  readonly releases: readonly ReleaseSummary[];
}

/** Overviews that are asked for at once. */
const concurrentMax = 4;

export function statusCommand(): Command {
  return withConnection(new Command('status'))
    .description('show in one screen how a server is: findings, nodes, environments, releases')
    .addHelpText(
      'after',
      '\nExit codes: 0 healthy, or something needs attention; 1 failing, or the server cannot be asked; 2 wrong usage.',
    )
    .action(showStatus);
}

async function showStatus(options: ConnectionOptions): Promise<void> {
  const { url, profile } = findServer(options);
  const client = openClient(options);
  const [health, fleet, list] = await Promise.all([
    client.request('GET /health/findings', {}),
    client.request('GET /nodes', {}),
    client.request('GET /environments', {}),
  ]);
  const { state, findings } = health.value;
  const { sequence, nodes } = fleet.value;
  const environments = await readEnvironments(client, list.value.environments);
  const version = nodes.find(({ self }) => self)?.version ?? null;
  const status = { url, profile, version, state, findings, sequence, nodes, environments };
  if (options.json) printLine(JSON.stringify(status));
  else print(formatStatus(status));
  if (state === 'failing') io().exitCode = 1;
}

async function readEnvironments(
  client: AdminClient,
  environments: readonly Environment[],
): Promise<EnvironmentStatus[]> {
  const read: EnvironmentStatus[] = [];
  for (let at = 0; at < environments.length; at += concurrentMax) {
    const some = environments.slice(at, at + concurrentMax);
    read.push(...(await Promise.all(some.map((environment) => readOne(client, environment)))));
  }
  return read;
}

async function readOne(
  client: AdminClient,
  { id, name, protected: isProtected }: Environment,
): Promise<EnvironmentStatus> {
  const { value } = await client.request('GET /environments/:env/overview', {
    params: { env: id },
  });
  const { contents, experiments, releases } = value;
  return {
    ...{ id, name, protected: isProtected, contents },
    experiments: experiments.total,
    releases: releases.active.list,
  };
}
