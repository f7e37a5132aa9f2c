/** `loadout release schedule|start`: begins a ramp, now or at an instant. */

import type { Command } from 'commander';
import { toleranceMinutesMax } from '../../contract/limits.js';
import type { Release } from '../../contract/schemas/release.js';
import {
  type FindingsOptions,
  sendConfirmed,
  withFindingsAndYes,
} from '../client/confirm-findings.js';
import { openClient, withFleetWait } from '../client/connection.js';
import { parseMinutes } from '../terminal/parse-option.js';
import { aheadHelp, never, parseMomentOrNever } from '../terminal/parse-time.js';
import { finishAct, withWait } from './follow-release.js';
import { addReleaseCommand, paramsOf } from './release-options.js';

interface WaitOptions extends FindingsOptions {
  readonly wait: boolean;
}

interface ScheduleOptions extends WaitOptions {
  readonly tolerance?: number;
}

export function addReleaseSchedule(releases: Command): void {
  const schedule = addReleaseCommand(
    releases,
    'schedule',
    'start the ramp (or, without steps, go live) at a time, once',
  )
    .argument(
      '<when>',
      `such as ${aheadHelp}; or never to take the schedule back`,
      parseMomentOrNever,
    )
    .option(
      '--tolerance <duration>',
      `how late it may start before it fails, such as 1h, the default; at most ${toleranceMinutesMax / 24 / 60}d`,
      parseMinutes,
    );
  withWait(withFindingsAndYes(schedule)).action(scheduleRelease);
  const start = addReleaseCommand(releases, 'start', 'start the ramp with its first step');
  withWait(withFindingsAndYes(withFleetWait(start.alias('ramp')))).action(startRelease);
}

async function scheduleRelease(
  env: string,
  number: number,
  when: string,
  options: ScheduleOptions,
): Promise<void> {
  const client = openClient(options);
  const params = paramsOf(env, number);
  const at = when === never ? null : when;
  const response = await sendConfirmed<Release>(options, ({ confirm, query }) =>
    client.request('POST /environments/:env/releases/:release/schedule', {
      params,
      query,
      body: { at, toleranceMinutes: options.tolerance, confirm },
    }),
  );
  await finishAct({ client, params, options }, response);
}

async function startRelease(env: string, number: number, options: WaitOptions): Promise<void> {
  const client = openClient(options);
  const params = paramsOf(env, number);
  const response = await sendConfirmed<Release>(options, ({ confirm, query }) =>
    client.request('POST /environments/:env/releases/:release/start', {
      params,
      query,
      body: { confirm },
    }),
  );
  await finishAct({ client, params, options }, response);
}
