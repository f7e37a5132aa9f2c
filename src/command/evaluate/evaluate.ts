/** `loadout evaluate`: what a caller would be given, and why. */

import { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import type { Evaluation } from '../../contract/operations/evaluate.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
} from '../client/connection.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { formatEvaluation, formatExplanation, formatSegment, isPast } from './format-evaluation.js';
import { readUnsavedEdit, type UnsavedEditOptions, withUnsavedEdit } from './unsaved-edit.js';
import { type UserContextOptions, withUserContext } from './user-context.js';

interface EvaluateOptions extends EnvironmentOptions, UserContextOptions, UnsavedEditOptions {
  readonly explain: boolean;
}

const past =
  'a past time shows what was live then, with the segments of that time (unsaved edits use the current segments); a time to come, what scheduled releases without steps will have made live by then';

export function evaluateCommand(): Command {
  const command = withEnvironment(new Command('evaluate'))
    .description('show what a player would get, and why')
    .argument('<content>', 'content id');
  return withUnsavedEdit(withUserContext(command), past)
    .option('--explain', 'explain the result in sentences, rule by rule', false)
    .action(evaluate);
}

async function evaluate(id: string, options: EvaluateOptions): Promise<void> {
  const { user: u, appVersion: v } = options;
  const p = strictJson(options.attributes, '--attributes');
  const { fields, texts } = await readUnsavedEdit(options);
  const body = jsonBody({ id, u, v, ...fields }, { p, ...texts });
  const response = await openClient(options).request('POST /environments/:env/evaluate', {
    params: { env: options.env },
    body: new JsonText(body),
  });
  const format = options.explain ? formatExplanation : formatEvaluation;
  printResponse(
    options,
    response,
    (evaluated) => formatAsOf(evaluated.value, options) + format(evaluated),
  );
}

/** Which revisions held at a time in the past, or will hold at one to come; '' where the present is shown. */
function formatAsOf(value: Evaluation, { at, revision }: EvaluateOptions): string {
  if (at !== undefined && !isPast(at) && value.release !== null) {
    return `As of ${value.at}: revision ${value.revision}, with release ${value.release}.\n`;
  }
  if (!isPast(at) || value.unsaved || value.revision === null) return '';
  const which = revision === undefined ? ', which was live then' : '';
  const held = [`revision ${value.revision}${which}`, ...value.segments.map(formatSegment)];
  return `As of ${value.at}: ${held.join('; ')}.\n`;
}
