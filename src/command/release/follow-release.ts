/** `--wait`: follows a release from step to step until it is live, or until a person or a brake ends its way there. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Release } from '../../contract/schemas/release.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import type { ConnectionOptions } from '../client/connection.js';
import { CommandFailure } from '../terminal/failure.js';
import { io } from '../terminal/io.js';
import { followEveryMs, followOutageMsMax } from '../terminal/limits.js';
import { oneLine, printNote } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { formatCounts, formatState } from './format-release.js';
import { printState, type ReleaseParams, readRelease } from './release-options.js';

interface Act {
  readonly client: AdminClient;
  readonly params: ReleaseParams;
  readonly options: ConnectionOptions & { readonly wait: boolean };
}

/** Adds `--wait`. */
export function withWait(command: Command): Command {
  return command.option(
    '--wait',
    'follow the release until it is live (exit code 0), or is stopped, paused or has failed (1)',
    false,
  );
}

/** Prints the result of an act; with `--wait`, once nothing more happens by itself. */
export async function finishAct(act: Act, response: ClientResponse<Release>): Promise<void> {
  const { options } = act;
  if (!options.wait) {
    printState(options, response);
    return;
  }
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    const last = await follow(act, response, ended.signal);
    printState(options, last);
    if (last.value.state !== 'live') io().exitCode = 1;
    if (!ended.signal.aborted || !goesOn(last.value)) return;
    printNote(
      `The release goes on without this command. \`loadout release pause ${act.params.env} ${act.params.release}\` pauses it.`,
    );
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

function goesOn({ state }: Release): boolean {
  return state === 'scheduled' || state === 'ramping';
}

/** @returns the release as it was last seen */
async function follow(
  { client, params }: Act,
  first: ClientResponse<Release>,
  signal: AbortSignal,
): Promise<ClientResponse<Release>> {
  const progress = new Progress(`release ${params.release}`);
  let last = first;
  printNote(`${formatState(first.value)} Ctrl-C ends this command, not the release.`);
  while (goesOn(last.value) && !signal.aborted) {
    progress.show(last.value.ramp === null ? last.value.state : formatCounts(last.value.ramp));
    const next = await readLater(client, params, signal);
    if (next === null) break;
    const passed = formatPassedSteps(last.value, next.value);
    if (passed.length > 0) progress.end();
    for (const line of passed) printNote(line);
    last = next;
  }
  progress.end();
  return last;
}

/**
 * The release a moment later. A server that restarts or a leader that changes does not end the ramp, so it does not end this.
 * @returns null: the signal came first
 * @throws CommandFailure when the release could not be read for `followOutageMsMax`
 */
async function readLater(
  client: AdminClient,
  params: ReleaseParams,
  signal: AbortSignal,
): Promise<ClientResponse<Release> | null> {
  const untilMs = performance.now() + followOutageMsMax;
  let isNoted = false;
  while (await passes(followEveryMs, signal)) {
    try {
      return await readRelease(client, params);
    } catch (error) {
      if (!(error instanceof CommandFailure) || performance.now() > untilMs) throw error;
      if (!isNoted) printNote(`${error.message} Trying again.`);
      isNoted = true;
    }
  }
  return null;
}

/** false: the signal came first. */
async function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** A line for each step that is over, with its counts as they were last seen; steps between two looks have none. */
function formatPassedSteps(before: Release, now: Release): string[] {
  const from = before.ramp?.step ?? 0;
  const isSameRun = before.ramp === null || before.ramp.run === now.ramp?.run;
  const to = now.ramp === null || !isSameRun ? endOf(before, now) : now.ramp.step;
  return before.steps.slice(from, to).map(({ percent }, at) => {
    const seen = at === 0 && before.ramp !== null ? `: ${formatCounts(before.ramp)}` : '';
    return oneLine(`step ${from + at + 1} of ${before.steps.length}, ${percent} %${seen}`);
  });
}

/** Where the ramp ended: going live passes all steps, anything else only the one that was seen. */
function endOf(before: Release, now: Release): number {
  if (now.state === 'live') return before.steps.length;
  return before.ramp === null ? 0 : before.ramp.step + 1;
}
