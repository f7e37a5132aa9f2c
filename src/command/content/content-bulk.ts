/** `loadout content set-value|tag`: the same edit of several contents, shown before it is made. */

import type { Command } from 'commander';
import { JsonText } from '../../contract/client.js';
import type { EditedItem, EditReport } from '../../contract/operations/contents/content-edits.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import { type FindingsOptions, sendConfirmed, withFindings } from '../client/confirm-findings.js';
import {
  type EnvironmentOptions,
  openClient,
  printResponse,
  withEnvironment,
  withFleetWait,
} from '../client/connection.js';
import { confirm } from '../terminal/confirm.js';
import { counted } from '../terminal/counted.js';
import { CommandFailure, misuse } from '../terminal/failure.js';
import { jsonBody } from '../terminal/json-body.js';
import { oneLine, printNote } from '../terminal/output.js';
import { parseAppVersion } from '../terminal/parse-option.js';

interface SetOptions extends EnvironmentOptions, FindingsOptions {
  readonly appVersion?: string;
  readonly create: boolean;
  readonly draft: boolean;
  readonly release?: string;
  readonly note: string;
  readonly dryRun: boolean;
  readonly partial: boolean;
}

interface TagOptions extends EnvironmentOptions {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export function addContentBulk(contents: Command): void {
  withFindings(withFleetWait(withEnvironment(contents.command('set-value'))))
    .description('set one value in several contents; all other bytes stay')
    .argument('<path>', 'JSON Pointer of the value, such as /packs/pouch/price')
    .argument('<value>', 'JSON; it is saved as it is written (1.10 stays 1.10)')
    .argument('<contents...>', 'their ids')
    .option(
      '--app-version <version>',
      'only in the version line of this app version; by default in all that have the path',
      parseAppVersion,
    )
    .option('--create', 'add it where only the last name of the path is missing', false)
    .option('--draft', 'save without publishing', false)
    .option('--release <title>', 'publish nothing: save drafts, and make a release of them')
    .option('--partial', 'leave out contents that cannot be edited', false)
    .option('-m, --note <text>', 'why; kept with each revision', '')
    .option('--dry-run', 'show what would change, but change nothing', false)
    .option('--yes', 'do not ask for confirmation', false)
    .addHelpText(
      'after',
      '\nShows every value before and after and asks for confirmation, then makes exactly these changes or none. A protected\nenvironment is confirmed by typing its name. With --draft or --release it does not ask: nothing that is live changes.',
    )
    .action(setValue);
  withEnvironment(contents.command('tag'))
    .description('add tags to several contents, or remove some')
    .argument('<contents...>', 'their ids')
    .option('--add <tags...>', 'tags to add', [])
    .option('--remove <tags...>', 'tags to remove', [])
    .action(tag);
}

async function setValue(
  path: string,
  value: string,
  ids: readonly string[],
  options: SetOptions,
): Promise<void> {
  const { env, draft, release, dryRun, note, partial, yes } = options;
  const client = openClient(options);
  const { appVersion, create } = options;
  const fields = { kind: 'set', path, appVersion, create };
  const edit = jsonBody(fields, { value: jsonOf(value) });
  const target = release === undefined ? {} : { release: { title: release } };
  const base = { ids, note, partial, publish: !draft, ...target };
  const preview = await send(client, env, edit, { ...base, dryRun: true });
  const { counts, plan } = preview.value;
  const isRejected = counts.rejected > 0 && !partial;
  if (dryRun || isRejected || counts.changed === 0) {
    printReport(options, preview);
    if (isRejected && !dryRun) throw cannotEdit(counts.rejected);
    return;
  }
  let seen: string | undefined;
  if (!yes && !draft && release === undefined) {
    // The result is what is done; what is asked about is not part of it.
    printNote(formatReport(preview.value).trimEnd());
    const environment = await findEnvironment(client, env);
    const what = `This will set ${path} in ${counted(counts.changed, 'content')} of ${env}.`;
    await confirm(what, wordFor(environment), false);
    // The findings stand among the values that were shown.
    seen = preview.value.confirmation?.digest;
  }
  const given = seen === undefined ? options : { ...options, confirm: options.confirm ?? seen };
  const response = await sendConfirmed<EditReport>(given, ({ confirm: digest, query }) =>
    send(client, env, edit, { ...base, plan, confirm: digest }, query),
  );
  printReport(options, response);
}

async function tag(ids: readonly string[], options: TagOptions): Promise<void> {
  const { env, add, remove } = options;
  if (add.length + remove.length === 0) throw misuse('Name tags to --add or to --remove.');
  const edit = JSON.stringify({ kind: 'tags', add, remove });
  printReport(options, await send(openClient(options), env, edit, { ids }));
}

/** @param edit JSON text: a value in it stays as it was written */
function send(
  client: AdminClient,
  env: string,
  edit: string,
  rest: Readonly<Record<string, unknown>>,
  query: { readonly strict?: 'true' | undefined } = {},
): Promise<ClientResponse<EditReport>> {
  const body = new JsonText(jsonBody(rest, { edit }));
  return client.request('POST /environments/:env/contents/edit', { params: { env }, query, body });
}

function jsonOf(value: string): string {
  try {
    JSON.parse(value);
    return value;
  } catch {
    throw misuse(`The value is not JSON. Text needs quotes: '${JSON.stringify(value)}'`);
  }
}

function cannotEdit(rejected: number): CommandFailure {
  const what = counted(rejected, 'content');
  return new CommandFailure(
    `${what} cannot be edited, so nothing was changed. --partial leaves ${rejected === 1 ? 'it' : 'them'} out.`,
  );
}

function printReport(options: EnvironmentOptions, response: ClientResponse<EditReport>): void {
  printResponse(options, response, ({ value }) => formatReport(value));
}

/** `~` changed, `=` unchanged, `-` without the path, `!` rejected; then the counts. */
function formatReport({ items, counts, dryRun, release }: EditReport): string {
  const out = items.flatMap(formatItem);
  const { changed, unchanged, missing, rejected } = counts;
  const words = `${changed} changed, ${unchanged} unchanged, ${missing} without the path, ${rejected} rejected`;
  if (release !== null)
    out.push(`Release ${release} has the changes. Nothing that is live was changed.`);
  out.push(dryRun ? `Would be: ${words}. Nothing was changed.` : `Done: ${words}.`);
  return `${out.join('\n')}\n`;
}

const marks = { changed: '~', unchanged: '=', missing: '-', rejected: '!' } as const;

function formatItem({ id, outcome, lines, tags, draftBy, newest, problem }: EditedItem): string[] {
  const along = draftBy === null ? '' : ` (draft r${newest} by ${draftBy} goes live along)`;
  const why = problem === null ? '' : `: ${problem.detail}`;
  const head = oneLine(`${marks[outcome]} ${id}${along}${why}`);
  const changed = lines.filter(({ after }) => after !== null);
  const values = changed.map(({ appVersion, before, after }) =>
    oneLine(`    ${appVersion}: ${before ?? '(none)'} -> ${after}`),
  );
  if (tags === null) return [head, ...values];
  return [head, oneLine(`    ${tags.before.join(', ')} -> ${tags.after.join(', ')}`)];
}
