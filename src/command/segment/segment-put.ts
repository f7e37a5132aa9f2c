/** `loadout segment put`: saves a condition, and asks first where that changes what is delivered. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import type { SegmentPlan } from '../../contract/operations/segments.js';
import type { SavedSegment } from '../../contract/schemas/segment.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import { type FindingsOptions, sendConfirmed } from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
} from '../client/connection.js';
import { formatNames } from '../client/format-names.js';
import { printWarnings } from '../client/problem.js';
import { confirm } from '../terminal/confirm.js';
import { misuse } from '../terminal/failure.js';
import { jsonBody, strictJson } from '../terminal/json-body.js';
import { readText, standardInput } from '../terminal/text-file.js';
import { type ContextLine, contextList, readContexts } from './contexts-file.js';

interface PutOptions extends EnvironmentOptions, FindingsOptions {
  readonly when?: string;
  readonly description?: string;
  readonly note: string;
  readonly contexts?: string;
  readonly draft: boolean;
  readonly dryRun: boolean;
}

const route = 'PUT /environments/:env/segments/:name';

export function addSegmentPut(segments: Command): void {
  withFleetWait(withEnvironment(segments.command('put <segment> [file]')))
    .description('create or change a segment, with the condition from a file, - or --when')
    .option('--when <condition>', 'the condition itself, as JSON')
    .option('--description <text>', 'what the segment is for')
    .option('--note <text>', 'reason for the change, kept in the history', '')
    .option('--contexts <file>', 'user contexts, one per line, to count how many enter and leave')
    .option('--draft', 'save without publishing, for a release', false)
    .option('--dry-run', 'show what would change, save nothing', false)
    .option('--yes', 'do not ask for confirmation before changing what is live', false)
    .option('--confirm <digest>', 'change the running experiments that this digest stands for')
    .action(putSegment);
}

async function putSegment(
  name: string,
  file: string | undefined,
  options: PutOptions,
): Promise<void> {
  const when = await readWhen(file, options);
  const contexts = options.contexts === undefined ? null : await readContexts(options.contexts);
  const { description, note } = options;
  const publish = options.draft ? false : undefined;
  const client = openClient(options);
  const params = { env: options.env, name };
  const list = contexts === null ? undefined : contextList(contexts);
  const plan = await planPut(client, params, { description, publish }, { when, contexts: list });
  if (options.dryRun) {
    printResponse(options, plan, ({ value }) => formatPlan(name, value, contexts ?? []));
    printWarnings(plan.value.warnings);
    return;
  }
  const { changed, reaches, effect, updatedAt } = plan.value;
  if (changed && reaches.length > 0) {
    const who = effect === null ? '' : ` ${formatEffect(effect)}`;
    const question = `This changes ${name}, which reaches what is live: ${formatNames(reaches)}.${who}`;
    const word = options.yes ? 'yes' : wordFor(await findEnvironment(client, options.env));
    await confirm(question, word, options.yes);
  }
  // Makes exactly the change that was shown: the server rejects it after another save.
  const fields = { description, note, publish, ifUpdatedAt: updatedAt };
  const response = await sendConfirmed(options, async ({ confirm: digest }) => {
    const body = new JsonText(jsonBody({ ...fields, confirm: digest }, { when }));
    // Without dryRun the response is no plan.
    return (await client.request(route, { params, body })) as ClientResponse<SavedSegment>;
  });
  printResponse(options, response, ({ value }) => {
    if (options.draft) return `Saved ${value.name} as a draft, revision ${value.newest}.\n`;
    const reached = value.reaches.length === 0 ? '' : ` It reaches ${formatNames(value.reaches)}.`;
    return `Saved ${value.name}.${reached}\n`;
  });
  printWarnings(response.value.warnings);
}

/** What saving a condition would do. `texts` are JSON texts. */
export async function planPut(
  client: AdminClient,
  params: { readonly env: string; readonly name: string },
  fields: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string | undefined>>,
): Promise<ClientResponse<SegmentPlan>> {
  const body = new JsonText(jsonBody({ ...fields, dryRun: true }, texts));
  // The response to a dry run is a plan.
  return (await client.request(route, { params, body })) as ClientResponse<SegmentPlan>;
}

async function readWhen(file: string | undefined, options: PutOptions): Promise<string> {
  if (file !== undefined && options.when !== undefined) {
    throw misuse('The condition comes from a file or from --when, not from both.');
  }
  if (options.when !== undefined) return strictJson(options.when, '--when');
  const source = file ?? standardInput;
  if (source === standardInput && options.contexts === standardInput) {
    throw misuse('Standard input holds one text: name a file for the contexts.');
  }
  return strictJson(await readText(source), source);
}

function formatPlan(name: string, plan: SegmentPlan, contexts: readonly ContextLine[]): string {
  const { created, changed, reaches, effect } = plan;
  const what = created ? 'is new' : changed ? 'gets another condition' : 'keeps its condition';
  const lines = [`${name} ${what}. It reaches ${formatNames(reaches)}.`];
  if (effect !== null) {
    lines.push(formatEffect(effect));
    const places = (indexes: readonly number[]): string =>
      indexes.map((index) => contexts[index]?.line ?? 0).join(', ');
    if (effect.entering > 0)
      lines.push(`Entering, for example: lines ${places(effect.enteringExamples)}`);
    if (effect.leaving > 0)
      lines.push(`Leaving, for example: lines ${places(effect.leavingExamples)}`);
  }
  return `${lines.join('\n')}\n`;
}

function formatEffect(effect: NonNullable<SegmentPlan['effect']>): string {
  const { contexts, matchedBefore, matchAfter, entering, leaving } = effect;
  return `Of ${contexts} contexts it matches ${matchAfter} instead of ${matchedBefore}: ${entering} enter, ${leaving} leave.`;
}
