/** `loadout release pause|resume|stop|live|revert|cancel`: what is done to a release at once. */

import type { Command } from 'commander';
import type { Release, ReleaseChange } from '../../contract/schemas/release.js';
import type { AdminClient } from '../client/admin-client.js';
import { confirmDangerous } from '../client/confirm-dangerous.js';
import { type FindingsOptions, sendConfirmed, withFindings } from '../client/confirm-findings.js';
import {
  type ConnectionOptions,
  openClient,
  withFleetWait,
  withYes,
} from '../client/connection.js';
import { formatNames } from '../client/format-names.js';
import { finishAct, withWait } from './follow-release.js';
import {
  addReleaseCommand,
  paramsOf,
  printState,
  type ReleaseParams,
  readRelease,
} from './release-options.js';

interface ReasonOptions extends ConnectionOptions {
  readonly reason?: string;
}

interface LiveOptions extends FindingsOptions {
  readonly wait: boolean;
  readonly emergency?: string;
}

interface RevertOptions extends ReasonOptions {
  readonly force: boolean;
  readonly emergency?: string;
}

const emergencyHelp = 'as an owner, without approvals, for this reason; everybody is informed';

export function addReleaseActs(releases: Command): void {
  const pause = addReleaseCommand(releases, 'pause', 'freeze a ramp: the players in it stay in');
  withReason(withFleetWait(pause)).action(pauseRelease);
  const resume = addReleaseCommand(releases, 'resume', 'go on with a paused ramp');
  withFleetWait(resume).action(resumeRelease);
  const stop = addReleaseCommand(releases, 'stop', 'end a ramp: all players get what is live');
  withReason(withYes(withFleetWait(stop))).action(stopRelease);
  const live = addReleaseCommand(releases, 'live', 'make all changes live for all players at once');
  withWait(withFindings(withYes(withFleetWait(live))))
    .option('--emergency <reason>', emergencyHelp)
    .action(makeLive);
  const revert = addReleaseCommand(releases, 'revert', 'restore what was live before, in one step');
  withReason(withYes(withFleetWait(revert)))
    .option('--force', 'also what was changed since the release', false)
    .option('--emergency <reason>', emergencyHelp)
    .action(revertRelease);
  const cancel = addReleaseCommand(releases, 'cancel', 'give a release up before it starts');
  withReason(cancel).action(cancelRelease);
}

function withReason(command: Command): Command {
  return command.option('--reason <text>', 'kept in the timeline');
}

async function pauseRelease(env: string, number: number, options: ReasonOptions): Promise<void> {
  const response = await openClient(options).request(
    'POST /environments/:env/releases/:release/pause',
    { params: paramsOf(env, number), body: { reason: options.reason } },
  );
  printState(options, response);
}

async function resumeRelease(
  env: string,
  number: number,
  options: ConnectionOptions,
): Promise<void> {
  const response = await openClient(options).request(
    'POST /environments/:env/releases/:release/resume',
    { params: paramsOf(env, number), body: {} },
  );
  printState(options, response);
}

async function stopRelease(env: string, number: number, options: ReasonOptions): Promise<void> {
  const client = openClient(options);
  const params = paramsOf(env, number);
  await confirmAct(client, params, options, ({ changes }) => {
    const lost = contentsOf(changes, ({ live, revision }) => live === null && revision !== null);
    return lost.length === 0
      ? null
      : `This takes ${formatNames(lost)} away from the players that are in: nothing else is live of it.`;
  });
  const response = await client.request('POST /environments/:env/releases/:release/stop', {
    params,
    body: { reason: options.reason },
  });
  printState(options, response);
}

async function makeLive(env: string, number: number, options: LiveOptions): Promise<void> {
  const { emergency } = options;
  const client = openClient(options);
  const params = paramsOf(env, number);
  await confirmAct(client, params, options, describeLive);
  const loud = emergency === undefined ? {} : { emergency: { reason: emergency } };
  const response = await sendConfirmed<Release>(options, ({ confirm, query }) =>
    client.request('POST /environments/:env/releases/:release/live', {
      params,
      query,
      body: { ...loud, confirm },
    }),
  );
  await finishAct({ client, params, options }, response);
}

/** One content item that changes is undone by one step, as after `content publish`; null: nothing else happens. */
function describeLive({ title, changes, reach }: Release): string | null {
  const deleted = contentsOf(changes, ({ live, revision }) => live !== null && revision === null);
  const isAboutMore =
    reach.contents.length > 1 || changes.some(({ kind }) => kind === 'environment');
  if (deleted.length === 0 && !isAboutMore) return null;
  const reached =
    reach.contents.length === 0 ? '' : `, which reaches ${formatNames(reach.contents)}`;
  const loss = deleted.length === 0 ? '' : ` It deletes ${formatNames(deleted)}.`;
  return `This makes "${title}" live for all players${reached}.${loss}`;
}

async function revertRelease(env: string, number: number, options: RevertOptions): Promise<void> {
  const { reason, force, emergency } = options;
  const client = openClient(options);
  const params = paramsOf(env, number);
  await confirmAct(client, params, options, ({ title, reach }) => {
    const since = force ? ', also where it was changed since' : '';
    return `This takes "${title}" back, for ${formatNames(reach.contents)}${since}.`;
  });
  const response = await client.request('POST /environments/:env/releases/:release/revert', {
    params,
    body: { reason, force, emergency: emergency === undefined ? undefined : { reason: emergency } },
  });
  printState(options, response);
}

async function cancelRelease(env: string, number: number, options: ReasonOptions): Promise<void> {
  const response = await openClient(options).request(
    'POST /environments/:env/releases/:release/cancel',
    { params: paramsOf(env, number), body: { reason: options.reason } },
  );
  printState(options, response);
}

/** @param describe as in `confirmDangerous` (D68) */
async function confirmAct(
  client: AdminClient,
  params: ReleaseParams,
  { yes }: ConnectionOptions,
  describe: (release: Release) => string | null,
): Promise<void> {
  await confirmDangerous({
    client,
    env: params.env,
    name: params.release,
    yes,
    describe: async () => describe((await readRelease(client, params)).value),
  });
}

type ContentChange = Extract<ReleaseChange, { readonly kind: 'content' }>;

function contentsOf(
  changes: readonly ReleaseChange[],
  keep: (change: ContentChange) => boolean,
): string[] {
  return changes.flatMap((change) =>
    change.kind === 'content' && keep(change) ? [change.id] : [],
  );
}
