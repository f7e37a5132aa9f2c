/** `loadout evaluate`: what a caller would be given, and why. */

import { Command } from 'commander';
import { adminPath } from './admin-client.js';
import type { EvaluationAnswer } from './answers.js';
import { type EnvironmentOptions, openClient, printAnswer, withEnvironment } from './connection.js';
import { formatEvaluation } from './format-evaluation.js';
import { formatExplanation } from './format-explanation.js';
import { jsonBody, strictJson } from './json-body.js';
import { readUnsavedEdit, type UnsavedEditOptions, withUnsavedEdit } from './unsaved-edit.js';
import { type UserContextOptions, withUserContext } from './user-context.js';

interface EvaluateOptions extends EnvironmentOptions, UserContextOptions, UnsavedEditOptions {
  readonly explain: boolean;
}

export function evaluateCommand(): Command {
  const command = withEnvironment(new Command('evaluate'))
    .description('show what a caller would be given, and why')
    .argument('<content>', 'content id');
  return withUnsavedEdit(withUserContext(command))
    .option('--explain', 'tell in sentences, rule by rule, what decided', false)
    .action(evaluate);
}

async function evaluate(id: string, options: EvaluateOptions): Promise<void> {
  const path = adminPath('environments', options.env, 'evaluate');
  const { user: u, appVersion: v } = options;
  const p = strictJson(options.attributes, '--attributes');
  const { fields, texts } = await readUnsavedEdit(options);
  const body = jsonBody({ id, u, v, ...fields }, { p, ...texts });
  const answer = await openClient(options).call<EvaluationAnswer>('POST', path, body);
  printAnswer(options, answer, options.explain ? formatExplanation : formatEvaluation);
}
