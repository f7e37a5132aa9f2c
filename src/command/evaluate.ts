/** `loadout evaluate`: what a caller would be given, and why. */

import { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { EvaluationAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { formatEvaluation } from './format-evaluation.js';
import { jsonBody, strictJson } from './json-body.js';
import { parseAppVersion, parseMoment, parseRevision } from './parse-option.js';

interface EvaluateOptions extends EnvironmentOptions {
  readonly user: string;
  readonly attributes: string;
  readonly appVersion?: string;
  readonly at?: string;
  readonly revision?: number;
}

export function evaluateCommand(): Command {
  return withEnvironment(new Command('evaluate'))
    .description('show what a caller would be given, and why')
    .argument('<content>', 'content id')
    .option('-u, --user <id>', 'unique user identifier', '')
    .option('-p, --attributes <json>', 'attributes for segmentation, a JSON object', '{}')
    .option('-v, --app-version <version>', 'version of the app', parseAppVersion)
    .option('--at <when>', 'another moment: a time, a date, or 30d or 12h from now', parseMoment)
    .option('--revision <number>', 'a saved revision instead of the live one', parseRevision)
    .action(evaluate);
}

async function evaluate(id: string, options: EvaluateOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'evaluate');
  const { user: u, appVersion: v, at, revision } = options;
  const p = strictJson(options.attributes, '--attributes');
  const body = jsonBody({ id, u, v, at, revision }, { p });
  const answer = await openClient(options).call<EvaluationAnswer>('POST', path, body);
  printAnswer(options, answer, formatEvaluation);
}
