/** `loadout experiment list|show`: shows experiments. */

import { type Command, Option } from 'commander';
import type {
  Experiment,
  ExperimentState,
  ExperimentSummary,
} from '../../contract/schemas/experiment.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
} from '../client/connection.js';
import { type FilterOptions, printList, withFilter } from '../client/list-filter.js';
import { oneLine } from '../terminal/output.js';
import type { Column } from '../terminal/table.js';
import { addExperimentCommand, formatDays, formatState } from './experiment-options.js';

interface ListOptions extends ConnectionOptions, FilterOptions {
  readonly state?: ExperimentState;
}

/** The contract's list would load zod with every command. */
const states: readonly ExperimentState[] = ['draft', 'running', 'stopped', 'decided'];

const columns: readonly Column<ExperimentSummary>[] = [
  { title: 'EXPERIMENT', text: ({ id }) => id },
  { title: 'STATE', text: ({ state }) => state },
  {
    title: 'WINNER',
    text: ({ decision }) => (decision === null ? '' : (decision.variant ?? 'none')),
  },
  { title: 'DAYS', text: (experiment) => formatDays(experiment, Date.now()) },
  { title: 'RULE', text: ({ content, segment }) => `${content}, ${segment}` },
  { title: 'METRIC', text: ({ primaryMetric }) => primaryMetric ?? '' },
  { title: 'OWNER', text: ({ owner }) => owner },
  { title: 'NAME', text: ({ name }) => name },
];

export function addExperimentViews(experiments: Command): void {
  withFilter(withConnection(experiments.command('list')), 'experiments')
    .description('list the experiments of an environment, newest first')
    .argument('<environment>', 'environment of the experiments')
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .action(listExperiments);
  addExperimentCommand(experiments, 'show', 'show the plan, the phases and the log')
    .alias('get')
    .action(showExperiment);
}

async function listExperiments(env: string, options: ListOptions): Promise<void> {
  const response = await openClient(options).request('GET /environments/:env/experiments', {
    params: { env },
    query: { state: options.state },
  });
  printList(options, response, 'experiments', ({ id }) => id, columns);
}

async function showExperiment(env: string, id: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request('GET /environments/:env/experiments/:id', {
    params: { env, id },
  });
  printResponse(options, response, ({ value }) => formatExperiment(env, value));
}

function formatExperiment(env: string, experiment: Experiment): string {
  const { name, hypothesis, owner, content, segment, control, decision } = experiment;
  const { primaryMetric, guardMetrics, smallestEffect, variants, phases, log } = experiment;
  const lines = [
    name,
    formatState(env, experiment),
    ...(hypothesis === '' ? [] : [`Hypothesis: ${hypothesis}`]),
    ...(owner === '' ? [] : [`Owner: ${owner}`]),
    `Rule: ${segment} of ${content}`,
    `Variants: ${variants.length === 0 ? 'none: no such rule is saved' : variants.map((variant) => formatVariant(variant, control)).join(', ')}`,
    `Assigned by: ${formatDraw(experiment)}`,
    `Primary metric: ${primaryMetric ?? 'none'}`,
    `Guards: ${guardMetrics.length === 0 ? 'none' : guardMetrics.join(', ')}`,
    `Plan: ${formatDays(experiment, Date.now())}, smallest effect ${Number((smallestEffect * 100).toFixed(3))} %`,
    ...(decision === null ? [] : [formatDecision(decision)]),
  ];
  if (phases.length > 1) {
    lines.push('', 'Phases:');
    for (const { number, startedAt, endedAt, reason } of phases) {
      lines.push(`  ${number}: ${startedAt} to ${endedAt ?? 'now'}: ${reason}`);
    }
  }
  if (log.length > 0) {
    lines.push('', 'Log:');
    for (const { at, user, what } of log) lines.push(`  ${at} ${user}: ${what}`);
  }
  return `${lines.map(oneLine).join('\n')}\n`;
}

type Variant = Experiment['variants'][number];

function formatVariant({ name, groups: [from, to] }: Variant, control: string): string {
  return `${name} ${from}-${to}${name === control ? ' (control)' : ''}`;
}

function formatDraw({ salt, layer, slice }: Experiment): string {
  const seed = salt === null ? 'no salt' : `salt ${salt}`;
  if (layer === null) return seed;
  return `${seed}, layer ${layer}${slice === null ? '' : ` ${slice[0]}-${slice[1]}`}`;
}

function formatDecision(decision: NonNullable<Experiment['decision']>): string {
  const { variant, by, note, release } = decision;
  const into = release === null ? '' : ` in release ${release}`;
  const why = note === '' ? '' : `: ${note}`;
  return `Decided by ${by}: ${variant ?? 'no variant'}${into}${why}`;
}
