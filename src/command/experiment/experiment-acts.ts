/** `loadout experiment start|stop|decide`: what becomes of an experiment. */

import type { Command } from 'commander';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withFleetWait,
} from '../client/connection.js';
import { misuse } from '../terminal/failure.js';
import { addExperimentCommand, formatState, printState } from './experiment-options.js';

interface NoteOptions extends ConnectionOptions {
  readonly note?: string;
}

interface DecideOptions extends NoteOptions {
  readonly variant?: string;
  readonly none: boolean;
  readonly keepRule: boolean;
}

const promotedTexts = {
  text: 'The winner’s values go into the text, and the rule is removed.',
  rule: 'The rule stays without variants, and has the winner’s values.',
} as const;

export function addExperimentActs(experiments: Command): void {
  const start = addExperimentCommand(
    experiments,
    'start',
    'count users from now on and freeze what assigns them to variants; players receive what they did before',
  );
  withFleetWait(start).action(startExperiment);
  const stop = addExperimentCommand(
    experiments,
    'stop',
    'count no more users; the rule stays live',
  );
  withFleetWait(stop).option('--note <text>', 'kept in the log').action(stopExperiment);
  const decide = addExperimentCommand(
    experiments,
    'decide',
    'make a draft release that promotes the winner and removes the variants',
  );
  withFleetWait(decide)
    .option('--variant <name>', 'the winner')
    .option('--none', 'no winner: the rule only goes', false)
    .option('--keep-rule', 'keep a rule with the winner’s values, not only the text', false)
    .option('--note <text>', 'why; kept with the decision')
    .action(decideExperiment);
}

async function startExperiment(env: string, id: string, options: ConnectionOptions): Promise<void> {
  const response = await openClient(options).request(
    'POST /environments/:env/experiments/:id/start',
    { params: { env, id }, body: {} },
  );
  printState(options, env, response);
}

async function stopExperiment(env: string, id: string, options: NoteOptions): Promise<void> {
  const response = await openClient(options).request(
    'POST /environments/:env/experiments/:id/stop',
    { params: { env, id }, body: { note: options.note } },
  );
  printState(options, env, response);
}

async function decideExperiment(env: string, id: string, options: DecideOptions): Promise<void> {
  const { variant, none, keepRule, note } = options;
  if ((variant === undefined) !== none) throw misuse('Give either --variant or --none.');
  const response = await openClient(options).request(
    'POST /environments/:env/experiments/:id/decide',
    { params: { env, id }, body: { variant: variant ?? null, keepRule, note } },
  );
  printResponse(options, response, ({ value: { experiment, release, promoted } }) => {
    const state = `${formatState(env, experiment)}\n`;
    if (release === null)
      return `${state}The rule is not live any longer: nothing follows from it.\n`;
    const where = promoted === null ? 'The rule is removed.' : promotedTexts[promoted];
    return `${state}${where} Nothing changes for players until release ${release} goes live.\n`;
  });
}
