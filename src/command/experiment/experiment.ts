/** `loadout experiment`: what A/B tests did, from the plan to the decision. */

import { Command } from 'commander';
import { addExperimentActs } from './experiment-acts.js';
import { addExperimentEdit } from './experiment-edit.js';
import { addExperimentResults } from './experiment-results.js';
import { addExperimentViews } from './experiment-show.js';

/** In the order in which an experiment goes through them. */
export function experimentCommand(): Command {
  const command = new Command('experiment').description(
    'experiments: what A/B tests did, from the plan to the decision',
  );
  addExperimentViews(command);
  addExperimentEdit(command);
  addExperimentActs(command);
  addExperimentResults(command);
  return command;
}
