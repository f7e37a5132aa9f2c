/** `loadout release submit|approve|reject|comment`: the review of a release. */

import type { Command } from 'commander';
import type { Release } from '../../contract/schemas/release.js';
import { findEnvironment, wordFor } from '../client/confirm-dangerous.js';
import {
  type FindingsOptions,
  sendConfirmed,
  withFindingsAndYes,
} from '../client/confirm-findings.js';
import { type ConnectionOptions, openClient } from '../client/connection.js';
import { confirm } from '../terminal/confirm.js';
import { oneLine, printNote } from '../terminal/output.js';
import { formatBrake, formatChange, formatSteps } from './format-release.js';
import { addReleaseCommand, paramsOf, printState, readRelease } from './release-options.js';

interface ReviewOptions extends ConnectionOptions {
  readonly comment?: string;
}

interface SubmitOptions extends ReviewOptions, FindingsOptions {}

export function addReleaseReview(releases: Command): void {
  const submit = addReleaseCommand(
    releases,
    'submit',
    'submit a release for review; checks all of it together',
  );
  withFindingsAndYes(submit)
    .option('--comment <text>', 'what reviewers should know')
    .action(submitRelease);
  addReleaseCommand(releases, 'approve', 'approve exactly what a release is now')
    .option('--comment <text>', 'kept with the approval')
    .option('--yes', 'do not ask for confirmation', false)
    .action(approveRelease);
  addReleaseCommand(releases, 'reject', 'send a release back to its author, as a draft')
    .option('--comment <text>', 'what has to change')
    .action(rejectRelease);
  addReleaseCommand(releases, 'comment', 'add a comment to the timeline')
    .argument('<text>', 'the comment')
    .action(commentRelease);
}

async function submitRelease(env: string, number: number, options: SubmitOptions): Promise<void> {
  const { comment } = options;
  const client = openClient(options);
  const response = await sendConfirmed<Release>(options, ({ confirm, query }) =>
    client.request('POST /environments/:env/releases/:release/submit', {
      params: paramsOf(env, number),
      query,
      body: { comment, confirm },
    }),
  );
  printState(options, response);
}

/** The digest of what was shown goes with the approval: the server rejects it when the release has changed since. */
async function approveRelease(env: string, number: number, options: ReviewOptions): Promise<void> {
  const { comment, yes } = options;
  const client = openClient(options);
  const params = paramsOf(env, number);
  const { value: release } = await readRelease(client, params);
  // The result is the approval; what is asked about is not part of it.
  printNote(describeApproval(release));
  const word = yes ? '' : wordFor(await findEnvironment(client, env));
  await confirm(`This approves release ${number} of ${env}.`, word, yes);
  const response = await client.request('POST /environments/:env/releases/:release/approve', {
    params,
    body: { digest: release.review.digest, comment },
  });
  printState(options, response);
}

function describeApproval({ title, changes, steps, brake, review }: Release): string {
  return [
    oneLine(title),
    ...changes.map((change) => `  ${formatChange(change)}`),
    `Steps: ${formatSteps(steps)}`,
    `Brake: ${formatBrake(brake)}`,
    `Digest: ${review.digest}`,
  ].join('\n');
}

async function rejectRelease(env: string, number: number, options: ReviewOptions): Promise<void> {
  const { comment } = options;
  const response = await openClient(options).request(
    'POST /environments/:env/releases/:release/reject',
    { params: paramsOf(env, number), body: { comment } },
  );
  printState(options, response);
}

async function commentRelease(
  env: string,
  number: number,
  comment: string,
  options: ConnectionOptions,
): Promise<void> {
  const response = await openClient(options).request(
    'POST /environments/:env/releases/:release/comments',
    { params: paramsOf(env, number), body: { comment } },
  );
  printState(options, response);
}
