/** The action's program: `check` on a pull request, `deploy` after the merge. Node alone, no packages. */
import { readFileSync } from 'node:fs';
import { check } from './check.mjs';
import { deploy } from './deploy.mjs';
import { ActionFailure, annotate, mask } from './workflow.mjs';

const environment = process.env;

/** What the action was given, and the event that started it. */
function readInputs() {
  const needed = ['ACTION_MODE', 'ACTION_DIR', 'LOADOUT_URL', 'LOADOUT_ENV', 'GITHUB_EVENT_PATH'];
  const missing = needed.find((name) => !environment[name]);
  if (missing !== undefined) throw new ActionFailure(`The variable ${missing} is not set.`);
  return {
    mode: environment.ACTION_MODE,
    dir: environment.ACTION_DIR,
    env: environment.LOADOUT_ENV,
    hasToken: Boolean(environment.LOADOUT_TOKEN),
    releaseTo: environment.ACTION_RELEASE_TO ?? '',
    acceptsFindings: environment.ACTION_ACCEPT_FINDINGS === 'true',
    overwrites: environment.ACTION_OVERWRITE === 'true',
    event: JSON.parse(readFileSync(environment.GITHUB_EVENT_PATH, 'utf8')),
  };
}

try {
  for (const name of ['LOADOUT_TOKEN', 'GITHUB_TOKEN']) mask(environment[name]);
  const inputs = readInputs();
  if (inputs.mode === 'check') await check(inputs);
  else if (inputs.mode === 'deploy') await deploy(inputs);
  else throw new ActionFailure(`mode is check or deploy, not ${inputs.mode}.`);
} catch (error) {
  if (!(error instanceof ActionFailure)) throw error;
  annotate('error', error.message);
  process.exitCode = 1;
}
