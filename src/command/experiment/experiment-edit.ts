/** `loadout experiment create|edit|delete`: the plan of an experiment. */

import type { Command } from 'commander';
import { guardMetricsMax, plannedDaysMax, smallestEffectMax } from '../../contract/limits.js';
import { type ConnectionOptions, openClient, printResponse } from '../client/connection.js';
import { naming, type OptionOfMember } from '../client/option-errors.js';
import { printWarnings } from '../client/problem.js';
import { misuse } from '../terminal/failure.js';
import { collect, parseNumber, wholeNumber } from '../terminal/parse-option.js';
import { addExperimentCommand, printState } from './experiment-options.js';

interface PlanOptions extends ConnectionOptions {
  readonly name?: string;
  readonly hypothesis?: string;
  readonly owner?: string;
  readonly control?: string;
  readonly metric?: string;
  readonly guard?: readonly string[];
  readonly days?: number;
  /** Percent. */
  readonly effect?: number;
}

interface CreateOptions extends PlanOptions {
  readonly content: string;
  readonly rule: string;
  readonly control: string;
}

const optionNames: readonly OptionOfMember[] = [
  ['name', '--name'],
  ['hypothesis', '--hypothesis'],
  ['owner', '--owner'],
  ['control', '--control'],
  ['content', '--content'],
  ['segment', '--rule'],
  ['primaryMetric', '--metric'],
  ['guardMetrics', '--guard'],
  ['plannedDays', '--days'],
  ['smallestEffect', '--effect'],
];

export function addExperimentEdit(experiments: Command): void {
  const create = addExperimentCommand(
    experiments,
    'create',
    'make an experiment of a rule with variants; nothing is delivered or counted yet',
  )
    .requiredOption('--content <id>', 'content of the rule')
    .requiredOption('--rule <name>', 'name of the rule with the variants, its segment')
    .requiredOption('--control <variant>', 'the variant that the others are compared with');
  withPlan(create).action(createExperiment);
  const edit = addExperimentCommand(experiments, 'edit', 'change the plan')
    .alias('update')
    .option('--control <variant>', 'the variant that the others are compared with');
  withPlan(edit).action(editExperiment);
  addExperimentCommand(experiments, 'delete', 'delete an experiment that was never started').action(
    deleteExperiment,
  );
}

function withPlan(command: Command): Command {
  return command
    .option('--name <name>', 'what it is, for people')
    .option('--hypothesis <text>', 'what is expected to happen, and why')
    .option('--owner <name>', 'who answers for it: a person or a team')
    .option('--metric <name>', 'the metric that decides')
    .option('--guard <name>', 'a metric that must not get worse; repeatable', collect)
    .option('--days <count>', 'how long it is to run', wholeNumber(1, plannedDaysMax))
    .option('--effect <percent>', 'smallest effect worth finding, such as 5', parseNumber);
}

function planOf(options: PlanOptions) {
  const { name, hypothesis, owner, control, metric, guard, days, effect } = options;
  if (guard !== undefined && guard.length > guardMetricsMax) {
    throw misuse(`--guard may be given ${guardMetricsMax} times.`);
  }
  if (effect !== undefined && (effect <= 0 || effect > smallestEffectMax * 100)) {
    throw misuse(`--effect must be above 0 and at most ${smallestEffectMax * 100}.`);
  }
  return {
    ...{ name, hypothesis, owner, control },
    primaryMetric: metric,
    guardMetrics: guard === undefined ? undefined : [...guard],
    plannedDays: days,
    smallestEffect: effect === undefined ? undefined : effect / 100,
  };
}

async function createExperiment(env: string, id: string, options: CreateOptions): Promise<void> {
  const { content, rule, control } = options;
  const body = { ...planOf(options), id, content, segment: rule, control };
  const response = await openClient(options).request(
    'POST /environments/:env/experiments',
    { params: { env }, body },
    naming(optionNames),
  );
  printState(options, env, response);
  // An older server has none.
  printWarnings(response.value.warnings ?? []);
}

async function editExperiment(env: string, id: string, options: PlanOptions): Promise<void> {
  const body = planOf(options);
  if (Object.values(body).every((value) => value === undefined)) {
    throw misuse('Nothing to change: see loadout experiment edit --help.');
  }
  const response = await openClient(options).request(
    'PATCH /environments/:env/experiments/:id',
    { params: { env, id }, body },
    naming(optionNames),
  );
  printState(options, env, response);
}

async function deleteExperiment(
  env: string,
  id: string,
  options: ConnectionOptions,
): Promise<void> {
  const response = await openClient(options).request('DELETE /environments/:env/experiments/:id', {
    params: { env, id },
  });
  printResponse(options, response, () => `Deleted ${id}.\n`);
}
