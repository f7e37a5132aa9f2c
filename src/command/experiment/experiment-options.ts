/** What all commands of an experiment share: which one is meant, and the line that says where it stands. */

import type { Command } from 'commander';
import type { Experiment, ExperimentSummary } from '../../contract/schemas/experiment.js';
import type { ClientResponse } from '../client/admin-client.js';
import { type ConnectionOptions, printResponse, withConnection } from '../client/connection.js';
import { counted } from '../terminal/counted.js';
import { oneLine } from '../terminal/output.js';

/** Adds a command that is about one experiment, with its arguments `<environment> <experiment>`. */
export function addExperimentCommand(
  experiments: Command,
  name: string,
  description: string,
): Command {
  return withConnection(experiments.command(name))
    .description(description)
    .argument('<environment>', 'environment of the experiment')
    .argument('<experiment>', 'id of the experiment');
}

/** `Experiment shop-prices of prod is running, phase 1, since 2026-11-21T09:00:00Z.` */
export function formatState(env: string, experiment: Experiment): string {
  return oneLine(`Experiment ${experiment.id} of ${env} ${stateText(experiment)}.`);
}

function stateText({ state, phase, phaseStartedAt, stoppedAt, decision }: Experiment): string {
  switch (state) {
    case 'draft':
      return 'is a draft';
    case 'running':
      return `is running, phase ${phase}, since ${phaseStartedAt}`;
    case 'stopped':
      return `was stopped at ${stoppedAt}`;
    case 'decided':
      return `is decided: ${decision?.variant ?? 'no variant, the rule goes'}${releaseText(decision)}`;
  }
}

/** Players have a decision once its release is live. */
function releaseText(decision: Experiment['decision']): string {
  if (decision === null || decision.release === null) return '';
  const { release, releaseState } = decision;
  return `, with release ${release} (${releaseState ?? 'deleted'})`;
}

const dayMs = 86_400_000;

/** `4 of 14 days`. */
export function formatDays(
  { startedAt, stoppedAt, decidedAt, plannedDays }: ExperimentSummary,
  nowMs: number,
): string {
  if (startedAt === null) return counted(plannedDays, 'day');
  const end = stoppedAt ?? decidedAt;
  const endMs = end === null ? nowMs : Date.parse(end);
  const days = Math.max(1, Math.ceil((endMs - Date.parse(startedAt)) / dayMs));
  return `${days} of ${counted(plannedDays, 'day')}`;
}

export function printState(
  options: ConnectionOptions,
  env: string,
  response: ClientResponse<Experiment>,
): void {
  printResponse(options, response, ({ value }) => `${formatState(env, value)}\n`);
}
