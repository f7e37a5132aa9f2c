/** `loadout sync` and `loadout diff`: bring the live contents of one environment into another, or only say how they differ. */

import { Command } from 'commander';
import type { SyncedContent, SyncedSegment, SyncReport } from '../../contract/operations/sync.js';
import type { AdminClient, ClientResponse } from '../client/admin-client.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import {
  type ConfirmArguments,
  type FindingsOptions,
  sendConfirmed,
  withFindings,
} from '../client/confirm-findings.js';
import {
  type ConnectionOptions,
  openClient,
  printResponse,
  withConnection,
  withFleetWait,
} from '../client/connection.js';
import { formatChange } from '../client/format-change.js';
import { printWarnings } from '../client/problem.js';
import { confirm } from '../terminal/confirm.js';
import { misuse } from '../terminal/failure.js';
import { oneLine, printNote } from '../terminal/output.js';

interface SyncOptions extends FindingsOptions {
  readonly dryRun: boolean;
  /** Title of the release that takes it. */
  readonly release?: string;
}

export function syncCommand(): Command {
  return withFindings(withFleetWait(withConnection(new Command('sync'))))
    .description('copy the live contents of one environment to another')
    .argument('<from>', 'environment to read')
    .argument('<to>', 'environment to change')
    .argument('[contents...]', 'only these contents; by default all')
    .option('--dry-run', 'show what would change, but change nothing', false)
    .option('--release <title>', 'publish nothing: save drafts, and make a release of them')
    .option('--yes', 'do not ask for confirmation', false)
    .addHelpText(
      'after',
      '\nShows the changes and asks for confirmation, then makes exactly these changes or none. A protected environment is\nconfirmed by typing its name. With --release it does not ask: nothing that is live changes.',
    )
    .action(sync);
}

export function diffCommand(): Command {
  return withConnection(new Command('diff'))
    .description(
      'show how the live contents of two environments differ, as a sync would change the second',
    )
    .argument('<from>', 'environment to read')
    .argument('<to>', 'environment to compare with')
    .argument('[contents...]', 'only these contents; by default all')
    .action((from: string, to: string, ids: readonly string[], options: ConnectionOptions) =>
      sync(from, to, ids, { ...options, dryRun: true }),
    );
}

async function sync(
  from: string,
  to: string,
  ids: readonly string[],
  options: SyncOptions,
): Promise<void> {
  const client = openClient(options);
  const wish = options.release === undefined ? {} : { release: { title: options.release } };
  const preview = await requestSync(client, from, to, { ids, ...wish, dryRun: true });
  const { added, changed, plan } = preview.value;
  if (options.dryRun || added.length + changed.length === 0) {
    printReport(options, to, preview);
    return;
  }
  let seen: string | undefined;
  // Nothing is delivered by saving drafts: its reviewers are asked.
  if (!options.yes && options.release === undefined) {
    // The result is what is done; what is asked about is not part of it.
    printNote(formatSync(preview.value, to).trimEnd());
    printSyncWarnings(preview.value);
    await confirmSync(client, to, preview.value);
    // The findings stand among the warnings that were shown.
    seen = preview.value.confirmation?.digest;
  }
  const given = seen === undefined ? options : { ...options, confirm: options.confirm ?? seen };
  const response = await sendConfirmed<SyncReport>(given, (asked) =>
    requestSync(client, from, to, { ids, ...wish, plan, ...asked }),
  );
  printReport(options, to, response);
}

function printReport(options: SyncOptions, to: string, response: ClientResponse<SyncReport>): void {
  printResponse(options, response, ({ value }) => formatSync(value, to));
  printSyncWarnings(response.value);
}

/** A server of an earlier version gives none. */
function printSyncWarnings(report: SyncReport): void {
  printWarnings(report.warnings ?? []);
}

function requestSync(
  client: AdminClient,
  from: string,
  to: string,
  what: {
    readonly ids: readonly string[];
    readonly dryRun?: true;
    readonly plan?: string;
    readonly confirm?: string | undefined;
    readonly query?: ConfirmArguments['query'];
    readonly release?: { readonly title: string };
  },
): Promise<ClientResponse<SyncReport>> {
  if (from === to) throw misuse('The two environments must differ.');
  const { ids, query, ...rest } = what;
  return client.request('POST /environments/:env/sync', {
    params: { env: to },
    query: query ?? {},
    body: { from, ...rest, ...(ids.length === 0 ? {} : { ids }) },
  });
}

async function confirmSync(client: AdminClient, to: string, preview: SyncReport): Promise<void> {
  const environment = await findEnvironment(client, to);
  const conflicts = countConflicts(preview);
  const covered = conflicts === 0 ? '' : `, and replace ${conflicts} edits made in it`;
  const count = preview.added.length + preview.changed.length;
  const question = `This will change ${count} contents in ${to}${covered}.`;
  await confirm(question, wordFor(environment), false);
}

/** `+` added, `~` changed, `!` an edit in the target that is covered; then the counts. */
function formatSync(report: SyncReport, to: string): string {
  const out: string[] = [];
  for (const segment of report.segments) out.push(...formatSegment(segment));
  for (const content of report.added) {
    out.push(`+ ${content.id} (revision ${content.fromRevision})`);
  }
  for (const content of report.changed) out.push(...formatChanged(content));
  for (const id of report.onlyHere) out.push(`  ${id} is only here and stays`);
  const counts = `${report.added.length} added, ${report.changed.length} changed, ${report.unchanged.length} unchanged`;
  if (typeof report.release === 'number') {
    out.push(
      `Release ${report.release} of ${to} is a draft: ${counts}. Nothing that is live was changed.`,
      `Next: loadout release submit ${to} ${report.release}`,
    );
    return `${out.join('\n')}\n`;
  }
  out.push(report.dryRun ? `Would be: ${counts}. Nothing was changed.` : `Done: ${counts}.`);
  return `${out.join('\n')}\n`;
}

/** How many edits of the target a sync would cover. */
function countConflicts({ added, changed, segments }: SyncReport): number {
  return [...added, ...changed, ...segments].filter(({ conflict }) => conflict).length;
}

function formatSegment(segment: SyncedSegment): string[] {
  const { name, change, before, after } = segment;
  const what =
    change === 'added' ? `+ segment ${name}: ${after}` : `~ segment ${name}: ${before} -> ${after}`;
  return [oneLine(what), ...formatConflict(segment)];
}

function formatChanged(content: SyncedContent): string[] {
  const { id, fromRevision, toRevision } = content;
  const head = `~ ${id} (revision ${fromRevision} over ${toRevision ?? 'none'})`;
  return [head, ...formatConflict(content), ...formatChange(content)];
}

function formatConflict({
  conflict,
  edited,
}: Pick<SyncedContent, 'conflict' | 'edited'>): string[] {
  if (!conflict) return [];
  const editor = edited === null ? '' : ` by ${edited.author}, ${edited.at}`;
  return [oneLine(`    ! edited here${editor}: the sync replaces it`)];
}
