/** `loadout experiment results`: what an experiment did, its health first. Exits with 1 if its split is broken. */

import type { Command } from 'commander';
import { type ConnectionOptions, openClient, printResponse } from '../client/connection.js';
import { io } from '../terminal/io.js';
import { parseRevision } from '../terminal/parse-option.js';
import { addExperimentCommand } from './experiment-options.js';
import { formatResults } from './format-results.js';

interface ResultsOptions extends ConnectionOptions {
  readonly phase?: number;
  readonly by?: string;
  readonly all: boolean;
}

export function addExperimentResults(experiments: Command): void {
  addExperimentCommand(
    experiments,
    'results',
    'show who was in, whether it was fair, and what changed; exit with 1 if it is broken',
  )
    .option('--phase <number>', 'of this phase; otherwise the newest', parseRevision)
    .option('--all', 'also the metrics that the plan does not name', false)
    .option('--by <attribute>', 'split the primary metric by it as well: exploratory')
    .action(showResults);
}

async function showResults(env: string, id: string, options: ResultsOptions): Promise<void> {
  const { phase, by, all } = options;
  const response = await openClient(options).request(
    'GET /environments/:env/experiments/:id/results',
    { params: { env, id }, query: { phase, segment: by } },
  );
  printResponse(options, response, ({ value }) => formatResults(value, all));
  if (response.value.health.status === 'broken') io().exitCode = 1;
}
